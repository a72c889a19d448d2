// Workflows that are pulled and pushed again.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toFiles } from '../../src/environment/definition-text.ts';
import { modes } from '../../src/service/mode.ts';
import {
  openStaging,
  openWorkflowRig,
  writeFullFolder,
} from '../commands/workflows/workflow-folder.ts';
import { anyOlderWorkflow, asResource } from '../environment/any-workflow.ts';
import { listWrites } from '../support/requests.ts';

describe.each(modes)('with a server in the mode %s', (mode) => {
  it('a pull and a push change nothing', async () => {
    const { svc, files } = await openWorkflowRig({ mode });
    const pulled = await svc(['workflows', 'pull']);
    // Two workflows are defined in code.
    expect(pulled.code).toBe(3);
    const before = files.contents();
    const pushed = await svc(['workflows', 'push', '--yes', '--json']);
    expect({ code: pushed.code, stderr: pushed.stderr }).toEqual({ code: 0, stderr: '' });
    expect(listWrites(pushed.requests)).toEqual([]);
    expect((await svc(['workflows', 'push', '--check'])).code).toBe(0);
    expect((await svc(['workflows', 'pull'])).code).toBe(3);
    expect(files.contents()).toEqual(before);
  });

  it('a pull of A, a push to an empty B and a pull of B give the same bytes', async () => {
    const { svc, files } = await openStaging({ mode });
    const first = await svc(['workflows', 'pull', '--dir', 'a', '-p', 'development']);
    expect(first.code).toBe(3);
    const pushed = await svc(['workflows', 'push', 'a', '--yes', '-p', 'staging']);
    expect({ code: pushed.code, stdout: pushed.stdout.split('\n').slice(0, 2) }).toMatchObject({
      code: 0,
    });
    const pulled = await svc(['workflows', 'pull', '--dir', 'b', '-p', 'staging']);
    expect(pulled.code).toBe(0);
    expect(files.contents('b')).toEqual(files.contents('a'));
  });
});

it('blocks, conditions, digests, HTML with CRLF and layouts arrive in another environment byte by byte', async () => {
  const { svc, files } = await openStaging();
  writeFullFolder(files);
  const pushed = await svc(['workflows', 'push', '--yes', '--json', '-p', 'development']);
  expect({ code: pushed.code, stderr: pushed.stderr }).toEqual({ code: 0, stderr: '' });
  await svc(['workflows', 'pull', 'full', '--dir', 'a', '-p', 'development']);
  const promoted = await svc([
    ...['workflows', 'promote', 'full', '--to', 'staging', '--yes', '--json', '-p', 'development'],
  ]);
  expect({ code: promoted.code, stderr: promoted.stderr }).toEqual({ code: 0, stderr: '' });
  await svc(['workflows', 'pull', '--dir', 'b', '-p', 'staging']);
  expect(files.contents('b')).toEqual(files.contents('a'));
  expect(files.contents('b')['full.html-mail.body.html']).toBe(
    files.read('workflows/full.html-mail.body.html'),
  );
  expect(files.contents('b')['full.block-mail.body.json']).toBe(
    files.read('workflows/full.block-mail.body.json'),
  );
});

it('any workflow that the service accepts is the same after a push and a pull', async () => {
  const { svc, files } = await openStaging();
  files.write('a/empty', '');
  await fc.assert(
    fc.asyncProperty(anyOlderWorkflow, async (given) => {
      const workflow = {
        ...given,
        name: stored(given.name),
        description: given.description.toWellFormed(),
        tags: [...new Set(given.tags.map(stored))],
        payloadSchema: null,
        // The server has no translations.
        isTranslationEnabled: false,
        steps: given.steps.map((step) => ({
          ...step,
          ...{ name: stored(step.name), type: 'custom' },
          controlValues: withoutPrototype(step.controlValues) as Record<string, unknown>,
        })),
      };
      files.remove('a');
      for (const { path: name, text } of toFiles(asResource(workflow), 'novu'))
        files.write(`a/${name}`, text);
      const line = ['-p', 'staging', '--yes', '--json'];
      const pushed = await svc(['workflows', 'push', 'a', '--delete', ...line]);
      expect({ code: pushed.code, stderr: pushed.stderr }).toEqual({ code: 0, stderr: '' });
      await svc(['workflows', 'pull', '--dir', 'b', '--delete', ...line]);
      const { '.gitattributes': _, ...pulled } = files.contents('b');
      expect(pulled).toEqual(files.contents('a'));
    }),
    { numRuns: 25 },
  );
});

/** A name as the service takes it. */
const stored = (text: string) =>
  text.toWellFormed().replaceAll('\0', '').slice(0, 60).toWellFormed().trim() || 'Name';

/** The sandbox drops members of this name. */
const withoutPrototype = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll('"__proto__":', '"proto":'));
