// Chromium, and a sandbox with its page, for the tests in this folder.
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { onTestFinished } from 'vitest';
import { chromiumPath } from '../../scripts/chromium.ts';
import { createControlClient } from '../../src/sandbox/control/client.ts';
import { testKey } from '../support/fixed.ts';
import { type SandboxState, serveSandbox } from '../support/sandbox-311.ts';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // No name is resolved, so that a request to another machine fails at once. Requests are recorded before.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

let browser: Promise<Browser> | undefined;

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/** Opens a new profile in the Chromium of the test file. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  browser ??= chromium.launch({ executablePath: chromiumPath, args: flags });
  const context = await (await browser).newContext({
    viewport: { width: 1400, height: 900 },
    ...options,
  });
  onTestFinished(() => context.close());
  return context;
}

interface ServeOptions {
  now?: () => number;
  frozen?: boolean;
  seed?: SandboxState;
}

/** Starts a sandbox with a frozen clock of the machine, unless `now` is given. */
export async function servePage({
  now = () => Date.parse('2026-01-15T12:00:00Z'),
  frozen = true,
  seed,
}: ServeOptions = {}) {
  const server = await serveSandbox({
    ...{ host: '127.0.0.1', port: 0, key: testKey, frozen },
    clock: { now },
    ...(seed ? { seed } : {}),
  });
  onTestFinished(() => server.close());
  const { baseUrl } = server;
  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of any shape
  const ask = async (line: string, body?: object): Promise<any> => {
    const [method = '', target = ''] = line.split(' ');
    const response = await fetch(`${baseUrl}${target}`, {
      method,
      headers: { authorization: `ApiKey ${testKey}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    // The response to several events is 201 even if none of them was accepted.
    if (!response.ok || text.includes('"status":"error"'))
      throw new Error(`${line}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const control = createControlClient(({ method, target, body }) =>
    ask(`${method} ${target}`, body),
  );
  const trigger = (name: string, to: unknown, payload: object = {}, transactionId?: string) =>
    ask('POST /v1/events/trigger', {
      ...{ name, to, payload },
      ...(transactionId === undefined ? {} : { transactionId }),
    });
  const createWorkflow = (workflowId: string, steps: object[]) =>
    ask('POST /v2/workflows', { name: workflowId, workflowId, steps });
  /** Opens a new tab through a link, as `svc sandbox open` does, and goes to the messages. */
  const signIn = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage();
    await page.goto((await control.createPageLink()).url);
    await page.waitForURL(`${baseUrl}/`);
    await page.goto(`${baseUrl}/page/messages`);
    return page;
  };
  /** The path of the newest message of a channel. */
  const newest = async (channel: string) => {
    const { data } = await control.messages({ channel, limit: 1 });
    return `/page/messages/${data[0]?._id}`;
  };
  return { ...server, ask, control, trigger, createWorkflow, signIn, newest };
}
