// The page follows the sandbox: a stream of events reports every change.
import { expect, onTestFinished, test } from 'vitest';
import { serveSandbox } from '../../support/sandbox-311.ts';
import { openPage } from './open-page.ts';

/** Reads a stream until it contains the text. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, text: string) {
  let read = '';
  while (!read.includes(text)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended after ${read}`);
    read += Buffer.from(value).toString();
  }
  return read;
}

test('a write is reported to every open page, a read is not', async () => {
  const { send, cookie, get, trigger } = await openPage();
  const open = async () => {
    const response = await send('/page/live', { headers: { cookie } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const reader = response.body?.getReader();
    if (!reader) throw new Error('the response has no body');
    return reader;
  };
  const readers = [await open(), await open()];
  for (const reader of readers) await readUntil(reader, 'retry: 2000\n\n');
  await get('/');
  const reads = readers.map((reader) => readUntil(reader, 'event: change\ndata:\n\n'));
  await trigger('welcome', 'u1');
  for (const read of reads) expect(await read).toBe('event: change\ndata:\n\n');
});

test('a burst of writes is reported once', async () => {
  const due: (() => void)[] = [];
  const startTimer = (_delay: number, call: () => void) => {
    due.push(call);
    return () => undefined;
  };
  const { send, cookie, trigger } = await openPage({ startTimer });
  const response = await send('/page/live', { headers: { cookie } });
  due.length = 0;
  for (let count = 0; count < 5; count += 1) await trigger('welcome', 'u1');
  for (const call of [...due]) call();
  const reader = response.body?.getReader();
  const first = await reader?.read();
  const second = await reader?.read();
  expect(Buffer.from(first?.value ?? []).toString()).toBe('retry: 2000\n\n');
  expect(Buffer.from(second?.value ?? []).toString()).toBe('event: change\ndata:\n\n');
  await reader?.cancel();
});

test('the server ends the streams of open pages when it stops', async () => {
  const server = await serveSandbox({ host: '127.0.0.1', port: 0, isBackground: true });
  onTestFinished(() => server.close());
  expect(server.page).toBe(server.baseUrl);
  const created = await fetch(`${server.baseUrl}/__sandbox/page`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${server.key}` },
  });
  const { url } = (await created.json()) as { url: string };
  const cookie = (await fetch(url)).headers.get('set-cookie')?.split(';')[0] ?? '';
  expect(cookie).toMatch(new RegExp(`^svc_page_${server.port}=`));
  const response = await fetch(`${server.baseUrl}/page/live`, { headers: { cookie } });
  expect(response.headers.get('connection')).toBe('close');
  const closed = server.close();
  // A stream that the server cuts off would reject.
  expect(await response.text()).toBe('retry: 2000\n\n');
  await closed;
});
