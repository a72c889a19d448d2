// `svc sandbox snapshot`
import { expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

it('saves and restores the state, lists and deletes snapshots', async () => {
  const { svc } = await openRig();
  const snapshot = (...words: string[]) => svc(['sandbox', 'snapshot', ...words]);
  const saved = await snapshot('save', 'before');
  expect(saved.stdout).toBe(
    'name\tbefore\ncreatedAt\t2026-01-15T12:00:00.000Z\ntime\t2026-01-15T12:00:00.000Z\nevents\t16\nmessages\t17\n',
  );
  await svc(['topics', 'delete', 'announcements', '--yes']);
  const gone = await svc(['topics', 'get', 'announcements']);
  expect(gone.code).toBe(5);
  const restored = await snapshot('restore', 'before', '--yes');
  expect(restored.stdout).toContain('restored\ttrue\n');
  const back = await svc(['topics', 'get', 'announcements']);
  expect(back.code).toBe(0);
  const list = await snapshot('list', '-o', 'ids');
  expect(list.stdout).toBe('before\n');
  const again = await snapshot('save', 'before');
  expect({ code: again.code, stderr: again.stderr }).toEqual({
    code: 2,
    stderr: 'Error: Snapshot before exists.\nChoose another name, or replace it with --replace.\n',
  });
  const replaced = await snapshot('save', 'before', '--replace');
  expect(replaced.code).toBe(0);
  const deleted = await snapshot('delete', 'before');
  expect(deleted.stdout).toBe('name\tbefore\ndeleted\ttrue\n');
  for (const words of [
    ['delete', 'before'],
    ['restore', 'before'],
    ['restore', 'ünbekannt'],
  ]) {
    const { code } = await snapshot(...words);
    expect({ words, code }).toEqual({ words, code: 5 });
  }
  // A URL path cannot contain the last two: they could be neither restored nor deleted.
  for (const name of ['a b', '.', '..']) {
    const { code } = await snapshot('save', name);
    expect({ name, code }).toEqual({ name, code: 6 });
  }
});

it('refuses a snapshot of another version', async () => {
  const { svc } = await openRig();
  const snapshot = (...words: string[]) => svc(['sandbox', 'snapshot', ...words]);
  await snapshot('save', 'old');
  await svc(['sandbox', 'reset', '--service', '3.19', '--yes']);
  const { code, stderr } = await snapshot('restore', 'old');
  expect(code).toBe(6);
  expect(stderr).toContain('it is of version 3.11');
});
