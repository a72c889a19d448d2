// Protected profiles: which profiles are protected by default, and how to turn protection on and off. Also checks that
// saving profiles of environments never overwrites the profile of another environment.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseUrl, testKey } from '../support/fixed.ts';
import { openRig, type Rig } from '../support/rig.ts';

const environmentId = 'b'.repeat(24);

const environment = (name: string, type: string, key = testKey) => ({
  _id: environmentId,
  name,
  _organizationId: 'c'.repeat(24),
  identifier: name.toLowerCase(),
  type,
  apiKeys: [{ key, _userId: 'd'.repeat(24) }],
});

const login = ['login', '--base-url', baseUrl, '--profile', 'live', '--with-key'];

/** Logs in to an environment with this name and type. Returns the rig and the result of the login. */
async function logIn(name: string, type: string, ...options: string[]) {
  const rig = await openRig({ bare: true });
  rig.answer({ status: 200, body: [environment(name, type)] });
  const ran = await rig.svc([...login, ...options], { stdin: testKey });
  expect(ran.code).toBe(0);
  return { ...rig, ran };
}

const storedProfiles = ({ folder }: Pick<Rig, 'folder'>) => {
  const text = readFileSync(path.join(folder, 'config', 'config.json'), 'utf8');
  return (JSON.parse(text) as { profiles: Record<string, object> }).profiles;
};

const renameTopic = ['topics', 'rename', 'announcements', 'News'];

describe('a profile of an environment named Production', () => {
  it.each(['Production', 'production', 'PRODUCTION'])('is protected (%s)', async (name) => {
    const { svc, ran } = await logIn(name, 'prod');
    expect(ran.stderr).toContain('Profile live is protected');
    expect(ran.stderr).toContain('svc profiles unprotect live');
    const refused = await svc([...renameTopic, '--yes']);
    expect({ code: refused.code, requests: refused.requests }).toEqual({ code: 2, requests: [] });
    expect(refused.stderr).toContain(`in ${name} (profile live), and the profile is protected.`);
    expect(refused.stderr).toContain('--confirm live');
    expect((await svc([...renameTopic, '--confirm', 'prod'])).stderr).toContain(
      '`prod` is not the name of the profile (live).',
    );
    expect((await svc([...renameTopic, '--confirm', 'live'])).code).toBe(0);
    expect((await svc(['topics', 'list'])).code).toBe(0);
    expect(JSON.parse((await svc(['profiles', 'show', '--json'])).stdout)).toMatchObject({
      protected: true,
    });
  });

  it('is unprotected after login --no-protect, also after another login, until login --protect', async () => {
    const { svc, answer } = await logIn('Production', 'prod', '--no-protect');
    expect((await svc(renameTopic)).code).toBe(0);
    answer({ status: 200, body: [environment('Production', 'prod')] });
    expect((await svc(login, { stdin: testKey })).code).toBe(0);
    expect((await svc(renameTopic)).code).toBe(0);
    answer({ status: 200, body: [environment('Production', 'prod')] });
    expect((await svc([...login, '--protect'], { stdin: testKey })).code).toBe(0);
    expect((await svc(renameTopic)).code).toBe(2);
  });

  it('is protected if it was stored without a choice of protection', async () => {
    const rig = await openRig({ bare: true });
    await rig.svc(login, { stdin: testKey });
    const file = path.join(rig.folder, 'config', 'config.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"Development"', '"Production"'));
    expect((await rig.svc(renameTopic)).code).toBe(2);
  });

  it('needs no confirmation if environment variables set another service, unless a name selects the profile', async () => {
    const { svc, answer } = await logIn('Production', 'prod');
    const env = { SVC_BASE_URL: 'https://other.test', SVC_API_KEY: testKey };
    answer({ status: 200, body: { key: 'announcements' } });
    expect((await svc(renameTopic, { env })).code).toBe(0);
    expect((await svc([...renameTopic, '--profile', 'live'], { env })).code).toBe(2);
    expect((await svc(renameTopic, { env: { ...env, SVC_PROFILE: 'live' } })).code).toBe(2);
  });
});

describe('a login with the key of another environment than the profile has', () => {
  it.each([
    ['Production', 'prod'],
    ['Live EU', 'prod'],
    ['Other', 'dev'],
  ])(
    '(%s, %s) fails, stores nothing, asks nothing and does not say that it is protected',
    async (name, type) => {
      const rig = await logIn('Development', 'dev');
      const before = storedProfiles(rig);
      for (const options of [{}, { tty: true as const, stdin: `${testKey}\n` }]) {
        rig.answer({
          status: 200,
          body: [{ ...environment(name, type, 'e'.repeat(32)), _id: 'f'.repeat(24) }],
        });
        const env = { SVC_API_KEY: 'e'.repeat(32) };
        const { code, stdout, stderr } = await rig.svc(login.slice(0, -1), { env, ...options });
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr.replace(/\s+/g, ' ')).toMatch(
          /^Error: Profile `live` already exists for environment Development\./,
        );
        expect(storedProfiles(rig)).toEqual(before);
      }
    },
  );
});

