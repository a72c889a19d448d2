// Options of the output that do not fit what there is, or each other.
import { describe, expect, it } from 'vitest';
import { openRig } from '../support/rig.ts';

describe('--jq', () => {
  it.each(['csv', 'tsv', 'ids', 'table', 'yaml'])('is refused beside -o %s', async (format) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(['topics', 'list', '--jq', '.', '-o', format]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(`--jq cannot be combined with -o ${format}.`);
  });

  it('goes with JSON, and wins over a format that is only a setting', async () => {
    const { svc } = await openRig();
    const line = ['topics', 'list', '--jq', '.[0].key'];
    for (const more of [[], ['--json'], ['-o', 'json']])
      expect((await svc([...line, ...more], { env: { SVC_OUTPUT: 'csv' } })).code).toBe(0);
  });
});

describe('lists in a cell', () => {
  it('are words with commas, and JSON when they hold more than words', async () => {
    const { svc, answer } = await openRig();
    const items = [{ key: 'a', name: 'A', tags: ['x', 'y'], parts: [{ n: 1 }, { n: 2 }] }];
    answer({ status: 200, body: { data: items, next: null, previous: null, totalCount: 1 } });
    const line = ['topics', 'list', '--fields', 'key,tags,parts'];
    expect((await svc(line)).stdout).toBe('a\tx,y\t[{"n":1},{"n":2}]\n');
  });
});
