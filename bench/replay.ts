// Measures replays of the built program from files: 20,000 events of two steps through two versions of a workflow; and
// snapshots of a sandbox with the built-in data and with 100,000 messages.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { nativeDriver } from '../src/sandbox/store/driver.ts';
import type { Sandbox, startSandbox as StartSandbox } from '../src/testing/index.ts';
import type { Report } from './measurements.ts';
import { privateEnv } from './private-env.ts';
import { measureUsage } from './process-usage.ts';

const driver = nativeDriver() ? 'node:sqlite' : 'WebAssembly';
const count = 20_000;
const people = 2_000;

export async function measureReplay(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-replay-'));
  try {
    writeFiles(folder);
    const svc = path.resolve('bin/svc.js');
    const line = ['workflows', 'replay', 'workflows', '--events', 'week.ndjson', '-o', 'json'];
    const from = performance.now();
    const child = spawn(process.execPath, [svc, ...line, '--min-confidence', '0'], {
      cwd: folder,
      env: privateEnv(folder),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const { peak } = await measureUsage(child, 'svc workflows replay');
    const seconds = (performance.now() - from) / 1000;
    report({
      name: `replay of ${count.toLocaleString('en-US')} events of two steps, ${driver}`,
      figure: `${seconds.toFixed(1)} s, ${peak} MB`,
      goal: 'under 60 s and 400 MB',
      isMet: seconds < 60 && peak < 400,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await measureSnapshots(report);
}

const workflow = (subject: string) => `# svc workflow, format 1
workflowId: hello
steps:
  - stepId: inbox
    type: in_app
    controlValues:
      subject: ${subject} {{subscriber.firstName}}
      body: Number {{payload.n}}
  - stepId: mail
    type: email
    controlValues:
      subject: ${subject}
      body: <p>Hello {{subscriber.firstName}}, number {{payload.n}}.</p>
      editorType: html
`;

function writeFiles(folder: string): void {
  mkdirSync(path.join(folder, 'workflows'));
  writeFileSync(path.join(folder, 'workflows', 'hello.yaml'), workflow('Welcome'));
  const start = Date.parse('2026-01-05T08:00:00Z');
  const items = Array.from({ length: count }, (_unused, index) => ({
    transactionId: `t${index}`,
    createdAt: new Date(start + index * 30_000).toISOString(),
    template: { triggers: [{ identifier: 'hello' }] },
    subscriber: { subscriberId: `p${index % people}` },
    payload: { n: index },
    jobs: [
      { type: 'in_app', status: 'completed', executionDetails: [] },
      { type: 'email', status: 'completed', executionDetails: [] },
    ],
  }));
  const lines = items.map((item) => `${JSON.stringify(item)}\n`);
  writeFileSync(path.join(folder, 'week.ndjson'), lines.join(''));
  const steps = ['in_app', 'email'].map((type) => ({
    stepId: type === 'email' ? 'mail' : 'inbox',
    type,
    controlValues: { subject: 'Hello', body: '<p>Number {{payload.n}}</p>' },
  }));
  const state = {
    version: 1,
    environments: [
      {
        name: 'Development',
        workflows: [{ workflowId: 'hello', steps }],
        subscribers: Array.from({ length: people }, (_unused, index) => ({
          subscriberId: `p${index}`,
          firstName: `Person ${index}`,
          email: `p${index}@example.com`,
        })),
      },
    ],
  };
  writeFileSync(path.join(folder, 'week.state.yaml'), JSON.stringify(state));
}

async function measureSnapshots(report: Report): Promise<void> {
  const { startSandbox } = (await import(pathToFileURL(path.resolve('dist/testing.cjs')).href)) as {
    startSandbox: typeof StartSandbox;
  };
  const sandbox = await startSandbox({ listen: false });
  try {
    await reportSnapshot(report, sandbox, 'the built-in data', 20);
    await fill(sandbox, 50_000);
    await reportSnapshot(report, sandbox, '100,000 messages', 1_000);
  } finally {
    await sandbox.stop();
  }
}

async function reportSnapshot(report: Report, sandbox: Sandbox, name: string, maxMs: number) {
  // The first one of a sandbox also creates the place for all of them.
  await sandbox.restore(await sandbox.snapshot());
  const times = [performance.now()];
  const snapshot = await sandbox.snapshot();
  times.push(performance.now());
  await sandbox.restore(snapshot);
  times.push(performance.now());
  const [save = 0, restore = 0] = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  report({
    name: `snapshot of ${name}, ${driver}`,
    figure: `saved in ${save.toFixed(1)} ms, restored in ${restore.toFixed(1)} ms`,
    goal: `under ${maxMs.toLocaleString('en-US')} ms each`,
    isMet: Math.max(save, restore) < maxMs,
  });
}

async function fill({ fetch, key }: Sandbox, events: number): Promise<void> {
  const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' };
  for (let at = 0; at < events; at += 100) {
    const body = JSON.stringify({
      events: Array.from({ length: 100 }, (_unused, index) => ({
        name: 'welcome',
        to: { subscriberId: `p${(at + index) % people}`, email: `p${at}@example.com` },
        payload: { product: 'Svc' },
      })),
    });
    const response = await fetch('/v1/events/trigger/bulk', { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`status ${response.status}`);
    await response.arrayBuffer();
  }
}
