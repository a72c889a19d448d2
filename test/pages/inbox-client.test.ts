// The inbox of @novu/react in a page of an application, which has another origin than the sandbox.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rolldown } from 'rolldown';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveInbox } from '../sandbox/inbox/served-inbox.ts';
import { openBrowser } from './browser.ts';

/** Bundles the page with a version of the client. */
async function bundle(client: string): Promise<string> {
  const build = await rolldown({
    input: 'test/pages/inbox-app.js',
    platform: 'browser',
    resolve: { alias: { '@novu/react': client } },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent',
  });
  const { output } = await build.generate({ format: 'iife', codeSplitting: false });
  await build.close();
  return output[0].code;
}

async function serveApplication(script: string): Promise<string> {
  const server = createServer(({ url }, response) => {
    const isScript = url === '/app.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript ? script : '<!doctype html><div id="app"></div><script src="/app.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function openApplication(
  { baseUrl, applicationIdentifier }: Awaited<ReturnType<typeof serveInbox>>,
  client: string,
  more: Record<string, string> = {},
) {
  const origin = await serveApplication(await bundle(client));
  const context = await openBrowser();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  const query = new URLSearchParams({
    ...{ sandbox: baseUrl, application: applicationIdentifier, subscriber: 'ada', ...more },
  });
  return { page, errors, url: `${origin}/?${query}` };
}

describe.each([
  ['3.11.0', '3.11', '@novu/react'],
  ['3.19.2', '3.11', 'novu-react-latest'],
  ['3.19.2', '3.19', 'novu-react-latest'],
] as const)('the inbox of @novu/react %s with version %s', (_version, service, client) => {
  it('shows a new message live, and the sandbox what the subscriber does with it', async () => {
    const inbox = await serveInbox({ service });
    const { control, trigger } = inbox;
    const { page, errors, url } = await openApplication(inbox, client);
    // socket.io confirms the connection with a packet that starts with 40.
    const isConnected = new Promise<void>((resolve) =>
      page.on('websocket', (socket) =>
        socket.on('framereceived', ({ payload }) => {
          if (String(payload).startsWith('40')) resolve();
        }),
      ),
    );
    await page.goto(url);
    await isConnected;
    await page.getByText('Quiet for now').waitFor();
    await trigger('ada', 7);
    await page.getByText('Note 7').waitFor();
    await page.getByRole('button', { name: 'Later' }).click();
    const captured = async () =>
      (await control.messages({ subscriberId: 'ada', limit: 1 })).data[0];
    await expect.poll(captured).toMatchObject({ read: true, seen: true });
    expect(errors).toEqual([]);
  });
});

it('the subscription of @novu/react 3.19.2 decides which events of a topic arrive', async () => {
  const inbox = await serveInbox({ service: '3.19' });
  const { page, errors, url } = await openApplication(inbox, 'novu-react-latest', {
    topic: 'news',
  });
  const publish = (n: number) => inbox.trigger([{ type: 'Topic', topicKey: 'news' }], n);
  const subscription = async () =>
    (await inbox.ask('GET /v2/topics/news/subscriptions/tk_news:si_ada')).body?.data;
  const enabled = async () => (await subscription())?.preferences?.[0].enabled;
  await page.goto(url);
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await page.getByRole('button', { name: 'Unsubscribe' }).waitFor();
  await publish(1);
  await page.getByText('Notes').click();
  await expect.poll(enabled).toBe(false);
  await publish(2);
  await page.getByText('Notes').click();
  await expect.poll(enabled).toBe(true);
  await publish(3);
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect.poll(subscription).toBeUndefined();
  await publish(4);
  const { data } = await inbox.control.messages({ subscriberId: 'ada', limit: 10 });
  expect(data.map(({ subject }) => subject)).toEqual(['Note 3', 'Note 1']);
  expect(errors).toEqual([]);
});
