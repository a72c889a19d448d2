// The output of a write: one line for people, also in a pipe, and the response for programs.
import { describe, expect, it } from 'vitest';
import { openRig, parsed } from '../support/rig.ts';
import { words } from '../support/words.ts';

describe('a write in a pipe', () => {
  it.each([
    ['topics create news --name 新闻', 'Created topic news'],
    ['subscribers update u1 --first-name Zoë', 'Updated subscriber u1'],
    ['workflows disable welcome', 'Disabled workflow welcome'],
    ['subscribers delete u1 u2 --yes', 'Deleted 2 subscribers'],
  ])('prints one line: svc %s', async (line, text) => {
    const { svc } = await openRig();
    const { code, stdout, stderr } = await svc(line.split(' '));
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^${text} [^\\n]*\\.\\n$`)),
      stderr: '',
    });
  });

  it('prints the transaction of an event', async () => {
    const { svc } = await openRig();
    const { code, stdout } = await svc(
      words`events trigger welcome --to u1 -f product=x --transaction-id t1`,
    );
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Triggered welcome for u1 .*: transaction t1\.\n$/),
    });
  });

  it('names each of several ids that failed', async () => {
    const { svc } = await openRig();
    const { code, stdout } = await svc(words`subscribers delete u1 none --yes`);
    expect({ code, lines: stdout.split('\n') }).toEqual({
      code: 3,
      lines: [
        expect.stringMatching(/^Deleted 1 of 2 subscribers/),
        'none: not deleted: Subscriber was not found',
        '',
      ],
    });
  });

  it('prints the response with a format or fields', async () => {
    const { svc } = await openRig();
    const create = (...more: string[]) => svc(words`topics create news --name News ${more}`);
    expect(parsed((await create('--json')).stdout)).toMatchObject({ key: 'news', name: 'News' });
    expect((await create('--fields', 'key,name')).stdout).toBe('key\tnews\nname\tNews\n');
    expect((await create('-o', 'tsv', '--fields', 'key')).stdout).toBe('key\nnews\n');
    expect((await create('-o', 'ids')).stdout).toBe('news\n');
  });
});
