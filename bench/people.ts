// Measures the commands for people against a loopback service that responds immediately: requests, time, and the peak
// memory of svc (Linux only). Short run: `SUBSCRIBERS=10000 SIZES=1000 npm run bench -- people`.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Report } from './measurements.ts';
import { measureUsage } from './process-usage.ts';

const svc = path.resolve('bin/svc.js');
const exported = Number(process.env.SUBSCRIBERS ?? 1_000_000);
const sizes = (process.env.SIZES ?? '1000,10000,100000').split(',').map(Number);
const maxMegabytes = 200;
const grouped = (count: number) => count.toLocaleString('en-US');
const pageSize = 100;

/** Runs all measurements and reports each figure as soon as it is known. */
export async function measurePeople(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-people-'));
  const file = (name: string) => path.join(folder, name);
  const measure = async (name: string, people: number, line: readonly string[]) => {
    const service = await openService(people);
    try {
      const { seconds, peak } = await run(folder, service.baseUrl, line);
      report({
        name: `${name}, ${grouped(people)} subscribers`,
        figure: `${grouped(service.requests())} requests, ${seconds.toFixed(1)} s, ${peak} MB of memory`,
        ...(people === exported && name.startsWith('subscribers export')
          ? { goal: `${maxMegabytes} MB of memory`, isMet: peak <= maxMegabytes }
          : {}),
      });
    } finally {
      service.close();
    }
  };
  try {
    await measure('subscribers export', exported, ['subscribers', 'export', file('all.ndjson')]);
    const parts = ['--with', 'topics,credentials', '--reveal'];
    await measure('subscribers export --with topics,credentials', exported, [
      ...['subscribers', 'export', file('parts.csv'), ...parts],
    ]);
    for (const size of sizes) {
      const ids = Array.from({ length: size }, (_unused, index) => subscriberId(index));
      const half = file(`half-${size}.txt`);
      // The topic has the first three quarters; a third of them is not in the file.
      writeFileSync(half, ids.slice(size / 4).join('\n'));
      const all = file(`all-${size}.txt`);
      writeFileSync(all, ids.join('\n'));
      await measure('subscribers export --with preferences', size, [
        ...['subscribers', 'export', file(`${size}.ndjson`), '--with', 'preferences'],
      ]);
      await measure('topics sync', size, [
        ...['topics', 'sync', 'all', half, '--max-delete', '50%', '--yes'],
      ]);
      await measure('preferences copy', size, [
        ...['subscribers', 'preferences', 'copy', '--from-workflow', 'old', '--to-workflow', 'new'],
        '--yes',
      ]);
      await measure('subscribers erase', size, ['subscribers', 'erase', '--file', all, '--yes']);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(folder: string, baseUrl: string, line: readonly string[]) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [svc, ...line, '--quiet'], {
    env: {
      ...process.env,
      NODE_EXTRA_CA_CERTS: undefined,
      SVC_CONFIG_DIR: path.join(folder, 'config'),
      SVC_STATE_DIR: path.join(folder, 'state'),
      SVC_CACHE_DIR: path.join(folder, 'cache'),
      SVC_BASE_URL: baseUrl,
      SVC_API_KEY: '0'.repeat(32),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { peak } = await measureUsage(child, line.join(' '));
  return { seconds: (performance.now() - startedAt) / 1000, peak };
}

const subscriberId = (index: number) => `user-${index}`;
const subscriberIndex = (id: string) => Number(id.slice('user-'.length));
const internalId = (index: number) => index.toString(16).padStart(24, '0');

const createSubscriber = (index: number) => ({
  ...{
    _id: internalId(index),
    subscriberId: subscriberId(index),
    email: `user${index}@example.com`,
  },
  ...{
    firstName: `First${index}`,
    lastName: `Last${index}`,
    locale: 'en-US',
    data: { plan: 'pro' },
  },
  channels: [
    {
      ...{ providerId: 'fcm', _integrationId: internalId(1) },
      credentials: { deviceTokens: [`token-${index}`] },
    },
  ],
});

const createWorkflow = (workflowId: string) => ({
  ...{ _id: internalId(workflowId.length), workflowId, slug: workflowId, name: workflowId },
  ...{ active: true, origin: 'novu-cloud', steps: [], updatedAt: '2026-01-01T00:00:00.000Z' },
  preferences: { user: null, default: { all: { enabled: true }, channels: {} } },
});

/** A service with this many subscribers; three quarters of them have topic `all`, and half of them a choice. */
async function openService(people: number) {
  let requests = 0;
  const members = Math.floor((people * 3) / 4);
  const erased = { subscribers: new Set(), subscriptions: new Set(), credentials: new Set() };
  const page = (query: URLSearchParams, count: number, toItem: (index: number) => object) => {
    const after = query.get('after');
    const start = after ? Number.parseInt(after, 16) + 1 : 0;
    const end = Math.min(count, start + Number(query.get('limit') ?? pageSize));
    const data = Array.from({ length: Math.max(0, end - start) }, (_unused, at) =>
      toItem(start + at),
    );
    return {
      data,
      next: end < count ? internalId(end - 1) : null,
      previous: null,
      totalCount: count,
    };
  };
  const createPreferences = (id: string, isChanged: boolean) => ({
    global: { enabled: true, channels: { email: true } },
    workflows: ['old', 'new'].map((name) => ({
      enabled: true,
      channels: { email: !(name === 'old' ? subscriberIndex(id) % 2 === 0 : isChanged) },
      overrides: [],
      workflow: { slug: name, identifier: name, name },
    })),
  });
  const respond = (
    method: string,
    { pathname, searchParams }: URL,
    body: string,
  ): object | null => {
    const [, version, noun, name = '', part = ''] = pathname.split('/');
    if (noun === 'subscribers' && name === '') return page(searchParams, people, createSubscriber);
    if (noun === 'subscribers' && method === 'DELETE') {
      erased[part === 'credentials' ? part : 'subscribers'].add(name);
      return { acknowledged: true };
    }
    if (noun === 'subscribers' && erased.subscribers.has(name)) return null;
    if (noun === 'subscribers' && part === 'preferences')
      return createPreferences(name, method === 'PATCH');
    if (noun === 'subscribers' && part === 'subscriptions')
      return page(searchParams, erased.subscriptions.has(name) ? 0 : 1, () =>
        createSubscription(subscriberIndex(name)),
      );
    if (noun === 'subscribers') {
      const subscriber = createSubscriber(subscriberIndex(name));
      return erased.credentials.has(name) ? { ...subscriber, channels: [] } : subscriber;
    }
    if (noun === 'topics' && name === '')
      return page(searchParams, 1, (index) => ({ _id: internalId(index), key: 'all' }));
    if (noun === 'topics' && method !== 'GET') {
      const { subscriberIds } = JSON.parse(body) as { subscriberIds: string[] };
      if (method === 'DELETE') for (const id of subscriberIds) erased.subscriptions.add(id);
      return { data: subscriberIds.map((id) => createSubscription(subscriberIndex(id))), meta: {} };
    }
    if (noun === 'topics' && searchParams.has('subscriberId'))
      return page(searchParams, 0, () => ({}));
    if (noun === 'topics') return page(searchParams, members, createSubscription);
    if (noun === 'workflows' && name === '')
      return { workflows: ['old', 'new'].map(createWorkflow), totalCount: 2 };
    if (noun === 'workflows') return createWorkflow(name);
    if (noun === 'integrations' && version === 'v1') return [];
    return { data: [], hasMore: false, page: 0, pageSize };
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests += 1;
      const url = new URL(request.url ?? '/', 'http://service');
      const body = Buffer.concat(chunks).toString('utf8');
      const value = respond(request.method ?? 'GET', url, body);
      response.writeHead(value ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value ?? notFound(url.pathname)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** As the service says that something does not exist. */
const notFound = (target: string) => ({
  ...{ statusCode: 404, error: 'Not Found', message: `Not found: ${target}`, path: target },
  timestamp: '2026-01-01T00:00:00.000Z',
});

const createSubscription = (index: number) => ({
  _id: internalId(index),
  topic: { _id: internalId(0), key: 'all' },
  subscriber: { _id: internalId(index), subscriberId: subscriberId(index) },
});
