// Values of settings from variables and the configuration file are read like those of their options.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openRig, parsed } from '../support/rig.ts';

it.each([
  [
    'SVC_COLOR',
    'alway',
    'SVC_COLOR: `alway` is not a valid value. Must be one of: auto, always, never. Did you mean `always`?',
  ],
  ['SVC_RETRIES', '101', 'SVC_RETRIES: `101` is not a whole number from 0 to 100.'],
  ['SVC_TIMEOUT', '30', 'SVC_TIMEOUT: `30` has no unit: write 30ms or 30s.'],
])('%s=%s is rejected before any request', async (variable, value, message) => {
  const { svc } = await openRig();
  const { code, stderr, requests } = await svc(['topics', 'list'], { env: { [variable]: value } });
  expect({ code, stderr, requests }).toEqual({
    code: 2,
    stderr: `Error: ${message}\n`,
    requests: [],
  });
});

it('the case of a fixed value does not matter in a variable', async () => {
  const { svc } = await openRig();
  const { stdout } = await svc(['topics', 'list'], { env: { SVC_OUTPUT: 'JSON' } });
  expect(JSON.parse(stdout)).toBeInstanceOf(Array);
});

it('a stored setting can be a JSON number or boolean', async () => {
  const { svc, folder } = await openRig();
  mkdirSync(path.join(folder, 'config'));
  writeFileSync(
    path.join(folder, 'config', 'config.json'),
    '{"profiles":{},"settings":{"retries":3,"readOnly":true}}',
  );
  const { stdout } = await svc(['config', 'get', 'retries', '--json']);
  expect(parsed(stdout)).toMatchObject({ value: 3, from: 'setting retries' });
  expect((await svc(['topics', 'rename', 'announcements', 'X'])).code).toBe(2);
});