describe('a profile of another environment', () => {
  it('is not protected if the environment has another type', async () => {
    const { svc } = await logIn('Staging', 'dev');
    expect((await svc(renameTopic)).code).toBe(0);
  });

  it('is protected without a terminal to ask on if the environment is of type prod', async () => {
    const { svc, ran } = await logIn('Live EU', 'prod');
    expect(ran.stderr).toContain('Profile live is protected');
    expect((await svc(renameTopic)).code).toBe(2);
    expect((await svc([...renameTopic, '--confirm', 'live'])).code).toBe(0);
  });

  it('of type prod is not protected after login --no-protect', async () => {
    const { svc } = await logIn('Live EU', 'prod', '--no-protect');
    expect((await svc(renameTopic)).code).toBe(0);
  });

  it('is stored with the id, name and type of the environment', async () => {
    const rig = await logIn('Live EU', 'prod');
    expect(storedProfiles(rig)).toMatchObject({
      live: { environment: 'Live EU', environmentId, environmentType: 'prod' },
    });
  });
});

describe('a login with another key to a server that does not list keys', () => {
  it('keeps the environment of the profile and its protection', async () => {
    const rig = await logIn('Production', 'prod');
    rig.answer({ status: 200, body: [{ ...environment('Production', 'prod'), apiKeys: [] }] });
    const ran = await rig.svc([...login, '--json'], {
      ...{ stdin: 'e'.repeat(32), tty: 'stderr', columns: 1000 },
    });
    expect(JSON.parse(ran.stdout)).toMatchObject({ environment: 'Production' });
    expect(ran.stderr).toContain('Profile live keeps environment Production');
    expect(storedProfiles(rig)).toMatchObject({
      live: {
        ...{ key: 'e'.repeat(32), environment: 'Production' },
        ...{ environmentId, environmentType: 'prod' },
      },
    });
    expect((await rig.svc(renameTopic)).code).toBe(2);
  });
});

describe('a listing that shows another name or type of the environment of a profile', () => {
  /** Logs in to Staging, of type dev; then a command lists the environment with these changes. */
  async function listChanged(changes: object, ...options: string[]) {
    const rig = await logIn('Staging', 'dev', ...options);
    rig.answer({ status: 200, body: [{ ...environment('Staging', 'dev'), ...changes }] });
    const listed = await rig.svc(['environments', 'list', '--json']);
    expect(listed.code).toBe(0);
    return { ...rig, listed };
  }

  it.each([
    ['named Production', { name: 'PRODUCTION' }, []],
    ['of type prod', { type: 'prod' }, []],
    ['named Production, and lists no keys', { name: 'Production', apiKeys: [] }, []],
    ['named Production, after login --no-protect', { name: 'Production' }, ['--no-protect']],
  ])('protects the profile if it is now %s', async (_name, changes, options) => {
    const { svc, listed } = await listChanged(changes, ...options);
    expect(listed.stderr).toContain('Profile live is protected from now on');
    expect(listed.stderr).toContain('svc profiles unprotect live');
    const refused = await svc(renameTopic);
    expect({ code: refused.code, requests: refused.requests }).toEqual({ code: 2, requests: [] });
    expect((await svc([...renameTopic, '--confirm', 'live'])).code).toBe(0);
  });

  it('stores the new name without a message if the profile stays open', async () => {
    const rig = await listChanged({ name: 'QA' });
    expect(rig.listed.stderr).toBe('');
    expect(storedProfiles(rig)).toMatchObject({ live: { environment: 'QA', environmentId } });
    expect((await rig.svc(renameTopic)).code).toBe(0);
  });

  it('does not end the protection of a profile', async () => {
    const { svc, answer } = await logIn('Production', 'prod');
    answer({ status: 200, body: [environment('Old', 'dev')] });
    const { stderr } = await svc(['whoami']);
    expect(stderr).toContain('Profile live stays protected');
    expect((await svc(renameTopic)).code).toBe(2);
  });

  it('leaves the choice of login --no-protect for Production alone', async () => {
    const { svc, answer } = await logIn('Production', 'prod', '--no-protect');
    answer({ status: 200, body: [environment('Production', 'prod')] });
    expect((await svc(['environments', 'list'])).stderr).toBe('');
    expect((await svc(renameTopic)).code).toBe(0);
  });

  it('does not fail the command if the configuration cannot be written', async () => {
    const rig = await logIn('Staging', 'dev');
    const listed = { status: 200, body: [environment('Production', 'dev')] };
    // The write fails because it cannot remove this folder in place of a temporary file.
    mkdirSync(path.join(rig.folder, 'config', 'config.json.tmp-x', 'x'), { recursive: true });
    rig.answer(listed);
    const { code, stderr } = await rig.svc(['environments', 'list']);
    expect(code).toBe(0);
    expect(stderr).toContain('The profiles were not updated');
  });
});

