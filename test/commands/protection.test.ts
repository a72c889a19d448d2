// Protected profiles: which profiles are protected by default, and how to turn protection on and off. Also checks that
// saving profiles of environments never overwrites the profile of another environment.
import { readFileSync, writeFileSync } from 'node:fs';
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
    expect(ran.stderr).toContain('--no-protect');
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

  it('needs no confirmation if environment variables set another service, unless --profile selects it', async () => {
    const { svc } = await logIn('Production', 'prod');
    const env = { SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey };
    expect((await svc(renameTopic, { env })).code).toBe(0);
    expect((await svc([...renameTopic, '--profile', 'live'], { env })).code).toBe(2);
  });
});

describe('a profile of another environment', () => {
  it.each([
    ['Staging', 'dev'],
    ['Live EU', 'prod'],
  ])('is not protected without a terminal to ask on (%s, type %s)', async (name, type) => {
    const { svc } = await logIn(name, type);
    expect((await svc(renameTopic)).code).toBe(0);
  });

  it('is stored with the id, name and type of the environment', async () => {
    const rig = await logIn('Live EU', 'prod');
    expect(storedProfiles(rig)).toMatchObject({
      live: { environment: 'Live EU', environmentId, environmentType: 'prod' },
    });
  });
});

describe('svc environments list --save-profiles', () => {
  const save = ['environments', 'list', '--save-profiles'];

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
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });
});
