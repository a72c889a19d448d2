// Checks the options of `svc mcp` and starts the server.
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../app/context.ts';
import type { Program } from '../cli/command.ts';
import { cacheFolder, configFolder, stateFolder } from '../config/folders.ts';
import { SvcError, usageError } from '../core/errors.ts';
import { closestMatches } from '../core/suggestions.ts';
import type { SignalReason } from '../platform/host.ts';
import { openRootFolder } from './root-folder.ts';
import { loadTools, type Tool } from './tools.ts';

export interface StartOptions {
  allowWrites: boolean;
  /** Groups and tools; all if absent. */
  only: readonly string[] | undefined;
  root: string;
}

export async function startServer(
  context: Context,
  program: Program,
  { allowWrites, only, root }: StartOptions,
): Promise<void> {
  const { globals, host, note } = context;
  if (globals.apiKeyFile === '-')
    throw usageError('--api-key-file - cannot be used here: standard input is for the client.');
  const folder = path.resolve(host.cwd, root);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw usageError(`--root: folder ${root} does not exist.`);
  const tools = chosenTools(await loadTools(program.tree), only);
  if (host.stdinIsTty)
    note('The server waits for messages of an assistant on standard input. Ctrl-C stops it.');
  const { serve } = await import('./serve.ts');
  await serve(context, program, {
    tools,
    allowWrites,
    root: openRootFolder(folder, [configFolder(host), stateFolder(host), cacheFolder(host)]),
  });
  if (host.shutdownSignal.aborted)
    throw new SvcError(host.shutdownSignal.reason as SignalReason, 'The server was stopped.');
}

/** `topics` is all tools whose names begin with `topics_`. */
function chosenTools(tools: readonly Tool[], only: readonly string[] | undefined): readonly Tool[] {
  if (!only) return tools;
  const isNamed = ({ name }: Tool, word: string) => name === word || name.startsWith(`${word}_`);
  const words = only.map((word) => word.trim().replaceAll(/[\s-]/g, '_'));
  const unknown = words.find((word) => !tools.some((tool) => isNamed(tool, word)));
  if (unknown !== undefined) {
    const known = [...new Set(tools.flatMap(({ name, path }) => [path[0] ?? name, name]))];
    const [close] = closestMatches(unknown, known);
    throw usageError(`--tools: unknown tool or group \`${unknown}\`.`, {
      hint:
        close === undefined
          ? 'A group is the first word of its commands, such as topics; a tool is a whole command, such as topics_list.'
          : `Did you mean ${close}?`,
      next: ['svc commands'],
    });
  }
  return tools.filter((tool) => words.some((word) => isNamed(tool, word)));
}
