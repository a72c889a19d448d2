// Containers, run as processes: the command of the Dockerfile with another port and data folder, and the examples for
// compose and testcontainers.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Home, openHome } from '../support/built.ts';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const [, entrypoint = ''] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? [];
const [program, ...line] = JSON.parse(entrypoint) as string[];

/** Runs the entry point with a folder of its own, as if it was in a container. */
async function startContainer(home: Home, more: string[], env: NodeJS.ProcessEnv = {}) {
  const data = path.join(home.folder, 'data');
  const args = line.map((word) => (word === '/data' ? data : word));
  const started = home.start([...args, ...more, '--port', '0'], { env: { ...home.env, ...env } });
  const [, baseUrl = ''] = /^baseUrl\t(.*)$/m.exec(await started.says('\ncompat')) ?? [];
  return { ...started, baseUrl, data, port: new URL(baseUrl).port };
}

it('starts a sandbox that other containers can use with the key in the data folder', async () => {
  const home = openHome();
  const started = await startContainer(home, ['--allow-host', 'sandbox']);
  const { baseUrl, data, port } = started;
  expect(program).toBe('svc');
  const key = readFileSync(path.join(data, 'key'), 'utf8').trim();
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

it('runs without the permissions of root, and builds where the package has its sources', () => {
  const [build = '', image = ''] = dockerfile.split(/^(?=FROM )/m).slice(1);
  expect(build).toContain('npm ci && npm pack');
  expect(image).toMatch(/^USER node\n(?![\s\S]*^USER )/m);
});

/** A port that no other process uses. */
const freePort = () =>
  new Promise<string>((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(String(port)));
    });
  });

interface Service {
  image?: string;
  build?: string;
  command: string[];
  volumes?: string[];
  environment: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
}

it('examples/compose.yaml: the tests of the application pass', async () => {
  const { services } = parse(readFileSync('examples/compose.yaml', 'utf8')) as {
    services: Record<'sandbox' | 'application' | 'tests', Service>;
  };
  const { sandbox, application, tests } = services;
  expect(existsSync(path.join('examples', sandbox.build ?? '', 'Dockerfile'))).toBe(true);
  const home = openHome();
  const { port } = await startContainer(home, sandbox.command, sandbox.environment);
  const applicationPort = await freePort();
  // A mounted folder is that of the repository, and the name of a service is this machine.
  const local = (text: string) =>
    text
      .replace(/^\/app\//, `${path.resolve('examples/compose')}/`)
      .replace('sandbox:4400', `localhost:${port}`)
      .replace('application:3000', `localhost:${applicationPort}`)
      .replaceAll('localhost:3000', `localhost:${applicationPort}`);
  const localEnvironment = ({ environment }: Service) =>
    Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, local(text)]));
  expect(application.environment.PORT).toBe('3000');
  const words = (service: string[]) =>
    service.map((word) => `'${local(word).replaceAll("'", "'\\''")}'`);
  const health = words(application.healthcheck?.test.slice(1) ?? []).join(' ');
  const { code, stdout, stderr } = await home.shell(
    `PORT=${applicationPort} ${words(application.command).join(' ')} & application=$!
     for try in 1 2 3 4 5 6 7 8 9 10; do ${health} && break; sleep 0.3; done
     ${words(tests.command).join(' ')}; code=$?; kill $application; exit $code`,
    { ...localEnvironment(application), ...localEnvironment(tests), PORT: applicationPort },
  );
  expect({ code, output: stdout + stderr }).toEqual({
    code: 0,
    output: expect.stringMatching(/pass 1\n/),
  });
  expect(tests.depends_on?.application?.condition).toBe('service_healthy');
});

/** A replacement of the package that runs the entry point instead of a container. */
const replacement = `
import { spawn } from 'node:child_process';
export const Wait = { forHealthCheck: () => undefined };
export class GenericContainer {
  withEnvironment(env) { this.env = env; return this; }
  withExposedPorts() { return this; }
  withWaitStrategy() { return this; }
  async start() {
    const [program, ...line] = JSON.parse(process.env.ENTRYPOINT);
    const child = spawn(program, line, { env: { ...process.env, ...this.env } });
    const text = await new Promise((resolve) => {
      let all = '';
      child.stdout.on('data', (chunk) => { all += chunk; if (all.includes('compat')) resolve(all); });
    });
    const port = new URL(/^baseUrl\\t(.*)$/m.exec(text)[1]).port;
    const stop = () => new Promise((resolve) => { child.on('close', resolve); child.kill(); });
    return { getHost: () => 'localhost', getMappedPort: () => port, stop };
  }
}
`;

it('examples/testcontainers: the test passes with a process in place of the container', async () => {
  const home = openHome();
  const project = path.join(home.folder, 'project');
  cpSync('examples/testcontainers', project, { recursive: true });
  const modules = path.join(project, 'node_modules/testcontainers');
  mkdirSync(modules, { recursive: true });
  writeFileSync(path.join(modules, 'index.mjs'), replacement);
  writeFileSync(path.join(modules, 'package.json'), '{"exports": "./index.mjs"}');
  const args = line.map((word) => (word === '/data' ? path.join(home.folder, 'data') : word));
  const command = [process.execPath, String(home.env.SVC), ...args, '--port', '0'];
  const { code, stdout, stderr } = await home.shell('cd project && npm test', {
    ENTRYPOINT: JSON.stringify(command),
  });
  expect({ code, output: stdout + stderr }).toEqual({
    code: 0,
    output: expect.stringMatching(/pass 1\n/),
  });
});
