// Comparing values and texts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseResponseJson } from '../../src/core/lossless-json.ts';
import { changeRows, compare, isSame } from '../../src/environment/compare.ts';
import { diffLines, renderDiff } from '../../src/environment/render-diff.ts';
import { plainText } from '../../src/output/result.ts';
import { anyObject } from './any-workflow.ts';

const shown = (changes: Parameters<typeof renderDiff>[0][number]['changes'], width?: number) =>
  renderDiff([{ mark: '~', kind: 'workflow', id: 'w', changes }], width).map(plainText);

describe('two values', () => {
  it('differ if and only if there is a change', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (a, b) => {
        expect(compare(a, a)).toEqual([]);
        expect(compare(a, structuredClone(a))).toEqual([]);
        expect(compare(a, b).length === 0).toBe(isSame(a, b));
      }),
    );
  });

  it.each([
    [{ a: 1 }, { a: 2 }, [{ path: 'a', from: 1, to: 2 }]],
    [{ a: { b: 1 } }, { a: { b: 1, c: null } }, [{ path: 'a.c', to: null }]],
    [{ 'a.b': 1 }, {}, [{ path: '["a.b"]', from: 1 }]],
    [{ a: [1, 2] }, { a: [2, 1] }, [{ path: 'a', from: [1, 2], to: [2, 1] }]],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, []],
    [{ a: null }, {}, [{ path: 'a', from: null }]],
    [{ a: undefined }, {}, []],
    [{ a: [{ b: 1, c: 2 }] }, { a: [{ c: 2, b: 1 }] }, []],
    [{ a: [1] }, { a: [1, 2] }, [{ path: 'a', from: [1], to: [1, 2] }]],
    [{ a: [1, 2] }, { a: [1] }, [{ path: 'a', from: [1, 2], to: [1] }]],
    [{ a: [] }, { a: {} }, [{ path: 'a', from: [], to: {} }]],
    [1, '1', [{ path: '', from: 1, to: '1' }]],
  ])('%j and %j', (a, b, changes) => {
    expect(compare(a, b)).toStrictEqual(changes);
  });

  it('are compared by all digits of their numbers', async () => {
    const numbers = ['12345678901234567890', '12345678901234567890', '12345678901234567891'];
    const [a, b, c] = await Promise.all(numbers.map((n) => parseResponseJson(`{"n":${n}}`)));
    expect([isSame(a, b), isSame(a, c)]).toEqual([true, false]);
  });

  const step = (stepId: string, body = '') => ({ stepId, body });

  it('have their steps compared by stepId', () => {
    const before = { steps: [step('a'), step('b'), step('c')] };
    expect(compare(before, { steps: [step('a'), step('c', 'x'), step('d')] })).toEqual([
      { path: 'steps.c.body', from: '', to: 'x' },
      { path: 'steps.d', to: step('d') },
      { path: 'steps.b', from: step('b') },
    ]);
    expect(compare(before, { steps: [step('b'), step('a'), step('c')] })).toEqual([
      { path: 'steps', from: ['a', 'b', 'c'], to: ['b', 'a', 'c'] },
    ]);
    expect(compare({ steps: [] }, { steps: [step('a')] })).toStrictEqual([
      { path: 'steps.a', to: step('a') },
    ]);
  });

  it.each([
    ['other', [step('b')]],
    ['steps', 'none'],
    ['steps', {}],
    ['steps', [null]],
    ['steps', [{}]],
    ['steps', [{ stepId: 5 }]],
    ['steps', [step('a'), { stepId: 5 }]],
    ['steps', [step('a'), step('a')]],
  ])('have their member %s compared as a whole if it is not a list of steps: %j', (name, value) => {
    const steps = [step('a', 'x')];
    const change = (from: unknown, to: unknown) => [{ path: name, from, to }];
    expect(compare({ [name]: value }, { [name]: steps })).toEqual(change(value, steps));
    expect(compare({ [name]: steps }, { [name]: value })).toEqual(change(steps, value));
  });
});

it('the rows of changes have one for each change, or one for a resource without changes', () => {
  const of = { kind: 'topic', id: 't' };
  const { columns, items } = changeRows([
    { ...of, action: 'create', changes: [] },
    {
      ...of,
      action: 'update',
      changes: [
        { path: 'a', from: 'x' },
        { path: 'b', to: null },
      ],
    },
  ]);
  expect(columns.map(({ header }) => header).join()).toBe('kind,id,action,path,from,to');
  expect(items).toStrictEqual([
    { ...of, action: 'create', path: '', from: '', to: '' },
    { ...of, action: 'update', path: 'a', from: '"x"', to: '' },
    { ...of, action: 'update', path: 'b', from: '', to: 'null' },
  ]);
});

