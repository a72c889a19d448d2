// Checks the options of `svc mcp` and starts the server.

import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../app/context.ts';
import type { Program } from '../cli/command.ts';
import { cacheFolder, configFolder, stateFolder } from '../config/folders.ts';
import { SvcError, systemCode, usageError } from '../core/errors.ts';
import { isInside } from '../core/paths.ts';
import { closestMatches } from '../core/suggestions.ts';
import type { SignalReason } from '../platform/host.ts';
import { loadTools, type Tool } from './tools.ts';

export interface StartOptions {
  allowWrites: boolean;
  /** Groups and tools, or `all`. */
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
    listsRare: only !== undefined,
    allowWrites,
    root: openRootFolder(folder, [configFolder(host), stateFolder(host), cacheFolder(host)]),
  });
  if (host.shutdownSignal.aborted)
    throw new SvcError(host.shutdownSignal.reason as SignalReason, 'The server was stopped.');
}

/** `topics` is all tools whose names begin with `topics_`. */
function chosenTools(tools: readonly Tool[], only: readonly string[] | undefined): readonly Tool[] {
  if (!only || only.includes('all')) return tools;
  const isNamed = ({ name }: Tool, word: string) => name === word || name.startsWith(`${word}_`);
  const words = only.map((word) => word.replaceAll(/[\s-]/g, '_'));
  const unknown = words.find((word) => !tools.some((tool) => isNamed(tool, word)));
  if (unknown !== undefined) {
    const toolNames = [...new Set(tools.flatMap(({ name, path }) => [path[0] ?? name, name]))];
    const [close] = closestMatches(unknown, toolNames);
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

// Files that tools may use: those in the folder of the server. Links are resolved before the check, also the links in
// a folder that is given, and the command gets the resolved path.

/** More entries than a folder of workflow files has. */
const maxEntries = 20_000;

export interface RootFolder {
  /** The folder, without links. */
  folder: string;
  /** The resolved path of a file. Throws a usage error if it is outside of the folder. `name` is for errors. */
  resolve(requested: string, name: string): string;
}

/** `closed` are the folders of svc, which contain keys and recorded commands. They are never available. */
export function openRootFolder(folder: string, closed: readonly string[]): RootFolder {
  const root = realpathSync(folder);
  const closedFolders = closed.map(realPath);
  const isAvailable = (file: string) =>
    isInside(root, file) && !closedFolders.some((closedFolder) => isInside(closedFolder, file));
  const resolve = (requested: string, name: string) => {
    const file = realPath(path.resolve(root, requested));
    if (!isAvailable(file)) throw outsideError(requested, name, root);
    const outside = linksBelow(file).find((link) => !isAvailable(realPath(link)));
    if (outside !== undefined) throw outsideError(outside, name, root);
    return file;
  };
  return {
    folder: root,
    resolve(requested, name) {
      if (requested === '-' || requested === '')
        throw usageError(`${name} must be a file or folder.`);
      try {
        return resolve(requested, name);
      } catch (error) {
        const code = systemCode(error);
        if (code === undefined) throw error;
        throw usageError(`${name} cannot be checked: ${code}.`);
      }
    },
  };
}

const outsideError = (file: string, name: string, root: string) =>
  usageError(`${name}: ${file} is not available to this server.`, {
    hint: `Files must be in ${root}. A person can start svc mcp with another --root.`,
  });

/** Without links. The last parts of the path need not exist; a link to a missing file counts as its target. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  if (isLink(file)) throw usageError(`${file} is a link to a file that does not exist.`);
  const parent = path.dirname(file);
  return parent === file ? file : path.join(realPath(parent), path.basename(file));
}

const isLink = (file: string) =>
  lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** The links in a folder and its subfolders. Links to folders inside are not followed: their content is inside, too. */
function linksBelow(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const links: string[] = [];
  const open = [folder];
  let entries = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      const file = path.join(next, entry.name);
      entries += 1;
      if (entries > maxEntries)
        throw usageError(`${folder} has more than ${maxEntries} files, too many to check.`);
      if (entry.isSymbolicLink()) links.push(file);
      else if (entry.isDirectory()) open.push(file);
    }
  }
  return links;
}
