// Measures an audit of many events against a server that makes them up: requests, time and peak memory (Linux only). Short
// run: `EVENTS=10000 npm run bench -- audit`.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Report } from './measurements.ts';
import { privateEnv } from './private-env.ts';
import { measureUsage } from './process-usage.ts';

const events = Number((process.env.EVENTS ?? '1000000').split(',').at(-1));
const grouped = (count: number) => count.toLocaleString('en-US');
const now = Date.now();

const detail = (text: string, at: number, raw?: object) => ({
  ...{ _id: 'd', detail: text, status: 'Success', isRetry: false, isTest: false },
  ...{ source: 'Internal', createdAt: new Date(at).toISOString() },
  ...(raw === undefined ? {} : { raw: JSON.stringify(raw) }),
});

/** One event in two waits in a digest that was opened up to 20 events before; one in a thousand is late. */
function item(number: number) {
  const at = now - 3_600_000 - number * 500;
  const opener = number + (20 - (number % 20));
  const isMerged = number % 2 === 1;
  const isLate = number % 1_000 === 0;
  const job = (type: string, status: string, details: object[]) => ({
    ...{ _id: `${number}-${type}`, type, status, executionDetails: details, providerId: 'novu' },
    step: { _id: `step-${type}`, active: true, filters: [], _templateId: 't' },
  });
  const digest = isLate
    ? job('digest', 'delayed', [detail('Step digested', at, { delay: 60_000 })])
    : job('digest', isMerged ? 'merged' : 'completed', [detail('Step queued', at)]);
  const status = isLate ? 'pending' : isMerged ? 'merged' : 'completed';
  const email = job('email', status, isLate ? [] : [detail('Message sent', at)]);
  return {
    ...{ _id: `event-${number}`, transactionId: `txn-${number}`, _subscriberId: 's' },
    ...{ _environmentId: 'e', _organizationId: 'o', channels: ['digest', 'email'] },
    createdAt: new Date(at).toISOString(),
    subscriber: { _id: 's', subscriberId: `person-${number % 50_000}` },
    template: { name: 'W', triggers: [{ identifier: `workflow-${number % 20}` }] },
    ...(isMerged && !isLate ? { _digestedNotificationId: `event-${opener}` } : {}),
    jobs: [digest, email],
  };
}

export async function measureAudit(report: Report): Promise<void> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const single = /^\/v1\/notifications\/event-(\d+)$/.exec(pathname);
    const [page, limit] = ['page', 'limit'].map((name) => Number(searchParams.get(name) ?? 0));
    const start = (page ?? 0) * (limit ?? 0);
    const count = Math.max(0, Math.min(limit ?? 0, events - start));
    const data = Array.from({ length: count }, (_unused, index) => item(start + index));
    const body = single
      ? { data: item(Number(single[1])) }
      : { data, page, pageSize: limit, hasMore: start + count < events };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-audit-'));
  const { port } = server.address() as AddressInfo;
  try {
    const env = {
      ...privateEnv(folder),
      SVC_BASE_URL: `http://127.0.0.1:${port}`,
      SVC_API_KEY: '0123456789abcdef0123456789abcdef',
    };
    const metrics = path.join(folder, 'svc.prom');
    const line = ['activity', 'audit', '--since', '30d', '--metrics', metrics, '-o', 'json'];
    const startedAt = performance.now();
    const child = spawn(process.execPath, [path.resolve('bin/svc.js'), ...line], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const { peak } = await measureUsage(child, 'svc activity audit', 9);
    const seconds = (performance.now() - startedAt) / 1_000;
    const { findings } = JSON.parse(output) as { findings: number };
    report({
      name: `audit of ${grouped(events)} events`,
      figure: `${seconds.toFixed(1)} s, ${grouped(requests)} requests, ${peak} MB of memory, ${grouped(findings)} findings`,
      goal: 'memory below 200 MB',
      isMet: peak < 200,
    });
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