describe('svc environments list --save-profiles', () => {
  const save = ['environments', 'list', '--save-profiles'];

  it('protects the profile of an environment of type prod without a terminal', async () => {
    const rig = await openRig();
    rig.answer({ status: 200, body: [environment('Prod EU', 'prod')] });
    const { stderr } = await rig.svc(save);
    expect(stderr).toContain('Profile prod-eu is protected');
    const env = { SVC_BASE_URL: '', SVC_API_KEY: '', SVC_PROFILE: 'prod-eu' };
    expect((await rig.svc(renameTopic, { env })).code).toBe(2);
  });

  it('stores the id, name and type of each environment, and protects the profile of Production', async () => {
    const rig = await openRig();
    expect((await rig.svc(save)).code).toBe(0);
    expect(storedProfiles(rig)).toMatchObject({
      development: { environment: 'Development', environmentType: 'dev' },
      production: {
        environment: 'Production',
        environmentType: 'prod',
        environmentId: expect.stringMatching(/^[0-9a-f]{24}$/),
      },
    });
    const env = { SVC_BASE_URL: '', SVC_API_KEY: '', SVC_PROFILE: 'production' };
    const refused = await rig.svc([...renameTopic, '--yes'], { env });
    expect({ code: refused.code, requests: refused.requests }).toEqual({ code: 2, requests: [] });
  });

  it.each([
    [
      'an environment with the same name and another id',
      { environment: 'Development', environmentId },
    ],
    ['an environment with another name', { environment: 'QA' }],
    ['an unknown environment', { environment: undefined, environmentId: undefined, key: 'x' }],
  ])('does not overwrite a profile of %s', async (_name, change) => {
    const rig = await openRig();
    await rig.svc(save);
    const file = path.join(rig.folder, 'config', 'config.json');
    const configuration = JSON.parse(readFileSync(file, 'utf8'));
    const { environmentId: _id, ...development } = configuration.profiles.development;
    configuration.profiles.development = { ...development, ...change };
    delete configuration.profiles.production;
    writeFileSync(file, JSON.stringify(configuration));
    const before = storedProfiles(rig);
    const { code, stderr } = await rig.svc(save);
    expect(code).toBe(2);
    expect(stderr).toContain('Profile `development` already exists for');
    expect(storedProfiles(rig)).toEqual(before);
  });

  it('replaces the key of a profile of the same environment, also if its name has changed', async () => {
    const rig = await openRig();
    const first = environment('Staging', 'dev', 'a'.repeat(32));
    rig.answer({ status: 200, body: [first] });
    await rig.svc(save);
    rig.answer({ status: 200, body: [{ ...first, name: 'staging', apiKeys: [{ key: testKey }] }] });
    expect((await rig.svc(save)).code).toBe(0);
    expect(storedProfiles(rig)).toMatchObject({
      staging: { key: testKey, environment: 'staging' },
    });
  });

  it('stores nothing if two environments would have the same profile name', async () => {
    const rig = await openRig();
    const two = [environment('Live EU', 'prod'), environment('Live-EU', 'prod')];
    rig.answer({ status: 200, body: two });
    const { code, stderr } = await rig.svc(save);
    expect(code).toBe(2);
    expect(stderr).toContain('have the same profile name, `live-eu`');
    expect((await rig.svc(['profiles', 'list', '--json'])).stdout).toBe('[]\n');
  });

  it('does not mark the new profiles as sandboxes because the current profile is one', async () => {
    const rig = await openRig();
    await rig.svc(save);
    const file = path.join(rig.folder, 'config', 'config.json');
    const configuration = JSON.parse(readFileSync(file, 'utf8'));
    configuration.profiles = { box: { ...configuration.profiles.development, sandbox: true } };
    configuration.current = 'box';
    writeFileSync(file, JSON.stringify(configuration));
    await rig.svc(save);
    expect(storedProfiles(rig).development).toMatchObject({ environment: 'Development' });
    expect(storedProfiles(rig).development).not.toHaveProperty('sandbox');
  });
});

describe('svc environments create --save-profile', () => {
  it('creates no environment if the profile already belongs to another environment', async () => {
    const { svc } = await openRig();
    const line = ['environments', 'create', 'Preview', '--color', '#123456'];
    expect((await svc([...line, '--save-profile', 'preview'])).code).toBe(0);
    const { code, requests } = await svc([...line, '--save-profile', 'preview']);
    // The profile is protected, and its environment could be that of the key.
    expect({ code, lines: requests.map(({ line }) => line) }).toEqual({
      code: 2,
      lines: ['GET /v1/environments'],
    });
  });
});
