// Escape sequences in command lines, files and folder names have no effect on a terminal: in errors, listings, progress
// and completions.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  hostile,
  hostileWord,
  isHarmless,
  look,
  openWordProxy,
  shown,
} from '../support/hostile.ts';
import {
  configure,
  type Prepare,
  withProfile,
  withRun,
  writeJournal,
} from '../support/hostile-files.ts';
import { openNetworkRig } from '../support/network-rig.ts';

/** Runs a command line with hostile text, and with the harmless text that svc should show instead. */
async function runBoth(prepare: Prepare) {
  const looks = [];
  for (const text of [hostileWord, shown(hostileWord)]) {
    const rig = openNetworkRig();
    const seen = await look(rig, prepare(rig, text));
    looks.push({ ...seen, text: seen.text.replaceAll(rig.folder, '~') });
  }
  const [{ written = '', ...seen } = {}, { written: _plain, ...harmless } = {}] = looks;
  return { written, seen, harmless };
}

describe('a terminal', () => {
  it.each<[name: string, prepare: Prepare]>([
    ['an unknown command', (_rig, text) => [text]],
    ['an unknown subcommand', (_rig, text) => ['topics', text]],
    ['an unknown option', (_rig, text) => ['topics', 'list', `--${text}`]],
    ['an invalid choice', (_rig, text) => ['topics', 'list', '-o', text]],
    ['an invalid number', (_rig, text) => ['topics', 'list', '--limit', text]],
    ['an invalid address', (_rig, text) => ['topics', 'list', '--base-url', text]],
    ['an unknown profile', (_rig, text) => ['topics', 'list', '--profile', text]],
    ['an unknown help topic', (_rig, text) => ['help', text]],
    [
      'the name of a missing file',
      withProfile((text) => ['subscribers', 'bulk-import', text.split(' ').slice(0, 7).join(' ')]),
    ],
    ['the stored profiles', withProfile(() => ['profiles', 'list'])],
    ['the current profile', withProfile(() => ['profiles', 'show'])],
    ['the environment of a profile', withProfile(() => ['doctor', '--retries', '0'])],
    ['the manifests of runs', withRun(() => ['runs', 'list', '-o', 'wide'])],
    ['a complete manifest', withRun(() => ['runs', 'show', 'run-1'])],
  ])('shows %s as text', async (_name, prepare) => {
    const { written, seen, harmless } = await runBoth(prepare);
    expect(isHarmless(written), JSON.stringify(written)).toBe(true);
    expect(seen).toEqual(harmless);
    expect(seen).toMatchObject({ effects: [], styled: [], text: expect.stringContaining('begin') });
  });

  it('shows an id that it refuses as text', async () => {
    const rig = openNetworkRig();
    for (const argv of [
      ['runs', 'show', hostileWord],
      ['config', 'get', hostileWord],
    ]) {
      const { written, effects, styled, code } = await look(rig, argv);
      expect(isHarmless(written), JSON.stringify(written)).toBe(true);
      expect({ effects, styled, code }).toEqual({ effects: [], styled: [], code: 2 });
      expect(written).toContain('begin');
    }
  });
});

describe('an import', () => {
  it('shows the name and the rows of a hostile file as text', async () => {
    const rig = openNetworkRig();
    await openWordProxy(rig);
    const looks = [];
    for (const text of [hostileWord, shown(hostileWord)]) {
      const file = `${text.slice(0, 80)}.csv`;
      const cell = `"${text.replaceAll('"', '""')}"`;
      writeFileSync(
        path.join(rig.folder, file),
        `subscriberId,email,firstName\nu1,${cell},\nu3,a@example.com,${cell}\nu2,b@example.com,\n`,
      );
      looks.push(await look(rig, ['subscribers', 'bulk-import', file, '--debug=body']));
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
    const rig = openNetworkRig();
    const proxy = await openWordProxy(rig);
    proxy.override = undefined;
    proxy.text = hostile;
    await rig.svc(['topics', 'list']);
    writeJournal(rig, hostileWord.slice(0, 200), 'x');
    writeJournal(rig, 'run-1', 'x');
    const topics = await rig.svc(['__complete', '--', 'topics', 'get', '']);
    const runs = await rig.svc(['__complete', '--', 'runs', 'show', '']);
    configure(rig, hostileWord);
    const profiles = await rig.svc(['__complete', '--', '--profile', '']);
    expect(topics.stdout).toMatch(/^announcements\tbegin /m);
    expect(runs.stdout).toBe('run-1\t\n');
    expect(profiles.stdout).toBe('');
    for (const { stdout, code } of [topics, runs, profiles]) {
      expect(code).toBe(0);
      expect(isHarmless(stdout)).toBe(true);
    }
  });
});
