// Output options: --jq with formats, and lists in cells.
import { describe, expect, it } from 'vitest';
import { openRig } from '../support/rig.ts';

describe('--jq', () => {
  it.each(['csv', 'tsv', 'ids', 'table', 'yaml'])(
    'cannot be combined with -o %s',
    async (format) => {
      const { svc } = await openRig();
      const { code, stderr, requests } = await svc(['topics', 'list', '--jq', '.', '-o', format]);
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
      expect(stderr).toContain(`--jq cannot be combined with -o ${format}.`);
    },
  );

  it('is accepted with JSON, and overrides a format from SVC_OUTPUT', async () => {
    const { svc } = await openRig();
    const line = ['topics', 'list', '--jq', '.[0].key'];
    for (const more of [[], ['--json'], ['-o', 'json']])
      expect((await svc([...line, ...more], { env: { SVC_OUTPUT: 'csv' } })).code).toBe(0);
  });
});

describe('lists in a cell', () => {
  it('are joined with commas, or JSON if they contain objects', async () => {
    const { svc, answer } = await openRig();
    const items = [{ key: 'a', name: 'A', tags: ['x', 'y'], parts: [{ n: 1 }, { n: 2 }] }];
    answer({ status: 200, body: { data: items, next: null, previous: null, totalCount: 1 } });
    const line = ['topics', 'list', '--fields', 'key,tags,parts'];
    expect((await svc(line)).stdout).toBe('a\tx,y\t[{"n":1},{"n":2}]\n');
  });
});
