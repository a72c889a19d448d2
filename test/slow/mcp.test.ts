// `svc mcp` as an assistant starts it: the built program, with the client of the MCP SDK over its standard streams.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import { expect, it, vi } from 'vitest';
import { type Home, openHome } from '../support/built.ts';

const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => `{"subscriberId":"s${n}"}`).join('\n');

async function openClient({ env, folder }: Home) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [String(env.SVC), 'mcp', '-p', 'sandbox'],
    env: env as Record<string, string>,
    cwd: folder,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (text) => {
    stderr += text;
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const call = async (name: string, args: object = {}) => {
    const result = await client.callTool({ name, arguments: { ...args } });
    return (result as CallToolResult).structuredContent as {
      item: Record<string, unknown>;
      items: Record<string, unknown>[];
    };
  };
  return { client, call, stderr: () => stderr };
}

it('serves a client, reports the progress of a run, stops a cancelled one, and ends with the connection', async () => {
  const home = openHome();
  await home.sandbox();
  writeFileSync(path.join(home.folder, 'users.ndjson'), rows(2_000));
  const { client, call, stderr } = await openClient(home);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('events_trigger');
  expect((await call('topics_list')).items).toHaveLength(3);

  const importing = {
    name: 'subscribers_bulk_import',
    arguments: { file: 'users.ndjson', rate: 1_000 },
  };
  const reports: Progress[] = [];
  const onprogress = (report: Progress) => void reports.push(report);
  const imported = await client.callTool(importing, undefined, { onprogress });
  expect(imported.structuredContent).toMatchObject({ item: { rows: 2_000, created: 2_000 } });
  expect(reports.length).toBeGreaterThan(0);
  const done = reports.map(({ progress }) => progress);
  expect(done).toEqual([...done].sort((a, b) => a - b));
  expect(reports.at(-1)?.message).toMatch(/^Importing .*: .*rows/);

  const cancel = new AbortController();
  const cancelled = client.callTool(importing, undefined, {
    signal: cancel.signal,
    onprogress: () => cancel.abort('enough'),
  });
  await expect(cancelled).rejects.toThrow('enough');
  const state = async () => (await call('runs_show', { runId: 'last' })).item.state;
  await vi.waitFor(async () => expect(await state()).toBe('stopped'), 20_000);
  const resumed = await call('runs_resume', { runId: 'last' });
  expect(resumed.item).toMatchObject({ resumed: true, rows: 2_000 });

  await client.close();
  expect(stderr()).toBe('');
});

it('exits with 0 when its input ends, and with 143 after SIGTERM: the runs of its calls can be resumed', async () => {
  const home = openHome();
  await home.sandbox();
  expect(await home.svc(['mcp', '-p', 'sandbox'], { stdin: '' })).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  writeFileSync(path.join(home.folder, 'users.ndjson'), rows(20_000));
  const {
    process: server,
    ended,
    says,
  } = home.start(['mcp', '-p', 'sandbox'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const send = (message: object) =>
    server.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  send({ id: 1, method: 'initialize', params });
  await says('"serverInfo"');
  const call = {
    name: 'subscribers_bulk_import',
    arguments: { file: 'users.ndjson', rate: 1_000 },
    _meta: { progressToken: 1 },
  };
  send({ id: 2, method: 'tools/call', params: call });
  await says('notifications/progress');
  server.kill('SIGTERM');
  const { code, stdout } = await ended;
  expect(code).toBe(143);
  for (const line of stdout.trim().split('\n')) expect(JSON.parse(line).jsonrpc).toBe('2.0');
  const { stdout: run } = await home.svc(['runs', 'show', 'last', '--json']);
  expect(JSON.parse(run)).toMatchObject({ state: 'stopped' });
});