describe('two texts', () => {
  const anyLines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });

  it('can be restored from their differing lines, if they differ', () => {
    fc.assert(
      fc.property(anyLines, anyLines, (a, b) => {
        fc.pre(a.join('\n') !== b.join('\n'));
        const lines = diffLines(a.join('\n'), b.join('\n'), Number.POSITIVE_INFINITY);
        const side = (other: string) =>
          lines
            .filter(({ kind }) => kind !== other)
            .map(({ text }) => text)
            .join('\n');
        expect(side('added')).toBe(a.join('\n'));
        expect(side('removed')).toBe(b.join('\n'));
      }),
    );
  });

  it('show two unchanged lines around a change', () => {
    const lines = Array.from({ length: 20 }, (_unused, index) => `line ${index}`);
    const after = lines.with(10, 'changed').join('\n');
    expect(diffLines(lines.join('\n'), after)).toEqual([
      { kind: 'gap', text: '8' },
      { kind: 'same', text: 'line 8' },
      { kind: 'same', text: 'line 9' },
      { kind: 'removed', text: 'line 10' },
      { kind: 'added', text: 'changed' },
      { kind: 'same', text: 'line 11' },
      { kind: 'same', text: 'line 12' },
      { kind: 'gap', text: '7' },
    ]);
  });
});

describe('a changed value', () => {
  it('is shown on one line if it fits', () => {
    expect(shown([{ path: 'name', from: 'a', to: 'b' }], 80)).toEqual([
      '~ workflow w',
      '  ~ name: "a" → "b"',
    ]);
  });

  it('of a block document is shown as indented JSON', () => {
    const block = (text: string) =>
      JSON.stringify({ type: 'doc', content: [{ type: 'text', text }] });
    const from = block('A long sentence that does not fit in a line.');
    expect(
      shown([{ path: 'steps.mail.controlValues.body', from, to: block('Short.') }], 80),
    ).toEqual([
      '~ workflow w',
      '  ~ step mail',
      '    ~ body:',
      '        … 3 unchanged lines',
      '              {',
      '                "type": "text",',
      '        -       "text": "A long sentence that does not fit in a line."',
      '        +       "text": "Short."',
      '              }',
      '            ]',
      '          }',
    ]);
  });

  it('keeps the digits of numbers that a double cannot represent', async () => {
    const text = (n: string) => `{"a":"${'x'.repeat(80)}","n":${n}}`;
    const numbers = ['12345678901234567890', '1.0'] as const;
    const [from, to] = await Promise.all(numbers.map((n) => parseResponseJson(text(n))));
    expect(shown([{ path: 'schema', from, to }]).slice(-3)).toEqual([
      '      -   "n": 12345678901234567890',
      '      +   "n": 1.0',
      '        }',
    ]);
    const [line] = shown([{ path: 'body', from: text('1'), to: text(numbers[0]) }]).slice(-1);
    expect(line).toContain(numbers[0]);
  });

  it('of null is shown, also below a long path', () => {
    const path = 'member.'.repeat(20);
    expect(shown([{ path, from: null }]).at(-1)).toBe('      - null');
  });

  it('shows a difference of line breaks alone', () => {
    const changes = [{ path: 'body', from: 'a\nb', to: 'a\r\nb' }];
    expect(shown(changes, 80).map((line) => line.replaceAll('\r', '\\r'))).toEqual(
      ['~ workflow w', '  ~ body:', '      - a', '      + a\\r', '        b'].map((line) =>
        line.replace('\\r', '\\r'),
      ),
    );
  });

  it('that is new shows the first lines of a long text', () => {
    const to = Array.from({ length: 40 }, (_unused, index) => `line ${index}`).join('\n');
    const lines = shown([{ path: 'body', to }], 80);
    expect(lines).toHaveLength(15);
    expect(lines.at(-1)).toBe('      … 28 more lines');
  });

  it('is wrapped at the width of the terminal, below its text', () => {
    const to = 'word '.repeat(30).trim();
    const lines = shown([{ path: 'body', from: 'x\ny', to: `${to}\ny` }], 40);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
    expect(lines.slice(3, 5)).toEqual([
      '      + word word word word word word ',
      '        word word word word word word ',
    ]);
  });
});

describe('a changed order of steps', () => {
  it('is shown as two lists of ids', () => {
    expect(shown([{ path: 'steps', from: ['a', 'b'], to: ['b', 'a'] }], 80)).toEqual([
      '~ workflow w',
      '  ~ order of steps: "a, b" → "b, a"',
    ]);
  });
});
