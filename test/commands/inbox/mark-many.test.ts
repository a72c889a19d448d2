// svc inbox mark with a list, with the whole program.
import { describe, expect, it } from 'vitest';
import { openRig, parsed } from '../../support/rig.ts';

describe('svc inbox mark -', () => {
  it('marks a list and reports ids that are not notifications of the subscriber', async () => {
    const rig = await openRig();
    const { code, stdout } = await rig.svc(['inbox', 'mark', 'u1', 'read', '-', '--json'], {
      stdin: '67748580259aa8ef98259b2b\nffffffffffffffffffffffff\n',
    });
    expect(code).toBe(3);
    expect(parsed(stdout)).toMatchObject({ rows: 2, marked: 1, failed: 1 });
  });
});
