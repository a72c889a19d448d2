// Text that would act on a terminal, and a proxy that puts a text wherever the service has words of its own.

import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import type { Home } from './built.ts';
import { onScreen } from './screen.ts';
import { json, openService, type Seen } from './service.ts';
import { onTerminal } from './terminal.ts';

/** Every kind of deed, with harmless words between them and marks that formats have to quote. */
export const hostile = [
  'begin',
  '\x1b]0;owned\x07',
  '\x1b]2;owned\x1b\\',
  '\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\',
  '\x1b]52;c;b3duZWQ=\x07',
  '\x1b[31;7mred\x1b[2J\x1b[H\x1b[1A\x1b[2K\x1b[999C\x1b[?25l\x1b[6n\x1bc',
  '\u009b2J\u009d0;owned\u009c\u0090q\u0085\u0084\u008d',
  'a\rb\bc\x7f\x07\x0b\x0c\x0e',
  'left\u202eright\u2066\u2069\u200f\u061cend',
  'zero\u200bwidth\ufeff',
  'two\nlines\tand, "quotes"',
].join(' ');

/** The same without what no argument or file name can have. */
export const hostileWord = hostile.replace(/[/\0]/g, '');

const acting = /[\0-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Whether nothing in a text acts, but the line feeds and tabs that a layout is made of. */
export const isHarmless = (written: string) =>
  !/[^\n\t]/.test((written.replaceAll('\r\n', '\n').match(acting) ?? []).join(''));

const code = (found: string, width: number) =>
  found.charCodeAt(0).toString(16).padStart(width, '0');
const named: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** How a line shows a text: written down here once more, apart from the program. */
export const shown = (text: string): string =>
  text.replace(
    acting,
    (one) => named[one] ?? (one < '\u0100' ? `\\x${code(one, 2)}` : `\\u${code(one, 4)}`),
  );

/** Members that hold words. */
const wordy = new Set(
  'name identifier title subject body content description detail message label errorText firstName lastName'.split(
    ' ',
  ),
);

/** Puts the text in the place of each word, at any depth. */
function worded(value: unknown, text: string): unknown {
  if (Array.isArray(value)) return value.map((one) => worded(one, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'string' && wordy.has(name) ? text : worded(member, text),
    ]),
  );
}

export interface WordProxy {
  /** What stands in every answer from now on. */
  text: string;
  /** Answers this instead of asking the sandbox. */
  instead?: ((seen: Seen, response: ServerResponse, text: string) => void) | undefined;
}

/** A sandbox behind a proxy that speaks with the words of a test; the profile of the home leads to it. */
export async function openWordProxy(home: Home): Promise<WordProxy> {
  const { baseUrl } = await home.sandbox();
  const proxy: WordProxy = { text: 'word' };
  const service = await openService(async (seen, response) => {
    if (proxy.instead) return proxy.instead(seen, response, proxy.text);
    const { 'content-type': type = '', authorization = '' } = seen.headers;
    const answer = await fetch(`${baseUrl}${seen.target}`, {
      method: seen.method,
      headers: { authorization, 'content-type': type },
      ...(seen.body === '' ? {} : { body: seen.body }),
    });
    const body = await answer.text();
    json(response, answer.status, body === '' ? '' : worded(JSON.parse(body), proxy.text));
  });
  const file = path.join(home.folder, '.config', 'svc', 'config.json');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(baseUrl, service.baseUrl));
  return proxy;
}

const columns = 120;

/** Starts a command line on a terminal. */
export const startOn = (home: Home, argv: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  onTerminal(process.execPath, [String(home.env.SVC), ...argv], {
    env: { ...home.env, NO_COLOR: '1', ...env },
    cwd: home.folder,
    columns,
  });

/** What differs from run to run. */
const settled = (text: string) =>
  text
    .replace(/[0-9a-f]{24}/g, 'id')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'uuid')
    .replace(/\b\d{8}-\d{6}-[0-9a-f]{6}\b/g, 'run')
    .replace(/txn_\w+/g, 'txn')
    .replace(/\d+ ms|\d+(\.\d+)? s\b|[\d,]+\/s|\d+s ago|\bnow\b/g, 'time')
    .replace(/\{"name":".*?(…|"\}+)/g, 'data')
    .replace(/ +/g, ' ');

/** Runs a command line on a terminal; what was written, and what the screen made of it. */
export async function look(home: Home, argv: readonly string[]) {
  const { code, written } = await startOn(home, argv).ended();
  return { code, written, ...(await lookAt(written)) };
}

/** The screen as a whole, lines that wrap as one. */
async function lookAt(written: string) {
  const { lines, wrapped, cursor, deeds, styled } = await onScreen(written, { columns, rows: 40 });
  const text = lines.map((line, at) => `${wrapped[at] || at === 0 ? '' : '\n'}${line}`).join('');
  return { text: settled(text), column: cursor.x, deeds, styled };
}
