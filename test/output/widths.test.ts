// The layout of output on narrow and wide terminals, with text in many scripts, on an emulated screen.
// test/e2e/widths.test.ts reads the width from a real terminal.
import { describe, expect, it } from 'vitest';
import { type NetworkRig, openNetworkRig } from '../support/network-rig.ts';
import { onScreen, type Screen } from '../support/screen.ts';
import { json, openService } from '../support/service.ts';

/** Text that has the same width on all terminals. */
const unambiguous = [
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
/** Emoji. They need a terminal that supports them; the emulated screen does so only with `modern`. */
const emoji = ['😀🎉', '👨‍👩‍👧‍👦 family', '🇩🇪 flag', '👍🏽 skin', '❤️ heart', '1️⃣ key', '🏳️‍🌈'];
/** Text whose width differs between terminals. The tests check only the order of the columns. */
const ambiguous = [
  'नमस्ते',
  '\u3164filler',
  'soft\u00adhyphen',
  '🫠🪿',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'z\u0335\u0321a\u034flgo',
  'ᠠᠡ',
];

const hexId = (index: number) => index.toString(16).padStart(24, 'f');
const topic = (name: string, index: number) => ({
  _id: hexId(index),
  key: `topic-${index}`,
  name,
  createdAt: '2020-01-15T12:00:00.000Z',
  updatedAt: '2020-01-15T12:00:00.000Z',
});

async function openTopics(names: readonly string[]): Promise<NetworkRig> {
  const rig = openNetworkRig();
  const topics = names.map(topic);
  const { env } = await openService(({ target }, response) => {
    const [, key] = /^\/v2\/topics\/([^?]+)/.exec(target) ?? [];
    const named = topics.find((topic) => topic.key === key);
    if (named) return json(response, 200, named);
    if (key) return json(response, 400, { message: names.join(' ') });
    json(response, 200, { data: topics, next: null, previous: null, totalCount: topics.length });
  });
  Object.assign(rig.env, env, { NO_COLOR: '1' });
  return rig;
}

/** Runs a line on a terminal of this width and returns the screen. */
async function runOnScreen(rig: NetworkRig, line: string, columns: number, modern = false) {
  const { code, written } = await rig.onTerminal(line.split(' ').slice(1), { columns });
  return { code, written, screen: await onScreen(written, { columns, modern }) };
}

/** Returns where the key, name and id columns of each line of a listing begin. */
const findColumns = (screen: Screen, names: readonly string[]) =>
  names.map((name, index) => [
    screen.columnOf(index + 1, `topic-${index}`),
    screen.columnOf(index + 1, name),
    screen.columnOf(index + 1, hexId(index)),
  ]);

describe('a listing', () => {
  it.each([
    ['of unambiguous scripts', unambiguous, false],
    ['of emoji, on a terminal that supports them', emoji, true],
  ])('%s has aligned columns', async (_name, names, modern) => {
    const rig = await openTopics(names);
    for (const columns of [100, 200]) {
      const { screen } = await runOnScreen(rig, 'svc topics list', columns, modern);
      const heads = ['KEY', 'NAME', 'ID'].map((head) => screen.columnOf(0, head));
      expect(heads.every((at) => at >= 0)).toBe(true);
      expect(findColumns(screen, names)).toEqual(names.map(() => heads));
    }
  });

  it.each([40, 60, 80, 200])('is never wider than a terminal of %i columns', async (columns) => {
    const rig = await openTopics(unambiguous.map((name) => name.repeat(9)));
    const { code, screen } = await runOnScreen(rig, 'svc topics list', columns);
    expect(code).toBe(0);
    expect(screen.wrapped).not.toContain(true);
    expect(screen.lines).toHaveLength(unambiguous.length + 1);
  });

  it.each([5, 20])('is printed as cards on %i columns, with untruncated names', async (columns) => {
    const rig = await openTopics([...unambiguous, ...ambiguous]);
    const { code, written } = await runOnScreen(rig, 'svc topics list', columns);
    expect(code).toBe(0);
    for (const name of [...unambiguous, ...ambiguous])
      expect(written).toMatch(`NAME     ${name}\r\n`);
  });
});

describe('all output', () => {
  const names = [...unambiguous, ...emoji, ...ambiguous];
  const lines = {
    'svc topics list': 0,
    'svc topics get topic-1': 0,
    'svc topics get topic-none': 6,
    'svc topics list --help': 0,
    'svc --help': 0,
    'svc help exit-codes': 0,
    'svc nope': 2,
  };
  it.each([1, 20, 80, 200])(
    'on %i columns has the expected exit code and truncates only between characters',
    async (columns) => {
      const rig = await openTopics(names.map((name) => name.repeat(9)));
      const results = await Promise.all(
        Object.keys(lines).map(async (line) => {
          const { code, written } = await runOnScreen(rig, line, columns);
          return { line, code, written };
        }),
      );
      for (const { line, code, written } of results) {
        expect({ line, code }).toEqual({ line, code: lines[line as keyof typeof lines] });
        expect(written).not.toMatch(/\ufffd|undefined|NaN|Unexpected/);
        expect(written.isWellFormed()).toBe(true);
      }
      const [listing] = results;
      // The text before an ellipsis must be a prefix of the name that ends at a grapheme boundary.
      const cuts = [...(listing?.written.matchAll(/^topic-(\d+) +(\S.*?)…/gm) ?? [])];
      expect(cuts.length > 0).toBe(columns >= 80);
      for (const cut of cuts) {
        const whole = names[Number(cut[1])]?.repeat(9) ?? '';
        const boundaries = [...new Intl.Segmenter().segment(whole)].map(({ index }) => index);
        expect(whole.startsWith(cut[2] ?? '-')).toBe(true);
        expect(boundaries).toContain(cut[2]?.length);
      }
    },
  );
});
