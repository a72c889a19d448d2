// Deleting a run that another process resumes while svc asks for confirmation.
import { existsSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { openHome } from '../support/built.ts';
import { json, openService } from '../support/service.ts';
import { inTerminal } from '../support/terminal.ts';

it('a run that is resumed while svc asks is not deleted, and the resumed run finishes', async () => {
  const home = openHome();
  const pending: ServerResponse[] = [];
  const { env } = await openService((_seen, response, requests) => {
    if (requests > 1) pending.push(response);
    else json(response, 401, { statusCode: 401, message: 'API Key not found' });
  });
  writeFileSync(path.join(home.folder, 'users.csv'), 'subscriberId\nu1\n');
  Object.assign(home.env, env);
  const stopped = await home.svc(['subscribers', 'bulk-import', 'users.csv', '-o', 'ids']);
  const runId = stopped.stdout.trim();
  const folder = path.join(home.folder, '.local', 'state', 'svc', 'runs', runId);
  expect({ code: stopped.code, exists: existsSync(folder) }).toEqual({ code: 4, exists: true });

  const terminal = inTerminal(home, `svc runs delete ${runId}`, { columns: 160 });
  await terminal.shows('(y/N)');
  const resumed = home.start(['runs', 'resume', runId, '--json']);
  const response = await vi.waitUntil(() => pending[0], { interval: 20, timeout: 15_000 });
  terminal.types('y\r');
  const { code, screen } = await terminal.ended();
  expect(code).toBe(8);
  expect(screen).toContain(`Run ${runId} is in use by process ${resumed.process.pid}.`);

  json(response, 201, { created: [{ subscriberId: 'u1' }], updated: [], failed: [] });
  const { code: resumedCode, stdout } = await resumed.ended;
  expect({ code: resumedCode, ...JSON.parse(stdout) }).toMatchObject({ code: 0, created: 1 });
  expect(existsSync(folder)).toBe(true);
});
