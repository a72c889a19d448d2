// The width of a table.
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { openRig } from '../support/rig.ts';

const name = 'News about everything that happens in every product of the company, every day';

async function measureWidth(env: Record<string, string>, tty = false): Promise<number> {
  const { svc, answer } = await openRig();
  const topic = { _id: 'a'.repeat(24), key: 'news', name, createdAt: '', updatedAt: '' };
  answer({ status: 200, body: { data: [topic], next: null, previous: null, totalCount: 1 } });
  const line = ['topics', 'list', '-o', 'table', '--fields', '_id,key,name'];
  const { stdout } = await svc(line, { env, tty, columns: 90 });
  return Math.max(...stdout.split('\n').map((text) => stringWidth(text)));
}

describe('-o table in a pipe', () => {
  it('is 80 columns wide by default', async () => {
    expect(await measureWidth({})).toBe(80);
  });

  it.each([
    ['70', 70],
    ['100', 100],
  ])('is as wide as COLUMNS=%s', async (columns, width) => {
    expect(await measureWidth({ COLUMNS: columns })).toBe(width);
  });

  it.each(['', '0', '-5', 'wide', '12.5'])(
    'ignores the invalid value COLUMNS=%j',
    async (columns) => {
      expect(await measureWidth({ COLUMNS: columns })).toBe(80);
    },
  );
});

describe('a table on a terminal', () => {
  it('has the width of the terminal, not of COLUMNS', async () => {
    expect(await measureWidth({ COLUMNS: '70' }, true)).toBe(90);
  });
});

it.each([
  [['inbox', 'list', 'u1'], /(?:On Hello: Bruno,|49\.5 EUR for)…/],
  [['subscribers', 'preferences', 'get', 'u1'], /\(all\); --all\n {12}shows them$/m],
])('%j on 60 columns breaks lines and cells between words', async (line, text) => {
  const { svc } = await openRig();
  const { stdout } = await svc(line, { tty: true, columns: 60 });
  expect(stdout).toMatch(text);
  expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(60);
});
