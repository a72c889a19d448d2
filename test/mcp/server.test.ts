// The server of `svc mcp` as its client sees it: its name, the progress of calls, and how it ends.
import { appendFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { BrokenPipeError } from '../../src/platform/host.ts';
import { openSandboxAssistant, profileOfRig, storeProfiles } from '../support/assistant.ts';
import { openRig, writeInput } from '../support/rig.ts';

it('says its name and version', async () => {
  const { client, end } = await openSandboxAssistant();
  expect(client.getServerVersion()).toEqual({ name: 'svc', version: '0.0.0-test' });
  const { stderr } = await end();
  expect(stderr).toBe('');
});

describe('the progress of a call', () => {
  const limited = { status: 429, headers: { 'retry-after': '1' } };
  const rows = (count: number, width = 30) =>
    Array.from({ length: count }, (_, n) => {
      const text = `{"subscriberId":"s${1_000 + n}"`;
      return `${text}${' '.repeat(width - text.length)}}\n`;
    }).join('');

  /** Calls a tool and returns the reports of its progress. */
  async function reportsOf(
    { client }: Awaited<ReturnType<typeof openSandboxAssistant>>,
    name: string,
    args: Record<string, unknown>,
  ) {
    const reports: Progress[] = [];
    const onprogress = (report: Progress) => void reports.push(report);
    await client.callTool({ name, arguments: args }, undefined, { onprogress });
    return reports.map(({ progress, total, message }) => ({ progress, total, message }));
  }

  it('has the rows of a run, and how many there are as far as it is known', async () => {
    const assistant = await openSandboxAssistant([], { hasTimers: true });
    const { rig, end } = assistant;
    const importing = (percent: number, done: string) =>
      expect.stringMatching(`^Importing in .*: ${percent}%  ${done} rows?  .*`);
    writeInput(rig, 'users.ndjson', rows(2_000));
    rig.answerWrites(limited, 'sandbox', 'sandbox', limited, { status: 401 });
    const args = { file: 'users.ndjson', concurrency: 1 };
    expect(await reportsOf(assistant, 'subscribers_bulk_import', args)).toEqual([
      { progress: 0, total: undefined, message: importing(0, '0') },
      { progress: 1_000, total: 2_000, message: importing(49, '1,000') },
    ]);
    // Those of the whole run.
    rig.answerWrites('sandbox', limited);
    expect(await reportsOf(assistant, 'runs_resume', { runId: 'last' })).toEqual([
      { progress: 1_500, total: 2_000, message: importing(74, '500') },
    ]);
    await end();
  });

  it('has as many rows as are done, if the file has become longer', async () => {
    const assistant = await openSandboxAssistant([], { hasTimers: true });
    const { rig, end } = assistant;
    const file = writeInput(rig, 'users.ndjson', rows(1_000, 200));
    let sent = 0;
    rig.answerBy(({ method }) => {
      if (method === 'GET') return undefined;
      sent += 1;
      if (sent === 1) appendFileSync(file, rows(1_000, 200));
      return sent === 4 ? limited : undefined;
    });
    const args = { file: 'users.ndjson', concurrency: 1 };
    expect(await reportsOf(assistant, 'subscribers_bulk_import', args)).toEqual([
      { progress: 1_500, total: 1_500, message: expect.anything() },
    ]);
    await end();
  });

  it('counts the reports of another command, and is not sent to a client that does not ask', async () => {
    const assistant = await openSandboxAssistant([], { hasTimers: true });
    const { rig, call, end } = assistant;
    const message = 'Reading: 0 items';
    // The first request asks for the time of the service.
    rig.pass(1);
    rig.answer(limited, limited);
    expect(await reportsOf(assistant, 'activity_stats', {})).toEqual([
      { progress: 1, total: undefined, message },
      { progress: 2, total: undefined, message },
    ]);
    rig.pass(1);
    rig.answer(limited);
    await call('activity_stats');
    const { stdout } = await end();
    expect(stdout.match(/notifications\/progress/g)).toHaveLength(2);
  });
});

const readable = () => new Readable({ read: () => undefined, autoDestroy: false });

describe('the server ends', () => {
  const initialize = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    },
  };

  it.each([
    ['when its input ends', (stdin: Readable) => void stdin.push(null)],
    ['when its input is closed', (stdin: Readable) => void stdin.destroy()],
  ])('%s', async (_name, act) => {
    const rig = await openRig({ bare: true });
    storeProfiles(rig, { dev: profileOfRig });
    const stdin = readable();
    const ended = rig.svc(['mcp'], { stdin, onStdout: () => act(stdin) });
    stdin.push(`${JSON.stringify(initialize)}\n`);
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('when its output is closed', async () => {
    const rig = await openRig({ bare: true });
    storeProfiles(rig, { dev: profileOfRig });
    const stdin = readable();
    const onStdout = () => {
      throw new BrokenPipeError();
    };
    const ended = rig.svc(['mcp'], { stdin, onStdout });
    stdin.push(`${JSON.stringify(initialize)}\n`);
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expect(stdin.destroyed).toBe(true);
  });

  it('with a signal, with the exit code of the signal', async () => {
    const rig = await openRig({ bare: true });
    storeProfiles(rig, { dev: profileOfRig });
    const shutdown = new AbortController();
    const options = { shutdownSignal: shutdown.signal, stdin: readable() };
    const ended = rig.svc(['mcp'], { ...options, onStdout: () => shutdown.abort('terminated') });
    options.stdin.push(`${JSON.stringify(initialize)}\n`);
    expect(await ended).toMatchObject({ code: 143, stderr: 'Error: The server was stopped.\n' });
  });
});

it('says on a terminal what it waits for', async () => {
  const { end } = await openSandboxAssistant([], { readKeys: async () => () => undefined });
  expect((await end()).stderr).toBe(
    'The server waits for messages of an assistant on standard input. Ctrl-C stops it.\n',
  );
});
