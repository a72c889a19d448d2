// Narrow and wide terminals, and text of many scripts on them: what stands where on a real screen.
import { describe, expect, it } from 'vitest';
import { type Home, openHome } from '../support/built.ts';
import { runParallel } from '../support/parallel.ts';
import { onScreen, type Screen } from '../support/screen.ts';
import { json, openService } from '../support/service.ts';
import { inTerminal } from '../support/terminal.ts';

/** Scripts on whose widths every terminal and every table of Unicode agree. */
const agreed = [
  'plain',
  '日本語のお知らせ',
  '한국어 알림',
  'ＦＵＬＬ　ＷＩＤＴＨ',
  'ﾊﾝｶｸ',
  'e\u0301a\u0308o\u0302 combining',
  'ประกาศที่นี่',
  'שָׁלוֹם',
  'Привет',
  '→ ± × €',
  '葛\u{e0100} selector',
];
/** Emoji: right on terminals that know them, which the screen's own tables do not. */
const emoji = ['😀🎉', '👨‍👩‍👧‍👦 family', '🇩🇪 flag', '👍🏽 skin', '❤️ heart', '1️⃣ key', '🏳️‍🌈'];
/** Characters that terminals disagree on: nothing but order is asked for. */
const disputed = [
  'नमस्ते',
  '\u3164filler',
  'soft\u00adhyphen',
  '🫠🪿',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'z\u0335\u0321a\u034flgo',
  'ᠠᠡ',
];

const idOf = (index: number) => index.toString(16).padStart(24, 'f');
const topic = (name: string, index: number) => ({
  _id: idOf(index),
  key: `topic-${index}`,
  name,
  createdAt: '2020-01-15T12:00:00.000Z',
  updatedAt: '2020-01-15T12:00:00.000Z',
});

async function openTopics(names: readonly string[]): Promise<{ home: Home }> {
  const home = openHome();
  const topics = names.map(topic);
  const { env } = await openService(({ target }, response) => {
    const [, key] = /^\/v2\/topics\/([^?]+)/.exec(target) ?? [];
    const found = topics.find((one) => one.key === key);
    if (found) return json(response, 200, found);
    if (key) return json(response, 400, { message: names.join(' ') });
    json(response, 200, { data: topics, next: null, previous: null, totalCount: topics.length });
  });
  Object.assign(home.env, env, { NO_COLOR: '1' });
  return { home };
}

/** What a line leaves on a screen of that width; 0 is a terminal that does not know its width. */
async function shown(home: Home, line: string, columns: number, modern = false) {
  const told = columns === 0 ? 'stty cols 0; ' : '';
  const { code, written } = await inTerminal(home, told + line, { columns: columns || 80 }).ended();
  return { code, written, screen: await onScreen(written, { columns: columns || 80, modern }) };
}

/** Where the columns of each line of a listing begin: key, name, and the two before the end. */
const columnsOf = (screen: Screen, names: readonly string[]) =>
  names.map((name, index) => [
    screen.columnOf(index + 1, `topic-${index}`),
    screen.columnOf(index + 1, name),
    screen.columnOf(index + 1, idOf(index)),
  ]);

describe('a listing', () => {
  it.each([
    ['of scripts that everybody agrees on', agreed, false],
    ['of emoji, where the terminal knows them', emoji, true],
  ])('%s has its columns below each other', async (_name, names, modern) => {
    const { home } = await openTopics(names);
    for (const columns of [100, 200]) {
      const { screen } = await shown(home, 'svc topics list', columns, modern);
      const heads = ['KEY', 'NAME', 'ID'].map((head) => screen.columnOf(0, head));
      expect(heads.every((at) => at >= 0)).toBe(true);
      expect(columnsOf(screen, names)).toEqual(names.map(() => heads));
    }
  });

  it.each([0, 40, 60, 80, 200])('is never wider than a terminal of %i columns', async (columns) => {
    const { home } = await openTopics(agreed.map((name) => name.repeat(9)));
    const { code, screen } = await shown(home, 'svc topics list', columns);
    expect(code).toBe(0);
    expect(screen.wrapped).not.toContain(true);
    expect(screen.lines).toHaveLength(agreed.length + 1);
  });

  it.each([5, 20])('becomes cards on %i columns, with every name whole', async (columns) => {
    const { home } = await openTopics([...agreed, ...disputed]);
    const { code, written } = await shown(home, 'svc topics list', columns);
    expect(code).toBe(0);
    for (const name of [...agreed, ...disputed]) expect(written).toMatch(`NAME     ${name}\r\n`);
  });
});

describe('whatever is shown', () => {
  const names = [...agreed, ...emoji, ...disputed];
  const lines = {
    'svc topics list': 0,
    'svc topics get topic-1': 0,
    'svc topics get topic-none': 6,
    'svc topics list --help': 0,
    'svc --help': 0,
    'svc help exit-codes': 0,
    'svc nope': 2,
  };
  it.each([0, 1, 20, 80, 200])(
    'on %i columns ends as it should and cuts no character in two',
    async (columns) => {
      const { home } = await openTopics(names.map((name) => name.repeat(9)));
      const seen = await runParallel(Object.keys(lines), async (line) => {
        const { code, written } = await shown(home, line, columns);
        return { line, code, written };
      });
      for (const { line, code, written } of seen) {
        expect({ line, code }).toEqual({ line, code: lines[line as keyof typeof lines] });
        expect(written).not.toMatch(/\ufffd|undefined|NaN|Unexpected/);
        expect(written.isWellFormed()).toBe(true);
      }
      const [listing] = seen;
      // What is left of a name before the dots is a beginning of it, up to the border of a character.
      const cuts = [...(listing?.written.matchAll(/^topic-(\d+) +(\S.*?)…/gm) ?? [])];
      expect(cuts.length > 0).toBe(columns === 0 || columns >= 80);
      for (const cut of cuts) {
        const whole = names[Number(cut[1])]?.repeat(9) ?? '';
        const borders = [...new Intl.Segmenter().segment(whole)].map(({ index }) => index);
        expect(whole.startsWith(cut[2] ?? '-')).toBe(true);
        expect(borders).toContain(cut[2]?.length);
      }
    },
  );
});
