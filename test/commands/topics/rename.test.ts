import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

const line = ['topics', 'rename', 'announcements', 'Product news'];

describe('svc topics rename', () => {
  it('prints the topic with its new name', async () => {
    const { svc } = await openRig();
    const { stdout, stderr, code } = await svc(line, { tty: true });
    expect({ stdout, stderr, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Renamed topic announcements to Product news at http://sandbox.localhost.
      ",
        "stdout": "KEY      announcements
      NAME     Product news
      CREATED  15 Jan 2025
      UPDATED  12:00:00
      ID       677485805f56106029b959bc
      ",
      }
    `);
  });

  it('sends one PATCH with an idempotency key and prints the topic as JSON', async () => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc([...line, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ key: 'announcements', name: 'Product news' });
    expect(requests).toMatchObject([
      {
        line: 'PATCH /v2/topics/announcements',
        body: { name: 'Product news' },
        headers: { 'idempotency-key': expect.any(String) },
      },
    ]);
    expect((await svc(line)).stdout).toContain('Renamed topic announcements to Product news at ');
  });

  it.each([
    ['--read-only', [...line, '--read-only'], {}, '--read-only does not allow'],
    ['SVC_READ_ONLY', line, { SVC_READ_ONLY: '1' }, 'SVC_READ_ONLY does not allow'],
    ['an empty name', ['topics', 'rename', 'announcements', ''], {}, '`name` is empty'],
    ['a missing name', ['topics', 'rename', 'announcements'], {}, 'Missing <name>.'],
  ])('is a usage error for %s, before any request', async (_name, argv, env, message) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(argv, { env });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });

  it('suggests a similar key for an unknown topic', async () => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(['topics', 'rename', 'beta', 'x']);
    expect(code).toBe(5);
    expect(stderr).toContain('Did you mean `beta-testers`?');
  });
});
