import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { printRecord } from '../../src/output/print.ts';
import { tableRows } from '../../src/output/rows.ts';
import { plainStyle } from '../../src/output/style.ts';
import { tableText } from '../../src/output/table.ts';

const columns = [
  { header: 'KEY' },
  { header: 'NAME', shrink: true as const },
  { header: 'CREATED', drop: 2 },
  { header: 'ID', drop: 1 },
];
const row = (...texts: string[]) => texts.map((text) => ({ text, tone: 'plain' as const }));
const rows = [
  row('announcements', 'Product announcements for everybody', '3d ago', '65f0c0ffee65f0c0ffee65f0'),
  row('日本', 'ニュース 😀', '1h ago', '65f0c0ffee65f0c0ffee65f1'),
];
const render = (width: number) =>
  tableText(columns, rows, { width, style: plainStyle, header: true });

describe('a table', () => {
  it('aligns wide characters', async () => {
    expect(await render(120)).toBe(
      [
        'KEY            NAME                                 CREATED  ID',
        'announcements  Product announcements for everybody  3d ago   65f0c0ffee65f0c0ffee65f0',
        '日本           ニュース 😀                          1h ago   65f0c0ffee65f0c0ffee65f1',
        '',
      ].join('\n'),
    );
  });

  it.each(['ที่นี่', 'שָׁלוֹם', 'مَرْحَبًا', '\u1112\u1161\u11ab', 'e\u0301', 'ＡＢ', '👍🏽'])(
    'aligns the other rows as it would without %s',
    async (text) => {
      const lines = (name: string) =>
        tableText(columns, [row(name, 'n', 't', 'i'), row('other', 'n', 't', 'i')], {
          width: 80,
          style: plainStyle,
          header: true,
        });
      const [header, strange, other] = (await lines(text)).split('\n');
      const [, , plain] = (await lines('x')).split('\n');
      expect(other).toBe(plain);
      expect(stringWidth(strange ?? '')).toBe(other?.length);
      expect(header?.indexOf('NAME')).toBe(other?.indexOf('n'));
    },
  );

  it('makes headers safe for the terminal', async () => {
    const options = {
      width: 80,
      style: plainStyle,
      header: true,
      unicode: true,
      now: () => 0,
      isTty: true,
    };
    const field = 'a\x1b[2J';
    expect(await tableRows([{ [field]: 1 }], [{ field, header: field }], options)).toBe(
      'a\\x1b[2J\n1\n',
    );
    let written = '';
    const printer = {
      ...options,
      reveal: false,
      csvSafe: false,
      hint: () => undefined,
      next: () => undefined,
    };
    await printRecord(
      { type: 'record', value: { [field]: 'x', 日本: 'y' } },
      {
        ...printer,
        write: async (text) => {
          written += text;
        },
      },
    );
    expect(written).toBe('A\\x1b[2J  x\n日本      y\n');
  });

  it('truncates columns before it drops one', async () => {
    expect((await render(80)).split('\n')[1]).toBe(
      'announcements  Product announcements for eve…  3d ago   65f0c0ffee65f0c0ffee65f0',
    );
  });

  it('keeps the subject legible: truncates and drops other columns first', async () => {
    const list = [
      { header: 'SUBJECT', shrink: true as const },
      { header: 'STATE', drop: 1 },
      { header: 'TEXT', shrink: 6, drop: 2 },
      { header: 'ID', drop: 3 },
    ];
    const cells = [row('Your order is confirmed', 'sent', 'We ship it soon', 'abcdef')];
    const printed = async (width: number) =>
      (await tableText(list, cells, { width, style: plainStyle, header: true })).split('\n')[1];
    expect(await printed(54)).toBe('Your order is confirmed  sent   We ship it so…  abcdef');
    expect(await printed(46)).toBe('Your order is confirmed  sent   We sh…  abcdef');
    expect(await printed(44)).toBe('Your order is confirmed  sent   We ship it …');
    expect(await printed(36)).toBe('Your order is confirmed  sent');
    expect(await printed(24)).toBe('Your order is co…  sent');
  });

  it('drops the least important columns first', async () => {
    expect((await render(50)).split('\n')[0]).toBe('KEY            NAME');
    expect((await render(60)).split('\n')[0]?.trim()).toMatch(/^KEY {12}NAME +ID$/);
  });

  it('is printed as cards if nothing fits', async () => {
    expect(await render(20)).toContain(
      'KEY      announcements\nNAME     Product announcements for everybody\n',
    );
  });

  it('has cards of four lines, in which a cell that shares a line has its header', async () => {
    const headers = ['WHEN', 'READ', 'WORKFLOW', 'EMAIL', 'SMS'];
    const cards = await tableText(
      headers.map((header) => ({ header })),
      [row('1h ago', 'no', 'comment-digest', 'off (subscriber)', 'on')],
      { width: 30, style: plainStyle, header: true },
    );
    expect(cards).toBe(
      [
        'WHEN      1h ago  READ no',
        'WORKFLOW  comment-digest',
        'EMAIL     off (subscriber)',
        'SMS       on',
        '',
      ].join('\n'),
    );
  });

  it.each([30, 40, 60, 80, 120, 200])('is never wider than %i columns', async (width) => {
    const lines = (await render(width)).split('\n');
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width);
  });
});
