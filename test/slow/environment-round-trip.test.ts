// Whole environments with the example data that are pulled and pushed again. test/worlds/ has any other content.
import { expect, it } from 'vitest';
import { modes } from '../../src/service/mode.ts';
import { openFolder, openStaging } from '../commands/workflows/workflow-folder.ts';
import { listWrites } from '../support/requests.ts';

it.each(modes)('the example data of a sandbox in the mode %s', async (mode) => {
  const rig = await openStaging({ mode });
  const files = openFolder(rig);
  // Two workflows are defined in code.
  expect((await rig.svc(['environments', 'pull', 'a', '-p', 'development'])).code).toBe(0);
  const before = files.contents('a');
  const line = ['environments', 'push', 'a', '--yes', '-p'];
  const names = [...files.read('a/integrations.yaml').matchAll(/\$env: (\w+)/g)];
  const env = Object.fromEntries(names.map(([, name = '']) => [name, '{"a":"b"}']));
  const unchanged = await rig.svc([...line, 'development', '--delete']);
  expect({ code: unchanged.code, writes: listWrites(unchanged.requests) }).toEqual({
    code: 0,
    writes: [],
  });
  const pushed = await rig.svc([...line, 'staging', '--with-credentials', '--json'], { env });
  expect({ code: pushed.code, stderr: pushed.stderr }).toEqual({ code: 0, stderr: '' });
  expect((await rig.svc(['environments', 'pull', 'b', '-p', 'staging'])).code).toBe(0);
  expect(files.contents('b')).toEqual(before);
});
