import { expect, test } from 'vitest';
import { openRig } from '../../support/rig.ts';

test.each([
  'app.example.com',
  'https://app.example.com/',
  'https://app.example.com/inbox',
  'https://*.example.com/*',
  'ftp://app.example.com',
  'null',
  '*',
])('--allow-origin %s is a usage error', async (origin) => {
  const { svc } = await openRig();
  const line = ['sandbox', 'exec', '--allow-origin', origin, '--', 'true'];
  const { code, stderr } = await svc(line);
  expect(code).toBe(2);
  expect(stderr).toContain(`\`${origin}\` is not an origin: write scheme, host and port alone`);
});
