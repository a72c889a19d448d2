// Escape sequences in command lines, files and folder names have no effect on a terminal: in errors, listings, prompts,
// progress and completions.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Home, openHome } from '../support/built.ts';
import {
  hostile,
  hostileWord,
  isHarmless,
  look,
  openWordProxy,
  shown,
  startOn,
} from '../support/hostile.ts';
import { onScreen } from '../support/screen.ts';
import { json } from '../support/service.ts';

type Prepare = (home: Home, text: string) => readonly string[];

const configure = ({ folder }: Home, profile: string) => {
  mkdirSync(path.join(folder, '.config', 'svc'), { recursive: true });
  writeFileSync(
    path.join(folder, '.config', 'svc', 'config.json'),
    JSON.stringify({
      current: profile,
      profiles: { [profile]: { baseUrl: 'http://127.0.0.1:9', environment: profile, key: 'k' } },
    }),
  );
};

/** Writes the journal of a run whose manifest contains the text. */
const writeJournal = ({ folder }: Home, runId: string, text: string) => {
  const run = path.join(folder, '.local', 'state', 'svc', 'runs', runId);
  mkdirSync(run, { recursive: true });
  writeFileSync(
    path.join(run, 'manifest.json'),
    JSON.stringify({
      format: 1,
      runId,
      command: text,
      args: { file: text },
      options: { note: text },
      profile: text,
      service: text,
      file: { path: text, size: 1, mtimeMs: 1, digest: text },
      rejects: text,
      startedAt: '2026-01-15T12:00:00.000Z',
      version: text,
    }),
  );
};

const withProfile =
  (line: (text: string) => readonly string[]): Prepare =>
  (home, text) => {
    configure(home, text);
    return line(text);
  };
const withRun =
  (line: () => readonly string[]): Prepare =>
  (home, text) => {
    writeJournal(home, 'run-1', text);
    return line();
  };

/** Runs a command line with hostile text, and with the harmless text that svc should show instead. */
async function runBoth(prepare: Prepare) {
  const looks = [];
  for (const text of [hostileWord, shown(hostileWord)]) {
    const home = openHome();
    const seen = await look(home, prepare(home, text));
    looks.push({ ...seen, text: seen.text.replaceAll(home.folder, '~') });
  }
  const [{ written = '', ...seen } = {}, { written: _plain, ...harmless } = {}] = looks;
  return { written, seen, harmless };
}

describe('a terminal', () => {
  it.each<[name: string, prepare: Prepare]>([
    ['an unknown command', (_home, text) => [text]],
    ['an unknown subcommand', (_home, text) => ['topics', text]],
    ['an unknown option', (_home, text) => ['topics', 'list', `--${text}`]],
    ['an invalid choice', (_home, text) => ['topics', 'list', '-o', text]],
    ['an invalid number', (_home, text) => ['topics', 'list', '--limit', text]],
    ['an invalid address', (_home, text) => ['topics', 'list', '--base-url', text]],
    ['an unknown profile', (_home, text) => ['topics', 'list', '--profile', text]],
    ['an unknown setting', (_home, text) => ['config', 'get', text]],
    ['an unknown help topic', (_home, text) => ['help', text]],
    ['an unknown run', (_home, text) => ['runs', 'show', text]],
    [
      'the name of a missing file',
      withProfile((text) => ['subscribers', 'bulk-import', text.split(' ').slice(0, 7).join(' ')]),
    ],
    ['the stored profiles', withProfile(() => ['profiles', 'list'])],
    ['the current profile', withProfile(() => ['profiles', 'show'])],
    ['the environment of a profile', withProfile(() => ['doctor', '--retries', '0'])],
    ['the manifests of runs', withRun(() => ['runs', 'list'])],
    ['a complete manifest', withRun(() => ['runs', 'show', 'run-1'])],
  ])('shows %s as text', async (_name, prepare) => {
    const { written, seen, harmless } = await runBoth(prepare);
    expect(isHarmless(written), JSON.stringify(written)).toBe(true);
    expect(seen).toEqual(harmless);
    expect(seen).toMatchObject({
      effects: [],
      styled: [],
      text: expect.stringContaining('begin'),
    });
  });
});

