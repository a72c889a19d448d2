// Workflow files with the built program: a push that is killed, and a sandbox that starts with a folder.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openHome } from '../support/built.ts';
import { testKey } from '../support/fixed.ts';
import { serveSandbox } from '../support/sandbox-311.ts';
import { words } from '../support/words.ts';

const sms = (id: string) =>
  `# svc workflow, format 1\nworkflowId: ${id}\nsteps:\n  - { stepId: text, type: sms, controlValues: { body: Hello } }\n`;

/** Forwards requests to a sandbox; `onCreated` is called after each workflow that is created. */
async function openProxy(onCreated: (count: number) => void) {
  const sandbox = await serveSandbox({ host: '127.0.0.1', port: 0, key: testKey });
  let created = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const { authorization = '', 'idempotency-key': key } = request.headers;
      const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
      const forwarded = await fetch(`${sandbox.baseUrl}${request.url}`, {
        method: request.method ?? 'GET',
        headers: {
          ...{ authorization, 'content-type': 'application/json' },
          ...(key === undefined ? {} : { 'idempotency-key': String(key) }),
        },
        ...body,
      });
      const text = await forwarded.text();
      if (request.method === 'POST') {
        created += 1;
        onCreated(created);
      }
      response.writeHead(forwarded.status, { 'content-type': 'application/json' }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await sandbox.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 60_000 });

it('after a push was killed, the next plan shows the rest, and no workflow exists twice', async () => {
  const home = openHome();
  let kill = () => undefined as unknown;
  const baseUrl = await openProxy((count) => {
    // The workflow exists, but svc does not receive the response.
    if (count === 2) kill();
  });
  const env = { ...home.env, SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey };
  const folder = path.join(home.folder, 'workflows');
  mkdirSync(folder);
  for (const id of ['kill-a', 'kill-b', 'kill-c'])
    writeFileSync(path.join(folder, `${id}.yaml`), sms(id));
  const run = home.start(['workflows', 'push', '--yes'], { env });
  kill = () => run.process.kill('SIGKILL');
  expect((await run.ended).code).toBeNull();
  const checked = await home.svc(['workflows', 'push', '--check'], { env });
  expect(checked).toMatchObject({
    code: 10,
    stdout:
      'workflow\tkill-a\tunchanged\t\t\t\nworkflow\tkill-b\tunchanged\t\t\t\nworkflow\tkill-c\tcreate\t\t\t\n',
  });
  const runs = await home.svc(['runs', 'list', '--json'], { env });
  expect(JSON.parse(runs.stdout)).toMatchObject([{ command: 'workflows push', state: 'stopped' }]);
  const pushed = await home.svc(['runs', 'resume', 'last', '--yes'], { env });
  expect(pushed.code).toBe(0);
  const { stdout } = await home.svc(['workflows', 'list', '--query', 'kill', '-o', 'ids'], { env });
  expect(stdout.trim().split('\n').sort()).toEqual(['kill-a', 'kill-b', 'kill-c']);
});

it('a sandbox starts with a folder of workflows, delivers them on every channel and returns the same files', async () => {
  const home = openHome();
  const folder = path.join(home.folder, 'workflows');
  mkdirSync(path.join(folder, 'layouts'), { recursive: true });
  const steps = ['in_app', 'email', 'sms', 'push', 'chat'].map(
    (type) =>
      `  - { stepId: ${type.replace('_', '-')}, type: ${type}, controlValues: { subject: Hi, body: Hello${type === 'email' ? ', editorType: html, layoutId: frame' : ''} } }\n`,
  );
  writeFileSync(
    path.join(folder, 'hello.yaml'),
    `# svc workflow, format 1\nworkflowId: hello\nsteps:\n${steps.join('')}`,
  );
  writeFileSync(
    path.join(folder, 'layouts', 'frame.yaml'),
    '# svc layout, format 1\nlayoutId: frame\ncontrolValues: { email: { body: "<html><body>Frame {{content}}</body></html>", editorType: html } }\n',
  );
  await home.sandbox(['--in-memory', '--seed', 'workflows']);
  await home.svc(words`subscribers create u1 --email u1@example.com --phone +15550100`);
  // The person has no device and no chat.
  const sent = await home.svc(['events', 'trigger', 'hello', '--to', 'u1', '--wait']);
  expect(sent.code).toBe(9);
  const { stdout } = await home.svc(['sandbox', 'messages', 'list', '--json']);
  const messages = JSON.parse(stdout) as { channel: string; body: string }[];
  expect(messages.map(({ channel }) => channel).sort()).toEqual(['email', 'in_app', 'sms']);
  expect(messages.find(({ channel }) => channel === 'email')?.body).toContain('Frame Hello');
  const integrations = await home.svc(['api', 'GET', '/v1/integrations', '--json']);
  const all = JSON.parse(integrations.stdout).data as { channel: string; active: boolean }[];
  expect(
    all
      .filter(({ active }) => active)
      .map(({ channel }) => channel)
      .sort(),
  ).toEqual([...['chat', 'email', 'in_app', 'push', 'sms']]);
  expect((await home.svc(['workflows', 'push', '--check'])).code).toBe(0);
  await home.svc(['workflows', 'pull', '--dir', 'a']);
  await home.svc(['sandbox', 'reset', '--yes']);
  await home.svc(['workflows', 'pull', '--dir', 'b']);
  const bytes = (name: string) =>
    readdirSync(path.join(home.folder, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [entry.name, readFileSync(path.join(entry.parentPath, entry.name), 'utf8')])
      .sort();
  expect(bytes('a')).toEqual(bytes('b'));
});

it('a sandbox refuses a folder without workflows, and one with files of both modes', async () => {
  const home = openHome();
  const folder = path.join(home.folder, 'workflows');
  mkdirSync(folder);
  const start = ['sandbox', 'start', '--port', '0', '--in-memory', '--seed', 'workflows'];
  expect(await home.svc(start)).toMatchObject({ code: 2, stdout: '' });
  for (const [name, mode] of [
    ['a', 'novu'],
    ['b', 'specification'],
    ['c', ''],
  ] as const)
    writeFileSync(
      path.join(folder, `${name}.yaml`),
      sms(name).replace('format 1', `format 1${mode && `, compat ${mode}`}`),
    );
  const { code, stderr } = await home.svc(start);
  expect(code).toBe(2);
  expect(stderr).toContain('workflows mixes files of the modes novu and specification');
});

it('a sandbox that starts with a broken template prints a warning, also in the background', async () => {
  const home = openHome();
  const folder = path.join(home.folder, 'workflows');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'a.yaml'), sms('a').replace('Hello', '"{{payload.code"'));
  const start = ['sandbox', 'start', '--port', '0', '--in-memory', '--detach'];
  const seed = ['--seed', 'workflows/a.yaml'];
  const problem =
    'workflows/a.yaml: workflow a, step text, body: Variable "payload.code" output "{{payload.code" not closed';
  const strict = await home.svc([...start, ...seed, '--strict']);
  expect(strict).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(problem) });
  const { code, stderr, stdout } = await home.svc([...start, ...seed, '--jq', '.profile']);
  onTestFinished(async () => void (await home.svc(['sandbox', 'stop'])));
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: 'sandbox\n',
    stderr: `Warning: ${problem}\n`,
  });
});
