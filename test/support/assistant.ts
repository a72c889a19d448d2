// An assistant: the client of the MCP SDK, connected to `svc mcp` in the test process.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'vitest';
import { baseUrl, testKey } from './fixed.ts';
import { openRig, type Ran, type Rig, type RigOptions, type RunOptions } from './rig.ts';

/** The structured content of a result. */
export interface Data {
  items: Record<string, unknown>[];
  item: Record<string, unknown>;
  text: string;
  next: string[];
  truncated: boolean;
  warnings: string[];
  exitCode: number;
  error: { code: number; message: string; hint: string | null; next: string[] };
}

export interface Assistant {
  client: Client;
  /** The names of the tools that are listed. */
  names(): Promise<string[]>;
  call(name: string, args?: Record<string, unknown>): Promise<Data & { isError: boolean }>;
  /** Closes the connection and waits for the end of the server. */
  end(): Promise<Ran>;
}

export async function openAssistant(
  { svc }: Pick<Rig, 'svc'>,
  argv: readonly string[] = [],
  options: RunOptions = {},
): Promise<Assistant> {
  const stdin = new PassThrough();
  const transport: Transport = {
    start: async () => undefined,
    send: async (message) => void stdin.write(`${JSON.stringify(message)}\n`),
    close: async () => {
      stdin.end();
      transport.onclose?.();
    },
  };
  let pending = '';
  const onStdout = (text: string) => {
    const lines = (pending + text).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) transport.onmessage?.(JSON.parse(line));
  };
  const ended = svc(['mcp', ...argv], { ...options, stdin, onStdout });
  const client = new Client({ name: 'test', version: '1' });
  const connected = client.connect(transport);
  const refused = ended.then(({ stderr }) => Promise.reject(new Error(stderr)));
  await Promise.race([connected, refused]);
  refused.catch(() => undefined);
  return {
    client,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => {
      const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
      const [block] = result.content;
      if (block?.type !== 'text') throw new Error('no text');
      const data = JSON.parse(block.text);
      expect(result.structuredContent).toEqual(data);
      return { ...data, isError: result.isError === true };
    },
    end: async () => {
      await client.close();
      const ran = await ended;
      expect(ran.code).toBe(0);
      return ran;
    },
  };
}

/** A profile of the sandbox of the rig. */
export const profileOfRig = {
  baseUrl,
  key: testKey,
  keySource: 'file',
  environment: 'Development',
};

/** Connects an assistant to a server for the sandbox of a rig. */
export async function openSandboxAssistant(
  argv: readonly string[] = [],
  options: RunOptions = {},
  rigOptions: RigOptions = {},
) {
  const rig = await openRig({ ...rigOptions, bare: true });
  storeProfiles(rig, { sandbox: { ...profileOfRig, sandbox: true } });
  return { rig, ...(await openAssistant(rig, argv, options)) };
}

/** Writes the configuration of a rig. The first profile is the current one. */
export function storeProfiles({ folder }: Rig, profiles: Record<string, object>): void {
  mkdirSync(path.join(folder, 'config'), { recursive: true, mode: 0o700 });
  const [current] = Object.keys(profiles);
  const text = JSON.stringify({ current, profiles, settings: {} });
  writeFileSync(path.join(folder, 'config', 'config.json'), text, { mode: 0o600 });
}
