// `svc demo`: its text agrees with what its commands do.
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { inTerminal } from '../support/terminal.ts';

it('svc demo imports once, shows how a row is fixed and ends with a command that works', async () => {
  const home = openHome();
  const { code, stdout } = await home.svc(['demo', '--quiet']);
  expect(code).toBe(0);
  expect(stdout.match(/^\$ svc subscribers bulk-import users\.csv/gm)).toHaveLength(1);
  expect(stdout).not.toContain('svc-demo-');
  expect(stdout).toContain(
    'Fix the rejected rows, then run: svc subscribers bulk-import rejects.csv\n',
  );
  expect(stdout).toMatch(
    /Fix the rows.*\n- .*,team-2,Jon,Aker,jon\.at\.example\.com,.*\n\+ .*,team-2,Jon,Aker,jon@example\.com,.*\n/,
  );
  expect(stdout).toMatch(
    /Import the fixed rows:\n\$ .* rejects\.csv -p sandbox\nImported 3 of 3 rows/,
  );
  expect(stdout).toMatch(/\n {2}(svc|node \S*bin\/svc\.js) sandbox start\n/);
});

it('svc demo runs its commands with --no-unicode and --no-color if it has these options', async () => {
  const home = openHome();
  const line = 'svc demo --no-unicode --no-color --quiet < /dev/null';
  const { code, written } = await inTerminal(home, line, { columns: 120 }).ended();
  expect(code).toBe(0);
  expect(written).toContain('+ in_app');
  expect(written).not.toMatch(/✓|\x1b\[3\dm/);
});
