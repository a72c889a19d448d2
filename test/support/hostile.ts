// Text with terminal control sequences, and a proxy that puts a text into all text fields of responses.
import type { ServerResponse } from 'node:http';
import type { Home } from './built.ts';
import type { NetworkRig } from './network-rig.ts';
import { onScreen } from './screen.ts';
import { saveSandboxProfile, startSandbox } from './served-sandbox.ts';
import { json, openService, type Seen } from './service.ts';
import { onTerminal } from './terminal.ts';

/** All kinds of control sequences, with plain text between them and characters that formats must quote. */
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

/** The same, without characters that arguments and file names cannot contain. */
export const hostileWord = hostile.replace(/[/\0]/g, '');

const controlCharacters =
  /[\0-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Whether a text has no control characters except line feeds and tabs. */
export const isHarmless = (written: string) =>
  !/[^\n\t]/.test((written.replaceAll('\r\n', '\n').match(controlCharacters) ?? []).join(''));

const code = (character: string, width: number) =>
  character.charCodeAt(0).toString(16).padStart(width, '0');
const named: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text as svc prints it on one line. Implemented independently of the program. */
export const shown = (text: string): string =>
  text.replace(
    controlCharacters,
    (character) =>
      named[character] ??
      (character < '\u0100' ? `\\x${code(character, 2)}` : `\\u${code(character, 4)}`),
  );

/** Names of text fields. */
const textFields = new Set(
  'name identifier title subject body content description detail message label errorText firstName lastName'.split(
    ' ',
  ),
);

/** Replaces the value of each text field, at any depth. */
function withText(value: unknown, text: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withText(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'string' && textFields.has(name) ? text : withText(member, text),
    ]),
  );
}

export interface WordProxy {
  /** The text in all later responses. */
  text: string;
  /** Responds instead of the sandbox. */
  override?: ((seen: Seen, response: ServerResponse, text: string) => void) | undefined;
}

/** Opens a sandbox behind a proxy that sets all text fields. The profile `sandbox` in the home folder uses the proxy. */
export async function openWordProxy(home: { folder: string }): Promise<WordProxy> {
  const baseUrl = await startSandbox();
  const proxy: WordProxy = { text: 'word' };
  const service = await openService(async (seen, response) => {
    if (proxy.override) return proxy.override(seen, response, proxy.text);
    const { 'content-type': type = '', authorization = '' } = seen.headers;
    const upstream = await fetch(`${baseUrl}${seen.target}`, {
      method: seen.method,
      headers: { authorization, 'content-type': type },
      ...(seen.body === '' ? {} : { body: seen.body }),
    });
    const body = await upstream.text();
    json(response, upstream.status, body === '' ? '' : withText(JSON.parse(body), proxy.text));
  });
  saveSandboxProfile(home, service.baseUrl);
  return proxy;
}

const columns = 120;

/** Starts the built program on a terminal. */
export const startOn = (home: Home, argv: readonly string[]) =>
  onTerminal(process.execPath, [String(home.env.SVC), ...argv], {
    env: { ...home.env, NO_COLOR: '1' },
    cwd: home.folder,
    columns,
  });

/** Replaces everything that differs between runs. */
const normalized = (text: string) =>
  text
    .replace(/[0-9a-f]{24}/g, 'id')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'uuid')
    .replace(/\b\d{8}-\d{6}-[0-9a-f]{6}\b/g, 'run')
    .replace(/txn_\w+/g, 'txn')
    .replace(/\d+ ms|\d+(\.\d+)? s\b|[\d,]+\/s|\d+s ago|\bnow\b/g, 'time')
    .replace(/\{"name":".*?(…|"\}+)/g, 'data')
    .replace(/ +/g, ' ');

/** Runs a command on a terminal; returns its output and the screen. */
export async function look(rig: NetworkRig, argv: readonly string[]) {
  const { code, written } = await rig.onTerminal(argv, { columns, env: { NO_COLOR: '1' } });
  return { code, written, ...(await lookAt(written)) };
}

/** Returns the text of the screen, with wrapped lines joined. */
async function lookAt(written: string) {
  const { lines, wrapped, cursor, effects, styled } = await onScreen(written, {
    columns,
    rows: 40,
  });
  const text = lines.map((line, at) => `${wrapped[at] || at === 0 ? '' : '\n'}${line}`).join('');
  return { text: normalized(text), column: cursor.x, effects, styled };
}
