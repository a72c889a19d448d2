// Measures `svc sandbox pull` with a large environment, which is a sandbox, and starting a sandbox with the file: time and
// peak memory (Linux only). Short run: `SUBSCRIBERS=10000 npm run bench -- pull`.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Report } from './measurements.ts';
import { privateEnv } from './private-env.ts';
import { cpuSeconds, measureUsage, readMemory } from './process-usage.ts';

const svc = path.resolve('bin/svc.js');
const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-pull-'));
const env = privateEnv(folder);

const workflows = Number(process.env.WORKFLOWS ?? 1_000);
const subscribers = Number(process.env.SUBSCRIBERS ?? 100_000);
const withPreferences = Math.min(100, subscribers);
const maxMegabytes = 250;
const grouped = (count: number) => count.toLocaleString('en-US');

/** Runs all measurements and reports each figure as soon as it is known. */
export async function measurePull(report: Report): Promise<void> {
  try {
    const seed = path.join(folder, 'seed.yaml');
    writeFileSync(seed, stateText());
    const source = await startSandbox(seed);
    const size = `${grouped(workflows)} workflows`;
    const all = `${size} and ${grouped(subscribers)} subscribers`;
    const file = path.join(folder, 'pulled.yaml');
    try {
      const pull = await runPull(source, file, [`--sample=${subscribers}`, '--no-preferences']);
      report({
        name: `sandbox pull of ${all}, without preferences`,
        figure: `${pull.seconds.toFixed(1)} s (${pull.cpu.toFixed(1)} s of CPU, the rest is the sandbox), ${Math.round(statSync(file).size / 1e6)} MB, ${pull.peak} MB of memory`,
        goal: `${maxMegabytes} MB of memory`,
        isMet: pull.peak <= maxMegabytes,
      });
      const other = path.join(folder, 'preferences.yaml');
      const some = await runPull(source, other, [`--sample=${withPreferences}`]);
      report({
        name: `sandbox pull of ${size} and ${grouped(withPreferences)} subscribers, with preferences`,
        figure: `${some.seconds.toFixed(1)} s (${some.cpu.toFixed(1)} s of CPU), ${some.peak} MB of memory`,
      });
    } finally {
      source.process.kill('SIGTERM');
    }
    const started = await startSandbox(file);
    report({
      name: `sandbox start --seed with ${all}`,
      figure: `${started.seconds.toFixed(1)} s (${started.cpu.toFixed(1)} s of CPU), ${started.peak} MB of memory`,
    });
    started.process.kill('SIGTERM');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Sandbox {
  process: ChildProcess;
  baseUrl: string;
  key: string;
  seconds: number;
  cpu: number;
  peak: number;
}

async function startSandbox(seed: string): Promise<Sandbox> {
  const startedAt = performance.now();
  const options = ['--in-memory', '--no-profile', '--port', '0', '--json'];
  const child = spawn(process.execPath, [svc, 'sandbox', 'start', '--seed', seed, ...options], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve);
    child.once('exit', (code) => reject(new Error(`the sandbox exited with ${code}`)));
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const used = { cpu: cpuSeconds(child), peak: readMemory(child).peak };
  return { process: child, ...JSON.parse(printed), seconds, ...used };
}

async function runPull({ baseUrl, key }: Sandbox, file: string, more: readonly string[]) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [svc, 'sandbox', 'pull', '--file', file, ...more], {
    env: { ...env, SVC_BASE_URL: baseUrl, SVC_API_KEY: key },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { peak, cpu } = await measureUsage(child, 'sandbox pull');
  return { seconds: (performance.now() - startedAt) / 1000, peak, cpu };
}

/** A state file of workflows with two steps, subscribers with data, and topics with all and with few of them. */
function stateText(): string {
  const items = <T>(count: number, item: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => item(index));
  const lines = (name: string, all: readonly object[]) =>
    `    ${name}:\n${all.map((item) => `      - ${JSON.stringify(item)}\n`).join('')}`;
  const subscriberId = (index: number) =>
    index % 10 === 0 ? `user${index}@private.test` : `user-${index}`;
  const body = `<html>\n${'<p>A paragraph for {{subscriber.firstName}}.</p>\n'.repeat(30)}</html>`;
  return `version: 1\nenvironments:\n  - name: Development\n${[
    lines(
      'workflows',
      items(workflows, (index) => ({
        ...{ workflowId: `workflow-${index}`, name: `Workflow ${index}`, tags: ['bench'] },
        payloadSchema: { type: 'object', properties: { count: { type: 'number' } } },
        steps: [
          { stepId: 'inbox', type: 'in_app', controlValues: { subject: 'Hello', body: 'Hi' } },
          {
            ...{ stepId: 'mail', type: 'email' },
            controlValues: { subject: 'Hello', editorType: 'html', body },
          },
        ],
      })),
    ),
    lines(
      'subscribers',
      items(subscribers, (index) => ({
        ...{ subscriberId: subscriberId(index), firstName: `First${index % 5_000}` },
        ...{ lastName: `Last${index}`, email: `user${index}@private.test` },
        ...{ phone: `+1415${String(index).padStart(7, '0')}`, locale: 'en-US' },
        ...{
          timezone: 'Europe/Berlin',
          data: { plan: 'pro', company: `Company ${index % 1_000}` },
        },
        ...(index % 20 === 0 ? { preferences: { global: { channels: { email: false } } } } : {}),
      })),
    ),
    lines('topics', [
      { key: 'all', name: 'All', subscribers: items(subscribers, subscriberId) },
      ...items(100, (index) => ({
        ...{ key: `topic-${index}`, name: `Topic ${index}` },
        subscribers: items(Math.floor(subscribers / 1_000), (position) =>
          subscriberId(position * 1_000 + index),
        ),
      })),
    ]),
  ].join('')}`;
}
