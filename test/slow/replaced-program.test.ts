// A sandbox whose program is updated while it runs.
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

it('a sandbox says that its program was replaced, and continues where it can', async () => {
  const home = openHome();
  const installed = path.join(home.folder, 'installed');
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(part, path.join(installed, part), { recursive: true });
  home.env.SVC = path.join(installed, 'bin', 'svc.js');
  const { baseUrl, key } = await home.sandbox();
  rmSync(path.join(installed, 'dist', 'chunks'), { recursive: true });
  const headers = { authorization: `ApiKey ${key}` };
  const lost = await fetch(`${baseUrl}/__sandbox/openapi.json`, { headers });
  expect(lost.status).toBe(500);
  expect(await lost.text()).toContain('svc was updated or removed while this sandbox runs');
  expect((await fetch(`${baseUrl}/v2/topics`, { headers })).status).toBe(200);
});
