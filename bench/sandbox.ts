// Measures the sandbox of the built program: events per second, fan-out to a topic, bulk writes, complete listings, digests
// and cancellations among many, and the start in the background. Names the SQLite driver: with Node 22.13 or later it is node:sqlite, else SQLite in WebAssembly.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { nativeDriver } from '../src/sandbox/store/driver.ts';
import type { Report } from './measurements.ts';

const svc = path.resolve('bin/svc.js');
const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-sandbox-'));
const { NODE_EXTRA_CA_CERTS: _unset, ...inherited } = process.env;
const env: NodeJS.ProcessEnv = {
  ...inherited,
  SVC_CONFIG_DIR: path.join(folder, 'config'),
  SVC_STATE_DIR: path.join(folder, 'state'),
  SVC_CACHE_DIR: path.join(folder, 'cache'),
};

const driver = nativeDriver() ? 'node:sqlite' : 'WebAssembly';
const startRounds = Number(process.env.ROUNDS ?? 11);

interface Sandbox {
  process: ChildProcess;
  /** Returns the body of the response. */
  call(method: string, path: string, body?: unknown): Promise<Buffer>;
}

/** Runs all measurements and reports each figure as soon as it is known. */
export async function measureSandbox(report: Report): Promise<void> {
  try {
    await measureEvents(report);
    await measureSubscribers(report);
    await measureWaiting(report);
    measureStart(report);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Most goals are for node:sqlite. The other driver is about half as fast. */
const compareWithGoal = (min: number | undefined, value: number) =>
  min === undefined ? {} : { goal: `at least ${min.toLocaleString('en-US')}`, isMet: value >= min };
const nativeGoal = (min: number | undefined, value: number) =>
  compareWithGoal(driver === 'node:sqlite' ? min : undefined, value);

/** Reports how many items a second are processed, and returns it. */
async function measureRate(
  report: Report,
  name: string,
  count: number,
  goal: (perSecond: number) => object,
  work: () => Promise<void>,
): Promise<number> {
  const perSecond = count / (await measureSeconds(work));
  report({
    name: `${name}, ${driver}`,
    figure: `${Math.round(perSecond).toLocaleString('en-US')}/s`,
    ...goal(perSecond),
  });
  return perSecond;
}

/** Items a second, by the length of the listing. A short one is there to show that the time per item does not grow. */
const listingGoals: Record<number, number | undefined> = { 20000: 20_000 };

async function measureEvents(report: Report) {
  const sandbox = await openSandbox();
  const rate = (name: string, count: number, min: number | undefined, work: () => Promise<void>) =>
    measureRate(report, name, count, (perSecond) => nativeGoal(min, perSecond), work);
  try {
    const list = (name: string, url: string, limit: number, items: number) =>
      rate(`${name}, all of ${items.toLocaleString('en-US')}`, items, listingGoals[items], () =>
        readPages(sandbox, `${url}?limit=${limit}`, items / limit),
      );
    const listBoth = async (items: number) => ({
      activity: await list('activity', '/v1/notifications', 50, items),
      messages: await list('messages', '/__sandbox/messages', 100, items),
    });
    await trigger(sandbox, 2_000);
    const short = await listBoth(2_000);
    await rate('events of two steps', 9_000, 5_000, () => trigger(sandbox, 9_000));
    await fillTopic(sandbox, 9_000);
    await rate('recipients of a topic', 9_000, 5_000, () => triggerTopic(sandbox));
    const long = await listBoth(20_000);
    for (const name of ['activity', 'messages'] as const)
      reportGrowth(report, name, short[name] / long[name]);
    await measureHome(report, sandbox);
  } finally {
    sandbox.process.kill('SIGTERM');
  }
}

/** The home of the page, before and after an event that changes its counts. */
async function measureHome(report: Report, sandbox: Sandbox) {
  const link = JSON.parse((await sandbox.call('POST', '/__sandbox/page')).toString());
  const { url } = (link.data ?? link) as { url: string };
  const cookie = (await fetch(url)).headers.get('set-cookie')?.split(';')[0] ?? '';
  const open = async () => {
    const home = await fetch(new URL('/', url), { headers: { cookie } });
    if (!(await home.text()).includes('The last 24 hours'))
      throw new Error('the home is not shown');
  };
  const measure = async (name: string, max: number) => {
    const ms = (await measureSeconds(open)) * 1000;
    const goal = driver === 'node:sqlite' ? { goal: `at most ${max} ms`, isMet: ms <= max } : {};
    report({ name: `${name}, ${driver}`, figure: `${Math.round(ms)} ms`, ...goal });
  };
  await measure("the page's home, 20,000 messages", 1_000);
  await trigger(sandbox, 100);
  await measure("the page's home, after another event", 200);
}

/** The time per item must not grow with the length of the listing. */
const reportGrowth = (report: Report, name: string, ratio: number) =>
  report({
    name: `${name}, time per item at 20,000 to 2,000`,
    figure: ratio.toFixed(2),
    goal: 'at most 1.5',
    isMet: ratio <= 1.5,
  });

/** Bulk writes of subscribers and subscriptions, and the listings that contain them. */
async function measureSubscribers(report: Report) {
  const sandbox = await openSandbox();
  const { call } = sandbox;
  const bulkGoal = (perSecond: number) =>
    compareWithGoal(driver === 'node:sqlite' ? 20_000 : 10_000, perSecond);
  const none = () => ({});
  const inBatches = async (
    from: number,
    to: number,
    size: number,
    send: (ids: string[]) => Promise<unknown>,
  ) => {
    for (let at = from; at < to; at += size) await send(subscriberIds(size, at));
  };
  const subscribe = (from: number, to: number) =>
    inBatches(from, to, 100, (ids) =>
      call('POST', '/v2/topics/bench/subscriptions', { subscriberIds: ids }),
    );
  const create = (from: number, to: number) =>
    inBatches(from, to, 500, (ids) => {
      const subscribers = ids.map((subscriberId) => ({
        ...{ subscriberId, email: `${subscriberId}@example.com`, firstName: 'Ada' },
        data: { plan: 'pro' },
      }));
      return call('POST', '/v1/subscribers/bulk', { subscribers });
    });
  const listings = {
    subscribers: '/v2/subscribers',
    subscriptions: '/v2/topics/bench/subscriptions',
  };
  const listAll = async (items: number) => {
    const rates: Record<string, number> = {};
    for (const [name, url] of Object.entries(listings))
      rates[name] = await measureRate(
        report,
        `${name}, all of ${items.toLocaleString('en-US')}`,
        items,
        none,
        () => readCursorPages(sandbox, `${url}?limit=100`, items),
      );
    return rates;
  };
  try {
    await create(0, 2_000);
    const firstSeconds = await measureSeconds(() => subscribe(0, 2_000));
    const short = await listAll(2_000);
    await measureRate(report, 'new subscribers in bulk', 18_000, bulkGoal, () =>
      create(2_000, 20_000),
    );
    const name = 'new subscriptions';
    const later = await measureRate(report, name, 18_000, none, () => subscribe(2_000, 20_000));
    reportGrowth(report, name, 2_000 / firstSeconds / later);
    const long = await listAll(20_000);
    for (const listing of Object.keys(listings))
      reportGrowth(report, listing, (short[listing] ?? 0) / (long[listing] ?? 1));
  } finally {
    sandbox.process.kill('SIGTERM');
  }
}

/** Reads the cursor at the end of each page, without parsing the page. */
async function readCursorPages({ call }: Sandbox, url: string, items: number) {
  let cursor = '';
  for (let read = 0; read < items; read += 100) {
    const body = await call('GET', `${url}${cursor}`);
    const next = /"next":"(\w+)"/.exec(body.toString('latin1', body.length - 200))?.[1];
    if (next === undefined && read + 100 < items) throw new Error(`${url} has only ${read} items`);
    cursor = `&after=${next}`;
  }
}

/** The time of a digested event and of a cancellation must not grow with the number of events that wait. */
async function measureWaiting(report: Report) {
  const sandbox = await openSandbox();
  const wait = { type: 'digest', controlValues: { amount: 1, unit: 'hours' } };
  const steps = [
    { name: 'Wait', ...wait },
    { name: 'Text', type: 'sms', controlValues: { body: 'x' } },
  ];
  try {
    await sandbox.call('POST', '/v2/workflows', { workflowId: 'waiting', name: 'Waiting', steps });
    let accepted = 0;
    // Half of the events have one subscriber, and are digested together.
    const triggerWaiting = async () => {
      const events = subscriberIds(100, accepted).map((subscriberId, index) => ({
        ...{ name: 'waiting', to: index % 2 === 0 ? 'same' : subscriberId },
        ...{ transactionId: `waiting-${accepted + index}`, payload: {} },
      }));
      await sandbox.call('POST', '/v1/events/trigger/bulk', { events });
      accepted += 100;
    };
    const cancel = async (from: number) => {
      for (let index = from; index < from + 100; index += 1)
        await sandbox.call('DELETE', `/v1/events/trigger/waiting-${index}`);
    };
    const measure = async (from: number) => ({
      'digested events': await measureSeconds(async () => {
        for (let round = 0; round < 5; round += 1) await triggerWaiting();
      }),
      cancellations: await measureSeconds(() => cancel(from)),
    });
    for (let round = 0; round < 5; round += 1) await triggerWaiting();
    const few = await measure(0);
    while (accepted < 7_500) await triggerWaiting();
    const many = await measure(100);
    for (const name of ['digested events', 'cancellations'] as const) {
      const ratio = many[name] / few[name];
      report({
        name: `${name}, time at 8,000 to 1,000 that wait, ${driver}`,
        figure: ratio.toFixed(2),
        goal: 'at most 2',
        isMet: ratio <= 2,
      });
    }
  } finally {
    sandbox.process.kill('SIGTERM');
  }
}

/** Does not parse the pages, because that would measure the client. */
async function readPages({ call }: Sandbox, url: string, pages: number) {
  for (let page = 0; page < pages; page += 1) {
    const body = await call('GET', `${url}&page=${page}`);
    if (body.toString('latin1', 0, 10) === '{"data":[]')
      throw new Error(`${url} has only ${page} pages`);
  }
}

const subscriberIds = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `bench-${from + index}`);

async function trigger({ call }: Sandbox, count: number) {
  for (let from = 0; from < count; from += 100) {
    const events = subscriberIds(100, from).map((subscriberId) => ({
      name: 'welcome',
      to: [{ subscriberId, email: `${subscriberId}@example.com` }],
      payload: { product: 'Bench' },
    }));
    const results = await call('POST', '/v1/events/trigger/bulk', { events });
    if (results.toString().split('"processed"').length !== 101)
      throw new Error(`an event failed: ${results}`);
  }
}

async function fillTopic({ call }: Sandbox, count: number) {
  for (let from = 0; from < count; from += 100) {
    const body = { subscriberIds: subscriberIds(100, from) };
    await call('POST', '/v2/topics/bench/subscriptions', body);
  }
}

const triggerTopic = async ({ call }: Sandbox) => {
  const to = [{ type: 'Topic', topicKey: 'bench' }];
  const events = [{ name: 'welcome', to, payload: { product: 'Bench' } }];
  await call('POST', '/v1/events/trigger/bulk', { events });
};

/** Reports the time until `sandbox start --detach` returns, alternating with `node -e 0`. */
function measureStart(report: Report) {
  const start = ['sandbox', 'start', '--detach', '--port', '0', '--json'];
  const rounds = Array.from({ length: startRounds }, () => {
    const bare = runNode(['-e', '0']).ms;
    const { ms, stdout } = runNode([svc, ...start]);
    const { profile } = JSON.parse(stdout) as { profile: string };
    runNode([svc, 'sandbox', 'stop', '-p', profile]);
    return { ms, ratio: ms / bare };
  });
  const median = (of: (round: { ms: number; ratio: number }) => number) =>
    rounds.map(of).sort((a, b) => a - b)[Math.floor(startRounds / 2)] ?? Number.NaN;
  const ms = median((round) => round.ms);
  report({
    name: `sandbox start --detach, ${driver}`,
    figure: `${Math.round(ms)} ms, ${median(({ ratio }) => ratio).toFixed(1)} times node -e 0`,
    goal: 'at most 400 ms',
    isMet: ms <= 400,
  });
}

function runNode(line: readonly string[]) {
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, line, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${line.join(' ')} exited with ${status}: ${stderr}`);
  return { ms: performance.now() - startedAt, stdout };
}

async function measureSeconds(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

async function openSandbox(): Promise<Sandbox> {
  const line = ['sandbox', 'start', '--in-memory', '--no-profile', '--port', '0', '--json'];
  // The figures contain the time of the jobs.
  const child = spawn(process.execPath, [svc, ...line, '--queue-delay', '0ms'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve);
    child.once('exit', (code) => reject(new Error(`the sandbox exited with ${code}`)));
  });
  const { baseUrl, key } = JSON.parse(printed) as { baseUrl: string; key: string };
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' };
  return {
    process: child,
    // node:http, because fetch takes a considerable part of the time.
    call: (method, url, body) =>
      new Promise((resolve, reject) => {
        const sent = request(`${baseUrl}${url}`, { method, agent, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const bytes = Buffer.concat(chunks);
            if (response.statusCode === 200 || response.statusCode === 201) resolve(bytes);
            else reject(new Error(`${method} ${url}: ${bytes}`));
          });
        });
        sent.on('error', reject);
        sent.end(body === undefined ? undefined : JSON.stringify(body));
      }),
  };
}
