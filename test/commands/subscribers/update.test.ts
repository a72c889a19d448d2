import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

const line = ['subscribers', 'update', 'u1'];

describe('svc subscribers update', () => {
  it('sends only the given fields, with null for a cleared one', async () => {
    const { svc } = await openRig();
    const { stderr, requests, stdout } = await svc(
      [...line, '--first-name', 'Augusta', '--clear', 'phone'],
      { tty: true },
    );
    expect(requests).toMatchObject([
      { line: 'PATCH /v2/subscribers/u1', body: { firstName: 'Augusta', phone: null } },
    ]);
    expect(stderr).toBe('Updated subscriber u1 at http://sandbox.localhost.\n');
    expect(stdout).toMatch(/FIRST NAME +Augusta/);
    const { stdout: json } = await svc(['subscribers', 'get', 'u1', '--json']);
    expect(JSON.parse(json)).toMatchObject({ lastName: 'Okafor', data: { plan: 'team' } });
  });

  it('replaces data with --data and -f, and keeps its other fields with --merge-data', async () => {
    const { svc } = await openRig();
    const readData = async () =>
      JSON.parse((await svc(['subscribers', 'get', 'u1', '--json'])).stdout).data;
    const changes = ['-f', 'plan=pro', '-F', 'address.zip:=12'];
    await svc([...line, ...changes, '--merge-data']);
    expect(await readData()).toEqual({ plan: 'pro', seats: 5, address: { zip: 12 } });
    await svc([...line, '--merge-data', '-f', 'address.city=Accra']);
    expect(await readData()).toEqual({
      plan: 'pro',
      seats: 5,
      address: { zip: 12, city: 'Accra' },
    });
    await svc([...line, '--data', '{"a":[1]}', '-f', 'b=2']);
    expect(await readData()).toEqual({ a: [1], b: '2' });
    await svc([...line, '--clear', 'data']);
    expect(await readData()).toBeNull();
    await svc([...line, '--merge-data', '-f', 'plan=pro']);
    expect(await readData()).toEqual({ plan: 'pro' });
  });

  it.each([
    ['no change', [], 'No changes are given.'],
    ['--merge-data without data', ['--merge-data', '--email', 'a@example.com'], '--merge-data'],
    ['a field that is also cleared', ['--email', 'a@b.co', '--clear', 'email'], '`email`'],
    ['an unknown field to clear', ['--clear', 'mail'], 'mail'],
    ['an e-mail address that is not valid', ['--email', 'ada'], 'email'],
    ['data that is not an object', ['--data', '[]'], '--data'],
  ])('is a usage error for %s', async (_name, options, message) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc([...line, ...options]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });

  it('does not create a subscriber', async () => {
    const { svc } = await openRig();
    expect((await svc(['subscribers', 'update', 'missing', '--email', 'a@b.co'])).code).toBe(5);
  });

  it('shows the request with --dry-run, after reading the data to merge', async () => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc([...line, '--merge-data', '-f', 'x=1', '--dry-run']);
    expect(requests.map((request) => request.line)).toEqual(['GET /v2/subscribers/u1']);
    expect(stdout).toContain('"plan":"team"');
  });
});
