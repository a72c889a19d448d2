// `svc activity explain` finds the subscriber by an address.
import { describe, expect, it } from 'vitest';
import { openRig, parsed, type Rig } from '../../support/rig.ts';

const explain = ['activity', 'explain'];

async function openPeople(): Promise<Rig> {
  const rig = await openRig();
  const people = [
    ['x1', '--email', 'one@example.com', '--phone', '+4917011122'],
    ['x2', '--email', 'shared@example.com', '--phone', '+4917033344'],
    ['x3', '--email', 'Shared@example.com'],
    ['x4', '--email', 'not-one@example.com'],
  ];
  for (const person of people) await rig.svc(['subscribers', 'create', ...person]);
  await rig.svc(['events', 'trigger', 'welcome', '--to', 'x1', '-F', 'product:="svc"', '--yes']);
  return rig;
}

describe('activity explain by address', () => {
  it.each([
    ['--email', 'ONE@example.com'],
    ['--phone', '+49 170 111-22'],
  ])('finds the subscriber of %s %s', async (option, address) => {
    const rig = await openPeople();
    const { stdout, requests } = await rig.svc([...explain, option, address, '--json']);
    expect(parsed(stdout)).toMatchObject({
      workflow: 'welcome',
      message: expect.stringContaining('x1'),
    });
    expect(requests[0]?.line).toMatch(/^GET \/v2\/subscribers\?/);
    expect(requests.length).toBeLessThanOrEqual(7);
  });

  it.each([
    ['+49 170 111-22', '0170 11122'],
    ['017011122', '0170/111-22'],
  ])('finds %s for %s with --phone-region', async (stored, given) => {
    const rig = await openRig();
    const line = ['--phone', given, '--json'];
    await rig.svc(['subscribers', 'create', 'local', '--phone', stored.replace(/[ -]/g, '')]);
    const without = await rig.svc([...explain, ...line]);
    expect(without.code).toBe(5);
    if (stored.startsWith('+')) expect(without.stderr).toContain('--phone-region');
    const found = await rig.svc([...explain, ...line, '--phone-region', 'de']);
    expect(parsed(found.stdout)).toMatchObject({ message: expect.stringContaining('local') });
  });

  it('accepts --phone-region only with --phone', async () => {
    const rig = await openRig();
    const { code, stderr } = await rig.svc([...explain, 'u1', '--phone-region', 'DE']);
    expect({ code, stderr }).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('--phone-region is only for --phone.') },
    });
  });

  it('names both ways to select a subscriber if none is given', async () => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(explain);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('Missing <subscriber-id>, --email or --phone.');
  });

  it('exits with 5 without a match, and with 2 for several, which it lists', async () => {
    const rig = await openPeople();
    const none = await rig.svc([...explain, '--email', 'unknown@example.com']);
    expect(none.code).toBe(5);
    expect(none.stderr).toContain('No subscriber has the e-mail address unknown@example.com.');
    const several = await rig.svc([...explain, '--email', 'shared@example.com', '--json']);
    expect(several.code).toBe(2);
    expect(parsed(several.stderr)).toMatchObject({
      error: {
        message: '2 subscribers have the e-mail address shared@example.com: x3 and x2.',
        next: ['svc activity explain x3', 'svc activity explain x2'],
      },
    });
    const both = [...explain, '--email', 'shared@example.com', '--phone', '+4917033344'];
    expect((await rig.svc(both)).stderr).not.toContain('subscribers have');
  });

  it('needs an id or an address, not both', async () => {
    const rig = await openRig();
    expect((await rig.svc(explain)).code).toBe(2);
    const both = await rig.svc([...explain, 'u1', '--email', 'a@example.com']);
    expect(both).toMatchObject({ code: 2, requests: [] });
  });

  it('asks the activity if the server does not list subscribers', async () => {
    const rig = await openPeople();
    rig.answerBy(({ method, url }) =>
      url.pathname === '/v2/subscribers'
        ? { status: 404, body: { statusCode: 404, message: `Cannot ${method} /v2/subscribers` } }
        : undefined,
    );
    const { stdout } = await rig.svc([...explain, '--email', 'one@example.com', '--json']);
    expect(parsed(stdout)).toMatchObject({ workflow: 'welcome' });
  });
});
