// Which profiles are protected without asking for it, and how that is switched off.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseUrl, testKey } from '../support/fixed.ts';
import { openRig, type Rig } from '../support/rig.ts';

const id24 = 'b'.repeat(24);

const environment = (name: string, type: string, key = testKey) => ({
  _id: id24,
  name,
  _organizationId: 'c'.repeat(24),
  identifier: name.toLowerCase(),
  type,
  apiKeys: [{ key, _userId: 'd'.repeat(24) }],
});

const login = ['login', '--base-url', baseUrl, '--profile', 'live', '--with-key'];

/** Logs in to an environment of that name and type. */
async function loggedIn(name: string, type: string, ...more: string[]) {
  const rig = await openRig({ bare: true });
  rig.answer({ status: 200, body: [environment(name, type)] });
  const ran = await rig.svc([...login, ...more], { stdin: testKey });
  expect(ran.code).toBe(0);
  return { ...rig, ran };
}

const stored = ({ folder }: Pick<Rig, 'folder'>) => {
  const text = readFileSync(path.join(folder, 'config', 'config.json'), 'utf8');
  return (JSON.parse(text) as { profiles: Record<string, object> }).profiles;
};

const write = ['topics', 'rename', 'announcements', 'News'];

describe('a profile of an environment named Production', () => {
  it.each(['Production', 'production', 'PRODUCTION'])('(%s) is protected', async (name) => {
    const { svc, ran } = await loggedIn(name, 'prod');
    expect(ran.stderr).toContain('Profile live is protected');
    expect(ran.stderr).toContain('--no-protect');
    const refused = await svc([...write, '--yes']);
    expect({ code: refused.code, requests: refused.requests }).toEqual({ code: 2, requests: [] });
    expect(refused.stderr).toContain(`in ${name} (profile live), and the profile is protected.`);
    expect(refused.stderr).toContain('--confirm live');
    expect((await svc([...write, '--confirm', 'live'])).code).toBe(0);
    expect((await svc(['topics', 'list'])).code).toBe(0);
    expect(JSON.parse((await svc(['profiles', 'show', '--json'])).stdout)).toMatchObject({
      protected: true,
    });
  });

  it('is not protected after login --no-protect, and stays so at the next login', async () => {
    const { svc, answer } = await loggedIn('Production', 'prod', '--no-protect');
    expect((await svc(write)).code).toBe(0);
    answer({ status: 200, body: [environment('Production', 'prod')] });
    expect((await svc(login, { stdin: testKey })).code).toBe(0);
    expect((await svc(write)).code).toBe(0);
    answer({ status: 200, body: [environment('Production', 'prod')] });
    expect((await svc([...login, '--protect'], { stdin: testKey })).code).toBe(0);
    expect((await svc(write)).code).toBe(2);
  });

  it('that an earlier version stored is protected too', async () => {
    const rig = await openRig({ bare: true });
    await rig.svc(login, { stdin: testKey });
    const file = path.join(rig.folder, 'config', 'config.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"Development"', '"Production"'));
    expect((await rig.svc(write)).code).toBe(2);
  });

  it('is not asked for where variables name another service', async () => {
    const { svc } = await loggedIn('Production', 'prod');
    const env = { SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey };
    expect((await svc(write, { env })).code).toBe(0);
    expect((await svc([...write, '--profile', 'live'], { env })).code).toBe(2);
  });
});

describe('a profile of another environment', () => {
  it.each([
    ['Staging', 'dev'],
    ['Live EU', 'prod'],
  ])('(%s, %s) is not protected where nobody can be asked', async (name, type) => {
    const { svc } = await loggedIn(name, type);
    expect((await svc(write)).code).toBe(0);
  });

  it('is stored with the id, name and type of the environment', async () => {
    const rig = await loggedIn('Live EU', 'prod');
    expect(stored(rig)).toMatchObject({
      live: { environment: 'Live EU', environmentId: id24, environmentType: 'prod' },
    });
  });
});

describe('svc environments list --save-profiles', () => {
  const save = ['environments', 'list', '--save-profiles'];

  it('stores id, name and type, and protects the profile of Production', async () => {
    const rig = await openRig();
    expect((await rig.svc(save)).code).toBe(0);
    expect(stored(rig)).toMatchObject({
      development: { environment: 'Development', environmentType: 'dev' },
      production: {
        environment: 'Production',
        environmentType: 'prod',
        environmentId: expect.stringMatching(/^[0-9a-f]{24}$/),
      },
    });
    const env = { SVC_BASE_URL: '', SVC_API_KEY: '', SVC_PROFILE: 'production' };
    const refused = await rig.svc([...write, '--yes'], { env });
    expect({ code: refused.code, requests: refused.requests }).toEqual({ code: 2, requests: [] });
  });

  it.each([
    ['of the same name with another id', { environment: 'Development', environmentId: id24 }],
    ['of another name', { environment: 'QA' }],
    ['that nobody knows', { environment: undefined, environmentId: undefined, key: 'x' }],
  ])('leaves a profile of an environment %s alone', async (_name, change) => {
    const rig = await openRig();
    await rig.svc(save);
    const file = path.join(rig.folder, 'config', 'config.json');
    const configuration = JSON.parse(readFileSync(file, 'utf8'));
    const { environmentId: _id, ...development } = configuration.profiles.development;
    configuration.profiles.development = { ...development, ...change };
    delete configuration.profiles.production;
    writeFileSync(file, JSON.stringify(configuration));
    const before = stored(rig);
    const { code, stderr } = await rig.svc(save);
    expect(code).toBe(2);
    expect(stderr).toContain('Profile `development` already exists for');
    expect(stored(rig)).toEqual(before);
  });

  it('replaces the key of a profile of the same environment, also under its new name', async () => {
    const rig = await openRig();
    const first = environment('Staging', 'dev', 'a'.repeat(32));
    rig.answer({ status: 200, body: [first] });
    await rig.svc(save);
    rig.answer({ status: 200, body: [{ ...first, name: 'staging', apiKeys: [{ key: testKey }] }] });
    expect((await rig.svc(save)).code).toBe(0);
    expect(stored(rig)).toMatchObject({ staging: { key: testKey, environment: 'staging' } });
  });

  it('stores nothing when two environments would have one profile', async () => {
    const rig = await openRig();
    const two = [environment('Live EU', 'prod'), environment('Live-EU', 'prod')];
    rig.answer({ status: 200, body: two });
    const { code, stderr } = await rig.svc(save);
    expect(code).toBe(2);
    expect(stderr).toContain('have the same profile name, `live-eu`');
    expect((await rig.svc(['profiles', 'list', '--json'])).stdout).toBe('[]\n');
  });

  it('does not take the service of variables for the sandbox of the current profile', async () => {
    const rig = await openRig();
    await rig.svc(save);
    const file = path.join(rig.folder, 'config', 'config.json');
    const configuration = JSON.parse(readFileSync(file, 'utf8'));
    configuration.profiles = { box: { ...configuration.profiles.development, sandbox: true } };
    configuration.current = 'box';
    writeFileSync(file, JSON.stringify(configuration));
    await rig.svc(save);
    expect(stored(rig).development).not.toHaveProperty('sandbox');
  });
});

describe('svc environments create --save-profile', () => {
  it('creates nothing when the profile belongs to an environment that had the name before', async () => {
    const { svc } = await openRig();
    const line = ['environments', 'create', 'Preview', '--color', '#123456'];
    expect((await svc([...line, '--save-profile', 'preview'])).code).toBe(0);
    const { code, requests } = await svc([...line, '--save-profile', 'preview']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });
});
