// Worlds that are written to files and read again.
import { expect, it } from 'vitest';
import { exportState } from '../../src/sandbox/state/export-state.ts';
import { readState, writeState } from '../../src/sandbox/state/file.ts';
import { openStaging } from '../commands/workflows/workflow-folder.ts';
import { openSandbox } from '../sandbox/open.ts';
import { leftOutEverywhere } from '../support/left-out.ts';
import { readInstances, sandboxGet } from '../support/members.ts';
import { listWrites } from '../support/requests.ts';
import {
  anyPortableWorld,
  anyWorld,
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
  () => inWorlds(15, anyWorld, exportTwice),
  worldsTimeout(15),
);

async function pullPushAndPull({ mode, service, seed }: World) {
  const { svc, files } = await openStaging({ mode, service, seed });
  const run = async (line: string, env: Record<string, string> = {}) => {
    const { code, stderr, requests } = await svc(line.split(' '), { env });
    expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' });
    return requests;
  };
  await run('environments pull a -p development');
  const names = [...files.read('a/integrations.yaml').matchAll(/\$env: (\w+)/g)];
  const env = Object.fromEntries(names.map(([, name = '']) => [name, `value-of-${name}`]));
  expect(listWrites(await run('environments push a -p development --delete --yes'))).toEqual([]);
  await run('environments push a -p staging --with-credentials --yes --json', env);
  await run('environments pull b -p staging');
  expect(files.contents('b')).toEqual(files.contents('a'));
  expect(JSON.stringify(files.contents('a'))).not.toMatch(/secret-/);
  // Nothing is left to do, and everything can be deleted.
  const again = 'environments push a -p staging --with-credentials --delete --yes';
  expect(listWrites(await run(again, env))).toEqual([]);
}

it(
  'the files of an environment are the same after a push to an empty one',
  () => inWorlds(6, anyPortableWorld, pullPushAndPull),
  worldsTimeout(6),
);
