// A response with status 500 leaves its cause on standard error, in the log of events and in the log of requests. Damaged
// data is the cause here.
import { describe, expect, it, onTestFinished } from 'vitest';
import { createControlClient } from '../../src/sandbox/control/client.ts';
import { eventLine } from '../../src/sandbox/control/recorder.ts';
import { openSandbox } from '../support/sandbox-311.ts';
import { drivers } from './drivers.ts';
import { key, noon } from './open.ts';

const origin = 'http://127.0.0.1:4400';

async function openDamaged() {
  const lines: string[] = [];
  const problems: string[] = [];
  const { store, handle } = await openSandbox({
    ...{ key, clock: { now: () => noon }, pageUrl: origin },
    onEvent: (event) => lines.push(eventLine(event, noon)),
    onInternalError: (_error, text) => problems.push(text),
  });
  onTestFinished(() => store.close());
  store.sql.run("UPDATE workflows SET body = '{'");
  const ask = async (target: string, headers: Record<string, string> = {}, init = {}) => {
    const authorization = `ApiKey ${key}`;
    const request = new Request(`${origin}${target}`, {
      ...init,
      headers: { authorization, ...headers },
    });
    const response = await handle(request);
    return { response, text: await response.text() };
  };
  const control = createControlClient(async ({ method, target, body }) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return JSON.parse((await ask(target, {}, { method, ...sent })).text);
  });
  const openPage = async () => {
    const { url } = await control.createPageLink();
    const { response } = await ask(url.slice(origin.length));
    return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
  };
  return { ask, control, openPage, lines, problems };
}

it('for a request of an application', async () => {
  const { ask, control, lines, problems } = await openDamaged();
  const { response, text } = await ask('/v2/workflows');
  expect(response.status).toBe(500);
  const cause = `SyntaxError: [^\\n]*JSON[^\\n]* \\(errorId ${JSON.parse(text).errorId}\\)`;
  expect(problems).toEqual([
    expect.stringMatching(`^The sandbox responded with 500 to GET /v2/workflows: ${cause}$`),
  ]);
  expect(lines).toEqual([
    expect.stringMatching(`^12:00:00  GET /v2/workflows  500  0 ms  ${cause}$`),
  ]);
  const { data } = await control.requests({});
  expect(data.map(({ path, status, error }) => [path, status, error])).toEqual([
    ['/v2/workflows', 500, expect.stringMatching(`^${cause}$`)],
  ]);
});

it('for a view of the page, which is not in the log of requests otherwise', async () => {
  const { ask, control, openPage, lines, problems } = await openDamaged();
  const cookie = await openPage();
  await ask('/page/inbox', cookie);
  lines.splice(0);
  const { response, text } = await ask('/page/messages?q=a', cookie);
  expect(response.status).toBe(500);
  const { errorId } = JSON.parse(text);
  expect(problems).toEqual([expect.stringContaining(`500 to GET /page/messages: SyntaxError`)]);
  expect(lines).toEqual([
    expect.stringMatching(`GET /page/messages\\?q=a  500  .*\\(errorId ${errorId}\\)$`),
  ]);
  const { data } = await control.requests({ status: 500 });
  expect(data.map(({ path, error }) => [path, error])).toEqual([
    ['/page/messages', expect.stringContaining(errorId)],
  ]);
});

describe.each(drivers)('a disk that is full, with $name', ({ driver }) => {
  it('is named in the response, and the sandbox works again once there is space', async () => {
    const disk = { isFull: false };
    const problems: string[] = [];
    const { store, handle } = await openSandbox({
      ...{ key, clock: { now: () => noon } },
      // The error of SQLite in WebAssembly.
      driver: (file) => {
        const database = driver(file);
        return {
          ...database,
          exec(sql) {
            if (disk.isFull && /CREATE TABLE/.test(sql)) throw new Error('disk I/O error');
            database.exec(sql);
          },
        };
      },
      onInternalError: (_error, text) => problems.push(text),
    });
    onTestFinished(() => store.close());
    const ask = async (path: string, body: object) => {
      const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await handle(new Request(`${origin}${path}`, init));
      return { status: response.status, ...((await response.json()) as object) };
    };
    const full = {
      status: 500,
      message: expect.stringMatching(/^The disk .* is full .* Free some space/),
      errorId: expect.any(String),
    };
    disk.isFull = true;
    expect(await ask('/__sandbox/snapshots', { name: 'a' })).toMatchObject(full);
    disk.isFull = false;
    expect(await ask('/__sandbox/snapshots', { name: 'a' })).toMatchObject({ name: 'a' });
    // A limit of SQLite, which reports it as a full disk.
    const [{ page_count: pages = 0 } = {}] = store.sql.all<{ page_count: number }>(
      'PRAGMA page_count',
    );
    store.sql.exec(`PRAGMA max_page_count = ${pages}`);
    const subscriber = { subscriberId: 'long', data: { text: 'x'.repeat(20_000) } };
    expect(await ask('/v2/subscribers', subscriber)).toMatchObject(full);
    store.sql.exec(`PRAGMA max_page_count = ${2 * pages}`);
    expect(await ask('/v2/subscribers', subscriber)).toMatchObject({ status: 201 });
    expect(problems).toEqual([
      expect.stringContaining('500 to POST /__sandbox/snapshots: Error: disk I/O error'),
      expect.stringContaining('database or disk is full'),
    ]);
  });
});
