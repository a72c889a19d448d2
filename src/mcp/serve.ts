// The server of `svc mcp`: speaks the Model Context Protocol on standard input and output. The only user of its SDK.
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type ServerNotification,
} from '@modelcontextprotocol/sdk/types.js';
import type { Context } from '../app/context.ts';
import type { Program } from '../cli/command.ts';
import { safeJson } from '../output/safe-text.ts';
import { instructions, isOffered, openAccess } from './access.ts';
import { toolCaller } from './call-tool.ts';
import type { RootFolder } from './start-server.ts';
import { describeTool, type Tool } from './tools.ts';

export interface ServerOptions {
  tools: readonly Tool[];
  /** Whether a server that only reads lists all of them. */
  listsRare: boolean;
  allowWrites: boolean;
  root: RootFolder;
}

/** Serves until the client closes standard input, or a signal. Calls that are running then end as after Ctrl-C. */
export async function serve(
  context: Context,
  { runLine }: Program,
  { tools, listsRare, allowWrites, root }: ServerOptions,
): Promise<void> {
  const { host } = context;
  const access = await openAccess(context, allowWrites);
  const server = new Server(
    { name: 'svc', version: host.version },
    { capabilities: { tools: {} }, instructions: instructions(context, access(), root.folder) },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => {
    const now = access();
    const offered = tools.filter(
      (tool) => isOffered(tool, now) && (listsRare || !now.refusal || !tool.isRare),
    );
    return { tools: offered.map((tool) => describeTool(tool, now.environment)) };
  });
  const callTool = toolCaller({ context, runLine, tools, root, access });
  const running = new Set<Promise<unknown>>();
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params }, { signal, sendNotification }) => {
      const token = params._meta?.progressToken;
      let notices = 0;
      const call = callTool({
        name: params.name,
        args: params.arguments ?? {},
        signal,
        progress: ({ rows, total, text }) => {
          if (token === undefined) return;
          notices += 1;
          const params = { progressToken: token, progress: rows ?? notices, total, message: text };
          const notification: ServerNotification = { method: 'notifications/progress', params };
          void sendNotification(notification).catch(() => undefined);
        },
      });
      running.add(call);
      return call.finally(() => running.delete(call));
    },
  );
  const { stdin, stdout, shutdownSignal } = host;
  const closed = Promise.race([
    once(stdin, 'end'),
    once(stdin, 'close'),
    once(shutdownSignal, 'abort'),
  ]).catch(() => undefined);
  const output = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) =>
      void stdout.write(safeJson(text)).then(() => done(), done),
  });
  // A client that has gone ends the server.
  output.on('error', () => stdin.destroy());
  await server.connect(new StdioServerTransport(stdin, output));
  await closed;
  await server.close();
  await Promise.allSettled(running);
}
