import { describe, expect, it } from 'vitest';
import { baseUrl, testKey } from '../../support/fixed.ts';
import { openRig } from '../../support/rig.ts';

/** A rig with the profiles main (current) and spare (protected). */
async function openRigWithProfiles() {
  const rig = await openRig({ bare: true });
  for (const name of ['main', 'spare']) {
    await rig.svc(
      [
        'login',
        '--base-url',
        baseUrl,
        '--with-key',
        '--profile',
        name,
        ...(name === 'spare' ? ['--protect'] : []),
      ],
      { stdin: testKey },
    );
  }
  return rig;
}

describe('svc profiles', () => {
  it('list marks the current profile and prints no key', async () => {
    const { svc } = await openRigWithProfiles();
    const { stdout, code } = await svc(['profiles', 'list'], { tty: true });
    expect({ stdout, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stdout": "PROFILE  CURRENT  BASE URL                  ENVIRONMENT  PROTECTED  KEY
      main     yes      http://sandbox.localhost  Development             file
      spare             http://sandbox.localhost  Development  yes        file
      ",
      }
    `);
    expect((await svc(['profiles', 'list', '--json', '--reveal'])).stdout).not.toContain(testKey);
    expect((await svc(['profiles', 'list', '-o', 'ids'])).stdout).toBe('main\nspare\n');
    expect((await svc(['profiles', 'list'])).stdout.split('\n')[0]).toBe(
      `main\tyes\t${baseUrl}\tDevelopment\t\tfile\t`,
    );
  });

  it('show prints the documented JSON fields', async () => {
    const { svc } = await openRigWithProfiles();
    expect(JSON.parse((await svc(['profiles', 'show', 'spare', '--json'])).stdout)).toEqual({
      name: 'spare',
      baseUrl,
      environment: 'Development',
      protected: true,
      keySource: 'file',
      readOnly: false,
      current: false,
    });
    expect((await svc(['profiles', 'show'], { tty: true })).stdout).toMatch(/PROFILE +main/);
    expect((await svc(['profiles', 'show'])).stdout).toContain('name\tmain\n');
  });

  it('use, rename and delete change the current profile', async () => {
    const { svc } = await openRigWithProfiles();
    expect((await svc(['profiles', 'use', 'spare'], { tty: true })).stdout).toBe(
      `Profile spare is now the current profile: ${baseUrl}.\n`,
    );
    expect(
      JSON.parse((await svc(['profiles', 'rename', 'spare', 'other', '--json'])).stdout),
    ).toEqual({ renamed: 'spare', name: 'other' });
    expect((await svc(['profiles', 'show', '--jq', '.name'])).stdout).toBe('other\n');
    expect((await svc(['profiles', 'delete', 'other', '--yes'])).stdout).toContain(
      'deleted\ttrue\n',
    );
    expect((await svc(['profiles', 'list', '-o', 'ids'])).stdout).toBe('main\n');
    const { code, stderr } = await svc(['topics', 'list']);
    expect(code).toBe(4);
    expect(stderr).toContain('no current profile.\n  svc profiles use main\n');
  });

  it.each([
    [['use', 'mian'], 'Did you mean `main`?'],
    [['show', 'nope'], 'Unknown profile'],
    [['rename', 'main', 'spare'], 'already exists'],
    [['rename', 'main', 'a b'], 'not a valid profile name'],
    [['delete', 'nope', '--yes'], 'Unknown profile'],
    [['protect', 'nope'], 'Unknown profile'],
    [['unprotect', 'mian'], 'Did you mean `main`?'],
    [['unprotect', 'spare'], 'Confirm with --yes'],
    [['read-only', 'nope'], 'Unknown profile'],
    [['delete', 'main'], 'Confirm with --yes'],
  ])('%j is a usage error', async (words, message) => {
    const { svc } = await openRigWithProfiles();
    const { code, stderr } = await svc(['profiles', ...words]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('what a profile allows to write', () => {
  const write = (profile: string) => ['topics', 'rename', 'announcements', 'x', '-p', profile];

  it('changes with protect and unprotect', async () => {
    const { svc } = await openRigWithProfiles();
    const protect = await svc(['profiles', 'protect', 'main'], { tty: true });
    expect(protect.stdout).toBe('Profile main is protected: every write needs --confirm main.\n');
    expect((await svc(write('main'))).code).toBe(2);
    const unprotect = ['profiles', 'unprotect', 'main', '--yes', '--json'];
    expect(JSON.parse((await svc(unprotect)).stdout)).toEqual({
      profile: 'main',
      protected: false,
    });
    expect((await svc(write('main'))).code).toBe(0);
  });

  it('is given back with the name of the profile, without a question', async () => {
    const { svc } = await openRigWithProfiles();
    await svc(['profiles', 'protect', 'main']);
    const unprotect = ['profiles', 'unprotect', 'main', '--confirm'];
    expect((await svc([...unprotect, 'spare'])).code).toBe(2);
    expect((await svc([...unprotect, 'main'])).code).toBe(0);
    expect((await svc(write('main'))).code).toBe(0);
  });

  it('is not asked for if the profile is not protected', async () => {
    const { svc } = await openRigWithProfiles();
    expect((await svc(['profiles', 'unprotect', 'main'])).code).toBe(0);
  });

  it('changes with read-only, and another login keeps it', async () => {
    const { svc } = await openRigWithProfiles();
    const readOnly = await svc(['profiles', 'read-only', 'main'], { tty: true });
    expect(readOnly.stdout).toBe('Profile main is read-only: svc rejects every write with it.\n');
    await svc(['login', '-p', 'main', '--with-key'], { stdin: testKey });
    expect((await svc(write('main'))).stderr).toContain('is read-only');
    const table = await svc(['profiles', 'list'], { tty: true, columns: 100 });
    expect(table.stdout).toMatch(/READ-ONLY\nmain .* yes\n/);
    const off = await svc(['profiles', 'read-only', 'main', '--off', '--json']);
    expect(JSON.parse(off.stdout)).toEqual({ profile: 'main', readOnly: false });
    expect((await svc(write('main'))).code).toBe(0);
  });
});

describe('svc with a protected profile', () => {
  const write = ['topics', 'rename', 'announcements', 'x', '--profile', 'spare'];
  it('requires --confirm <profile> for every write; --yes is not enough', async () => {
    const { svc } = await openRigWithProfiles();
    const { code, stderr, requests } = await svc([...write, '--yes']);
    expect({ code, stderr, requests }).toMatchInlineSnapshot(`
      {
        "code": 2,
        "requests": [],
        "stderr": "Error: \`svc topics rename\` changes data in Development (profile spare), and the profile is protected.
      Run the command again with --confirm spare.
      ",
      }
    `);
    expect((await svc([...write, '--confirm', 'main'])).code).toBe(2);
    expect((await svc([...write, '--confirm', 'spare'])).code).toBe(0);
    expect((await svc(['topics', 'list', '--profile', 'spare'])).code).toBe(0);
  });
});
