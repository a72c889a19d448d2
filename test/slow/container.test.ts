// The command of the Dockerfile, run with another port and data folder.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const [, entrypoint = ''] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? [];
const [program, ...line] = JSON.parse(entrypoint) as string[];

it('starts a sandbox that other containers can use with the key in the data folder', async () => {
  const home = openHome();
  const data = path.join(home.folder, 'data');
  const args = line.map((one) => (one === '/data' ? data : one));
  const started = home.start([...args, '--allow-host', 'sandbox', '--port', '0']);
  const [, baseUrl = ''] = /^baseUrl\t(.*)$/m.exec(await started.says('\ncompat')) ?? [];
  expect(program).toBe('svc');
  const key = readFileSync(path.join(data, 'key'), 'utf8').trim();
  const { port } = new URL(baseUrl);
  const listed = await home.svc(['topics', 'list', '-o', 'ids'], {
    env: { SVC_BASE_URL: `http://localhost:${port}`, SVC_API_KEY: key },
  });
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('announcements') });
  const fromContainer = await fetch(`${baseUrl}/v2/topics`, {
    headers: { authorization: `ApiKey ${key}` },
  });
  expect(fromContainer.status).toBe(200);
  started.process.kill('SIGTERM');
  const { code, stderr } = await started.ended;
  expect(code).toBe(143);
  expect(stderr).toContain('Warning: other machines can reach a sandbox that listens on 0.0.0.0.');
  expect(existsSync(path.join(data, 'sandbox.db'))).toBe(true);
  expect(existsSync(path.join(home.folder, '.config', 'svc', 'config.json'))).toBe(false);
});

it('checks the health with a request that the sandbox answers without a key', async () => {
  const home = openHome();
  const { baseUrl } = await home.sandbox();
  const [, check = ''] = /^HEALTHCHECK .* CMD (.*)$/m.exec(dockerfile) ?? [];
  const [command, , script = ''] = JSON.parse(check) as string[];
  expect(command).toBe('node');
  const { port } = new URL(baseUrl);
  const health = `node -e "${script.replace(':4400', `:${port}`)}"`;
  expect(await home.shell(health)).toMatchObject({ code: 0 });
  expect(await home.shell(health.replace(`:${port}`, ':1'))).toMatchObject({ code: 1 });
});
