// Errors, warnings and hints on terminals of several widths, in a pipe and in a CI job.
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { openRig, writeInput } from '../support/rig.ts';

const deletion = ['topics', 'delete', 'announcements'];
const live = 'x'.repeat(50);

describe('on a terminal', () => {
  it('an error is broken at blanks, with a hanging indent', async () => {
    const { svc } = await openRig();
    const { stderr, code } = await svc(['topics', 'list', '--limit', 'many', '--all'], {
      tty: true,
      columns: 40,
    });
    expect(code).toBe(2);
    const [first, ...others] = stderr.trimEnd().split('\n');
    expect(first).toMatch(/^Error: /);
    expect(others.length).toBeGreaterThan(0);
    for (const line of others) expect(line).toMatch(/^ {2}\S/);
    for (const line of [first, ...others]) expect(line?.length).toBeLessThanOrEqual(40);
  });

  it('the commands to run next stay whole', async () => {
    const { svc } = await openRig({ bare: true });
    const url = `http://127.0.0.1:9/${live}`;
    const { stderr } = await svc(['topics', 'list', '--base-url', url], { tty: true, columns: 40 });
    expect(stderr.split('\n')).toContain(`  svc login --base-url ${url}`);
  });

  it('the command for more items gets its own line', async () => {
    const { svc } = await openRig();
    const line = ['topics', 'list', '--limit', '1', '--order-by', 'createdAt'];
    const { stderr } = await svc(line, { tty: true, columns: 60 });
    expect(stderr).toMatch(
      /^More items:\n {2}svc topics list --order-by createdAt --after \S+ .*\n$/,
    );
  });

  it('wide characters count as two columns', async () => {
    const { svc } = await openRig();
    const path = 'お知らせ '.repeat(12).trim();
    const { stderr } = await svc(['subscribers', 'import', path], { tty: true, columns: 40 });
    const lines = stderr.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(40);
    expect(lines.map((line) => line.trim()).join(' ')).toContain(path);
  });

  it('the label of an error keeps its color, and only the label', async () => {
    const { svc } = await openRig();
    const { stderr } = await svc(deletion, {
      tty: true,
      columns: 40,
      env: { NO_COLOR: '', CI: '' },
    });
    expect(stderr).toMatch(/^\x1b\[31mError:\x1b\[39m [^\x1b]+$/);
  });
});

describe('a result', () => {
  it('is broken at blanks on a terminal, and its command gets its own line', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', 'subscriberId,email\na,b\n');
    const line = ['subscribers', 'bulk-import', file];
    const { stdout } = await rig.svc(line, { tty: true, columns: 50 });
    expect(stdout).toMatch(
      /^Imported 0 of 1 row .+\n {2}.+\n(?:.+\n)+Fix the rejected rows, then run:\n {2}svc subscribers bulk-import \S+\n$/,
    );
    const { stdout: inCi } = await rig.svc(line, { tty: true, columns: 50, env: { CI: '1' } });
    expect(inCi).toMatch(/^Imported 0 of 1 row .+updated\.\n/);
  });

  it('that is a path stays whole', async () => {
    const { svc, folder } = await openRig();
    const config = `${folder}/${'a folder '.repeat(9).trim()}`;
    const { stdout } = await svc(['config', 'path'], {
      tty: true,
      columns: 40,
      env: { SVC_CONFIG_DIR: config },
    });
    expect(stdout).toBe(`${config}/config.json\n`);
  });
});

it.each([
  ['in a pipe', { tty: false }],
  ['in a CI job with a terminal', { tty: true, columns: 40, env: { CI: 'true' } }],
])('%s an error is one line, and a hint another', async (_where, options) => {
  const { svc } = await openRig();
  const { stderr } = await svc(deletion, options);
  expect(stderr.trimEnd().split('\n')).toHaveLength(2);
});

it('an error as JSON is one line on a terminal, too', async () => {
  const { svc } = await openRig();
  const { stderr } = await svc([...deletion, '--json'], { tty: true, columns: 40 });
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});
