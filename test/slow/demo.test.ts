// `svc demo`: its text agrees with what its commands do.
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

it('svc demo describes a second import correctly and names no deleted file', async () => {
  const { code, stdout } = await openHome().svc(['demo', '--quiet']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/Subscribers are updated, none is created twice:\n.*\n.*10,000 updated/);
  expect(stdout).not.toContain('svc-demo-');
  expect(stdout).toContain(
    'Fix the rejected rows, then run: svc subscribers bulk-import rejects.csv\n',
  );
  expect(stdout).toMatch(/Fix the rows.*\n\$ .* rejects\.csv -p sandbox\nImported 3 of 3 rows/);
});