describe('a prompt', () => {
  it.each<[name: string, prepare: Prepare, until: string]>([
    ['about a profile', withProfile((text) => ['profiles', 'delete', text]), '(y/N)'],
    ['about a run', withRun(() => ['runs', 'delete', 'run-1']), '(y/N)'],
    ['about transactions', withProfile((text) => ['events', 'cancel', text]), '(y/N)'],
    ['to select a profile', withProfile(() => ['profiles', 'use']), '❯'],
  ])('%s shows names as text', async (_name, prepare, until) => {
    const screens = [];
    for (const text of [hostileWord, shown(hostileWord)]) {
      const home = openHome();
      const terminal = startOn(home, prepare(home, text));
      await terminal.shows(until);
      terminal.types('\x03');
      const { code, written } = await terminal.ended();
      expect(code).toBe(130);
      screens.push(
        await onScreen(written.replaceAll(home.folder, '~'), { columns: 120, rows: 40 }),
      );
    }
    const [seen, harmless] = screens;
    expect(seen?.lines.join('')).toContain('begin');
    expect(JSON.stringify(seen)).toBe(JSON.stringify(harmless));
    expect(seen?.effects).toEqual([]);
  });

  it('to select a topic shows the names and the selected name as text', async () => {
    const home = openHome();
    const proxy = await openWordProxy(home);
    const screens = [];
    for (const text of [hostile, shown(hostile)]) {
      proxy.text = text;
      const terminal = startOn(home, ['topics', 'get']);
      await terminal.shows('❯ ');
      terminal.types('\r');
      const { code, written } = await terminal.ended();
      expect(code).toBe(0);
      screens.push(await onScreen(written, { columns: 120, rows: 60 }));
    }
    const [seen, harmless] = screens;
    expect(seen?.lines.join('')).toContain('✔ Topic: announcements  begin');
    expect(JSON.stringify(seen)).toBe(JSON.stringify(harmless));
    expect(seen?.effects).toEqual([]);
  });
});

describe('a prompt to select a topic', () => {
  it('shows the reason of a failed search as text', async () => {
    const home = openHome();
    const proxy = await openWordProxy(home);
    const terminal = startOn(home, ['topics', 'get']);
    await terminal.shows('❯ ');
    proxy.override = (_seen, response) => json(response, 400, { message: hostile });
    terminal.types('x');
    await terminal.shows('> begin');
    terminal.types('\x03');
    const { written } = await terminal.ended();
    const { effects } = await onScreen(written, { columns: 120, rows: 40 });
    expect(effects).toEqual([]);
    expect(written.replaceAll('\r\n', '')).toContain(shown(hostile));
  });
});

describe('an import', () => {
  it('shows the name and the rows of a hostile file as text', async () => {
    const home = openHome();
    await openWordProxy(home);
    const looks = [];
    for (const text of [hostileWord, shown(hostileWord)]) {
      const file = `${text.slice(0, 80)}.csv`;
      const cell = `"${text.replaceAll('"', '""')}"`;
      writeFileSync(
        path.join(home.folder, file),
        `subscriberId,email\nu1,${cell}\n${cell},a@example.com\nu2,b@example.com\n`,
      );
      looks.push(await look(home, ['subscribers', 'bulk-import', file, '--debug=body']));
    }
    const [{ written = '', effects, styled, code } = {}, harmless] = looks;
    // The progress bar clears its line; there must be no other escape sequence.
    expect(isHarmless(written.replaceAll('\r\x1b[K', ''))).toBe(true);
    expect({ effects, styled, code }).toEqual({ effects: [], styled: [], code: harmless?.code });
    expect(written).toContain('begin');
  });
});

describe('completion', () => {
  it('offers no value with control characters, from any source', async () => {
    const home = openHome();
    const proxy = await openWordProxy(home);
    proxy.override = undefined;
    proxy.text = hostile;
    await home.svc(['topics', 'list']);
    writeJournal(home, hostileWord.slice(0, 200), 'x');
    writeJournal(home, 'run-1', 'x');
    const topics = await home.svc(['__complete', 'topics']);
    const runs = await home.svc(['__complete', 'runs']);
    configure(home, hostileWord);
    const profiles = await home.svc(['__complete', 'profiles']);
    expect(topics.stdout).toMatch(/^announcements\tbegin /m);
    expect(runs.stdout).toBe('run-1\t\n');
    expect(profiles.stdout).toBe('');
    for (const { stdout, code } of [topics, runs, profiles]) {
      expect(code).toBe(0);
      expect(isHarmless(stdout)).toBe(true);
    }
  });
});
