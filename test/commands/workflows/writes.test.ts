// `svc workflows enable`, `disable` and `delete`.
import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

describe('svc workflows enable and disable', () => {
  it('changes only the switch and prints the workflow', async () => {
    const { svc } = await openRig();
    const { stdout, stderr, requests } = await svc(['workflows', 'disable', 'welcome'], {
      tty: true,
    });
    expect(requests).toMatchObject([
      { line: 'PATCH /v2/workflows/welcome', body: { active: false } },
    ]);
    expect(stderr).toBe('Disabled workflow welcome at http://sandbox.localhost.\n');
    expect(stdout).toMatch(/STATUS +INACTIVE/);
    const enabled = await svc(['workflows', 'enable', 'welcome', '--json']);
    expect(JSON.parse(enabled.stdout)).toMatchObject({ workflowId: 'welcome', status: 'ACTIVE' });
  });

  it('suggests a similar id for an unknown workflow', async () => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(['workflows', 'enable', 'welcom']);
    expect(code).toBe(5);
    expect(stderr).toContain('Did you mean `welcome`?');
  });

  it('says that a server does not offer the operation', async () => {
    const { svc, answer } = await openRig();
    const message = 'Cannot PATCH /v2/workflows/welcome';
    answer({ status: 404, body: { statusCode: 404, message, error: 'Not Found' } });
    const { code, stderr } = await svc(['workflows', 'disable', 'welcome']);
    expect(code).toBe(5);
    expect(stderr).toContain('This server does not offer PATCH /v2/workflows/welcome.');
  });
});

describe('svc workflows delete', () => {
  it('asks first, then deletes', async () => {
    const { svc } = await openRig();
    const asked = await svc(['workflows', 'delete', 'welcome']);
    expect(asked).toMatchObject({ code: 2, requests: [] });
    expect(asked.stderr).toContain('to delete workflow welcome at http://sandbox.localhost.');
    const line = ['workflows', 'delete', 'welcome', 'draft', '--yes', '--json'];
    expect(JSON.parse((await svc(line)).stdout)).toEqual([
      { workflowId: 'welcome', deleted: true },
      { workflowId: 'draft', deleted: true },
    ]);
    expect((await svc(['workflows', 'get', 'welcome'])).code).toBe(5);
  });

  it('suggests a similar id for one unknown workflow, and exits with 3 if some are unknown', async () => {
    const { svc } = await openRig();
    const one = await svc(['workflows', 'delete', 'welcom', '--yes']);
    expect(one.code).toBe(5);
    expect(one.stderr).toContain('Did you mean `welcome`?');
    const two = await svc(['workflows', 'delete', 'welcom', 'draft', '--yes'], { tty: true });
    expect(two.code).toBe(3);
    expect(two.stdout).toContain('Deleted 1 of 2 workflows');
  });
});
