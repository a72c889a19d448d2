// Worlds that are written to files and read again.
import { expect, it } from 'vitest';
import { exportState } from '../../src/sandbox/state/export-state.ts';
import { readState, writeState } from '../../src/sandbox/state/file.ts';
import { openSandbox } from '../sandbox/open.ts';
import { copyEnvironment } from '../support/copied-environment.ts';
import { leftOutEverywhere } from '../support/left-out.ts';
import { readInstances, sandboxGet } from '../support/members.ts';
import { listWrites } from '../support/requests.ts';
import {
  anyPortableWorld,
  anyWorld,
  credentialValue,
  inWorlds,
  type World,
  worldsTimeout,
} from '../support/worlds.ts';

/** The content that the API returns, without ids, times and secrets, which are new in each sandbox. */
async function contentOf(sandbox: Awaited<ReturnType<typeof openSandbox>>) {
  const { environment: _, ...content } = await readInstances(sandboxGet(sandbox));
  return JSON.parse(JSON.stringify(content), (name, value) =>
    Object.hasOwn(leftOutEverywhere, name) ? undefined : value,
  ) as object;
}

/** A sandbox with the exported state has the same content, so that its export is the same file. */
async function exportTwice({ mode, service, seed }: World) {
  const source = await openSandbox({ mode, service, seed });
  const file = writeState(exportState(source.store, true));
  const copy = await openSandbox({ mode, service, seed: readState(file, 'state.yaml') });
  expect(writeState(exportState(copy.store, true))).toBe(file);
  expect(await contentOf(copy)).toEqual(await contentOf(source));
}

it(
  'the export of a sandbox is the same after it was loaded',
  () => inWorlds(5, anyWorld, exportTwice),
  worldsTimeout(5),
);

async function pullPushAndPull({ mode, service, seed }: World) {
  const { source, target, push, contents, variables } = await copyEnvironment(
    { mode, service, seed },
    (_identifier, name) => credentialValue(name),
  );
  expect(new Set(variables).size).toBe(variables.length);
  expect(contents(target)).toEqual(contents(source));
  expect(JSON.stringify(contents(source))).not.toMatch(/secret-/);
  // Nothing is left to do.
  expect(listWrites((await push(source)).requests)).toEqual([]);
  // Newer servers do not show whether their credentials are the same.
  const more = service === '3.11' ? ['--with-credentials'] : [];
  expect(listWrites((await push(target, ...more)).requests)).toEqual([]);
}

it(
  'the files of an environment are the same after a push to an empty one',
  () => inWorlds(3, anyPortableWorld, pullPushAndPull),
  worldsTimeout(3),
);
