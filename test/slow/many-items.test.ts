// Limits that only many items reach.
import { expect, it } from 'vitest';
import { diffLines } from '../../src/environment/render-diff.ts';
import { openSandbox } from '../sandbox/open.ts';
import { openPage, toText } from '../sandbox/page/open-page.ts';
import { lateJobs } from '../support/late-jobs.ts';
import { openRig, parsed, writeInput } from '../support/rig.ts';

it('svc events cancel follows up after ten thousand transactions, to limit memory', async () => {
  const { svc, answerBy } = await openRig();
  answerBy(lateJobs({}, () => ({ afterMs: 0, statuses: ['completed'] })));
  const stdin = Array.from({ length: 10_002 }, (_unused, index) => `t${index}\n`).join('');
  const ran = await svc(['events', 'cancel', '-', '--yes', '--json'], { stdin });
  expect({ code: ran.code, ...parsed(ran.stdout) }).toMatchObject({
    code: 0,
    rows: 10_002,
    notPending: 10_002,
  });
  const methods = ran.requests.map(({ line }) => line.split(' ')[0]);
  expect(methods.filter((method) => method === 'GET').length).toBeLessThan(510);
  expect(methods.indexOf('GET')).toBeLessThan(methods.lastIndexOf('DELETE'));
});

it('repeated ids beyond the compared ones are said to be unknown, and --check-duplicates id compares more', async () => {
  const rig = await openRig();
  const ids = Array.from({ length: 250_001 }, (_unused, index) => `u${index}`);
  const lines = ['subscriberId', ...ids, 'u250000', ''];
  const line = ['subscribers', 'bulk-import', writeInput(rig, 'users.csv', lines.join('\n'))];
  const { stdout } = await rig.svc([...line, '--validate-only'], { tty: true, columns: 400 });
  expect(stdout).toContain(
    'Only the first 250,000 ids were compared. --check-duplicates id compares 1,000,000.',
  );
  const all = ['--validate-only', '--check-duplicates', 'id', '--json'];
  const checked = await rig.svc([...line, ...all]);
  expect(parsed(checked.stdout)).toMatchObject({
    duplicates: 1,
    repeatedIds: { examples: [{ id: 'u250000', lines: [250_002, 250_003] }], isComplete: true },
  });
});

it('10,000 different lines are compared in time', () => {
  const text = (name: string) =>
    Array.from({ length: 10_000 }, (_unused, i) => `${name} ${i}`).join('\n');
  expect(diffLines(text('a'), text('b'))).toHaveLength(20_000);
});

it('a list of subscribers counts up to 50,000, and says if there are more', async () => {
  const { ask } = await openSandbox();
  const create = (from: number, to: number) =>
    ask('POST /v1/subscribers/bulk', {
      subscribers: Array.from({ length: to - from }, (_unused, index) => ({
        subscriberId: `n${from + index}`,
        firstName: 'Nora',
      })),
    });
  const count = async () => {
    const { totalCount, totalCountCapped } = (await ask('GET /v2/subscribers?name=Nora')).body;
    return { totalCount, totalCountCapped };
  };
  for (let from = 0; from < 50_000; from += 500) await create(from, from + 500);
  expect(await count()).toEqual({ totalCount: 50_000, totalCountCapped: false });
  await create(50_000, 50_001);
  expect(await count()).toEqual({ totalCount: 50_000, totalCountCapped: true });
});

it('the home of the page and an event say that they count the newest 25,000 recipients', async () => {
  const { get, trigger, store, control } = await openPage();
  await control.advanceClock(40 * 86_400_000);
  await trigger('one-time-code', 'u7', { code: '1' }, 'large');
  const limit = 'The numbers count at most 25,000 recipients, the newest ones.';
  expect(toText((await get('/')).text)).not.toContain(limit);
  for (const table of ['notifications', 'jobs']) {
    const columns = store.sql
      .all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
      .map(({ name }) => (/^(id|notification)$/.test(name) ? `t.${name} || c.n` : `t.${name}`));
    const own =
      table === 'jobs'
        ? "notification IN (SELECT id FROM notifications WHERE transaction_id = 'large')"
        : "transaction_id = 'large'";
    store.sql.exec(`WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 25000)
      INSERT INTO ${table} SELECT ${columns.join(', ')} FROM ${table} t, c WHERE ${own}`);
  }
  store.committed();
  expect(toText((await get('/')).text)).toContain(limit);
  expect(toText((await get('/page/activity/large')).text)).toContain(`25,000 recipients ${limit}`);
});

it('a dry run of very many requests counts them all', async () => {
  const { svc } = await openRig();
  const stdin = Array.from({ length: 150_000 }, (_unused, index) => `p${index}\n`).join('');
  const { code, stdout } = await svc(['subscribers', 'delete', '-', '--dry-run', '--json'], {
    stdin,
  });
  expect(code).toBe(0);
  expect(parsed(stdout).total).toEqual({ requests: 150_000, items: 150_000 });
});
