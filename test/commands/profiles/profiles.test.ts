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
      `main\tyes\t${baseUrl}\tDevelopment\t\tfile`,
    );
  });

  it('list suggests how to create a profile when there are none', async () => {
    const { svc } = await openRig({ bare: true });
    const { stdout, stderr } = await svc(['profiles', 'list'], { tty: true });
    expect({ stdout, stderr }).toMatchInlineSnapshot(`
      {
        "stderr": "No profiles. \`svc login\` creates one; \`svc sandbox start\` creates one without an
        account.
      ",
        "stdout": "",
      }
    `);
  });

  it('show prints the documented JSON fields', async () => {
    const { svc } = await openRigWithProfiles();
    expect(JSON.parse((await svc(['profiles', 'show', 'spare', '--json'])).stdout)).toEqual({
      name: 'spare',
      baseUrl,
      environment: 'Development',
      protected: true,
      keySource: 'file',
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
    [['delete', 'main'], 'Confirm with --yes'],
  ])('%j is a usage error', async (words, message) => {
    const { svc } = await openRigWithProfiles();
    const { code, stderr } = await svc(['profiles', ...words]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
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
