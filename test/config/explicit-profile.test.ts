// A profile from -p takes precedence over the variables of a service; a profile from SVC_PROFILE does not.
import { describe, expect, it } from 'vitest';
import { baseUrl, testKey } from '../support/fixed.ts';
import { parsed, writeInput } from '../support/rig.ts';
import { openTwoEnvironments, sentKeys } from '../support/two-environments.ts';

/** Profiles for both environments, none of them current, and variables with the key of Production. */
async function openWithVariables() {
  const { rig, edit, keyOf } = await openTwoEnvironments();
  edit((configuration) => {
    delete configuration.current;
  });
  await rig.svc(['topics', 'create', 'announcements', '-p', 'production']);
  const env = { SVC_BASE_URL: baseUrl, SVC_API_KEY: keyOf('production') };
  const keys = { development: keyOf('development'), production: keyOf('production') };
  return { rig, edit, env, keys };
}

const rename = ['topics', 'rename', 'announcements', 'News'];

describe('-p', () => {
  it.each([['-p', 'development'], ['--profile', 'development'], ['--profile=development']])(
    '%s takes precedence over SVC_BASE_URL and SVC_API_KEY',
    async (...option) => {
      const { rig, env, keys } = await openWithVariables();
      const variables = [
        env,
        { SVC_API_KEY: env.SVC_API_KEY },
        { SVC_BASE_URL: 'https://other.test' },
      ];
      for (const given of variables) {
        for (const line of [
          ['workflows', 'disable', 'welcome', ...option],
          [...option, 'topics', 'list', '--all'],
        ]) {
          const { code, stderr, requests } = await rig.svc(line, { env: given });
          expect({ code, stderr }).toEqual({
            code: 0,
            stderr: expect.not.stringContaining('SVC_'),
          });
          expect(sentKeys(requests)).toEqual([`ApiKey ${keys.development}`]);
        }
      }
    },
  );

  it('does not take precedence over --base-url and --api-key-file', async () => {
    const { rig, env, keys } = await openWithVariables();
    const file = writeInput(rig, 'key', keys.production);
    const options = ['--base-url', baseUrl, '--api-key-file', file];
    const both = await rig.svc(['topics', 'list', '-p', 'development', ...options], { env });
    expect(sentKeys(both.requests)).toEqual([`ApiKey ${keys.production}`]);
    const other = ['topics', 'list', '-p', 'development', '--base-url', 'https://other.test'];
    const elsewhere = await rig.svc(other, { env });
    expect(elsewhere).toMatchObject({ code: 4, requests: [] });
    expect(elsewhere.stderr).toContain('is not sent to https://other.test');
    const keyOnly = ['topics', 'list', '-p', 'development', '--api-key-file', file];
    const mixed = await rig.svc(keyOnly, { env });
    expect(mixed).toMatchObject({ code: 4, requests: [] });
    expect(mixed.stderr).toContain(
      '--api-key-file is given, but the base URL comes from profile development.\nAlso set the base URL (--base-url), or',
    );
  });

  it.each(['--profile=', '--base-url=', '--api-key-file= '])(
    'is refused without a value, as %s of a variable that is not set',
    async (option) => {
      const { rig } = await openWithVariables();
      const { code, stderr, requests } = await rig.svc(['topics', 'list', option]);
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
      expect(stderr).toContain(`Error: ${option.split('=')[0]}: the value is empty.\n`);
    },
  );

  it('says on a terminal which variables it overrides', async () => {
    const { rig, env } = await openWithVariables();
    const line = ['topics', 'get', 'announcements', '-p', 'development'];
    const stderrOf = async (given: Record<string, string>, ...more: string[]) =>
      (await rig.svc([...line, ...more], { env: given, tty: 'stderr', columns: 200 })).stderr;
    const both = 'SVC_BASE_URL and SVC_API_KEY are ignored, because --profile takes precedence.\n';
    const key = 'SVC_API_KEY is ignored, because --profile takes precedence.\n';
    expect(await stderrOf({ ...env, SVC_BASE_URL: 'https://other.test' })).toBe(both);
    expect(await stderrOf(env)).toBe(key);
    expect(await stderrOf(env, '--json')).toBe(key);
    expect(await stderrOf(env, '--quiet')).toBe('');
    expect(await stderrOf({})).toBe('');
    const same = await rig.svc(['topics', 'list', '-p', 'production'], { env, tty: 'stderr' });
    expect(same.stderr).not.toContain('SVC_');
  });

  it('is in the commands that svc proposes, also if it is current', async () => {
    const { rig, edit, env } = await openWithVariables();
    edit((configuration) => {
      configuration.current = 'development';
    });
    const line = ['topics', 'get', 'unknown-topic', '-p', 'development'];
    expect((await rig.svc(line, { env })).stderr).toContain(
      'svc topics list --profile development',
    );
    expect((await rig.svc(line)).stderr).not.toContain('--profile');
  });

  it('decides which values Tab offers', async () => {
    const { rig, env } = await openWithVariables();
    await rig.svc(['topics', 'create', 'only-here', '-p', 'development'], { env });
    await rig.svc(['topics', 'list', '-p', 'development'], { env });
    const complete = async (...options: string[]) =>
      (await rig.svc(['__complete', '--', 'topics', 'get', ...options, ''], { env })).stdout;
    expect(await complete()).not.toContain('only-here');
    expect(await complete('--profile', 'development')).toContain('only-here');
  });
});

describe('whoami and doctor', () => {
  const addressCheck = (stdout: string) =>
    (JSON.parse(stdout) as { name: string; status: string; message: string }[]).find(
      ({ name }) => name === 'address',
    );

  it('name the variables that -p overrides', async () => {
    const { rig, env } = await openWithVariables();
    const { stdout } = await rig.svc(['whoami', '--json', '-p', 'development'], { env });
    expect(parsed(stdout)).toMatchObject({
      ...{ baseUrlFrom: 'profile development', keyFrom: 'profile development' },
      ...{ profile: 'development', environment: 'Development', overridden: ['SVC_API_KEY'] },
    });
    const checked = await rig.svc(['doctor', '--json', '-p', 'development'], { env });
    expect(checked.code).toBe(0);
    expect(addressCheck(checked.stdout)).toMatchObject({
      status: 'ok',
      message: `${baseUrl} (profile development); SVC_API_KEY is ignored, because --profile takes precedence`,
    });
  });

  it('name SVC_PROFILE if the variables of a service override it', async () => {
    const { rig, env } = await openWithVariables();
    const given = { ...env, SVC_PROFILE: 'development' };
    const { stdout } = await rig.svc(['whoami', '--json'], { env: given });
    expect(parsed(stdout)).toMatchObject({
      ...{ profile: null, environment: 'Production', overridden: ['SVC_PROFILE'] },
    });
    const checked = await rig.svc(['doctor', '--json'], { env: given });
    expect(addressCheck(checked.stdout)?.message).toBe(
      `${baseUrl} (SVC_BASE_URL); SVC_PROFILE is ignored, because SVC_BASE_URL and SVC_API_KEY take precedence`,
    );
    const listed = await rig.svc(['topics', 'list'], { env: given, tty: 'stderr', columns: 200 });
    expect(listed.stderr).toContain(
      'SVC_PROFILE is ignored, because SVC_BASE_URL and SVC_API_KEY take precedence.\n',
    );
  });

  it('name no variables if none is overridden', async () => {
    const { rig, env } = await openWithVariables();
    for (const given of [
      env,
      { ...env, SVC_PROFILE: 'production' },
      { SVC_PROFILE: 'production' },
    ]) {
      const { stdout } = await rig.svc(['whoami', '--json'], { env: given });
      expect(parsed(stdout)).toMatchObject({ environment: 'Production' });
      expect(parsed(stdout)).not.toHaveProperty('overridden');
      const checked = await rig.svc(['doctor', '--json'], { env: given });
      expect(addressCheck(checked.stdout)?.message).not.toContain('ignored');
    }
  });
});

describe('variables with the address and key of a protected profile', () => {
  async function openProtected() {
    const opened = await openWithVariables();
    opened.edit(({ profiles }) => {
      Object.assign(profiles.production ?? {}, { protected: true });
    });
    return opened;
  }

  it('need the name of the profile for every write, without a request', async () => {
    const { rig, env } = await openProtected();
    const refused = await rig.svc([...rename, '--yes'], { env });
    expect({ code: refused.code, requests: refused.requests, stderr: refused.stderr }).toEqual({
      code: 2,
      requests: [],
      stderr:
        'Error: `svc topics rename` changes data in Production (profile production), and the profile is protected.\nRun the command again with --confirm production.\n',
    });
    const confirmed = await rig.svc([...rename, '--confirm', 'production'], { env });
    expect({ code: confirmed.code, requests: confirmed.requests.length }).toEqual({
      code: 0,
      requests: 1,
    });
    expect((await rig.svc(['topics', 'list'], { env })).code).toBe(0);
  });

  it('are protected also with a key from a file, and beside SVC_PROFILE of another profile', async () => {
    const { rig, env, keys } = await openProtected();
    const file = writeInput(rig, 'key', keys.production);
    const options = ['--base-url', `${baseUrl}/v1/`, '--api-key-file', file];
    expect(await rig.svc([...rename, ...options])).toMatchObject({ code: 2, requests: [] });
    const beside = { env: { ...env, SVC_PROFILE: 'development' } };
    expect(await rig.svc(rename, beside)).toMatchObject({ code: 2, requests: [] });
    expect((await rig.svc([...rename, '--confirm', 'production'], beside)).code).toBe(0);
  });

  it('are read-only if the profile is', async () => {
    const { rig, edit, env } = await openWithVariables();
    edit(({ profiles }) => Object.assign(profiles.production ?? {}, { readOnly: true }));
    const { code, stderr, requests } = await rig.svc(rename, { env });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('profile production is read-only');
  });

  it('are protected with another key of its environment, which takes one request', async () => {
    const { rig, edit, env } = await openProtected();
    edit(({ profiles }) => Object.assign(profiles.production ?? {}, { key: 'f'.repeat(32) }));
    const refused = await rig.svc(rename, { env });
    expect(refused).toMatchObject({ code: 2, requests: [{ line: 'GET /v1/environments' }] });
    expect(refused.stderr).toContain('in Production (profile production)');
  });

  it('are not protected with the key of another profile or environment, or another address', async () => {
    const { rig, edit, env, keys } = await openProtected();
    const development = { ...env, SVC_API_KEY: keys.development };
    expect((await rig.svc(rename, { env: development })).requests).toHaveLength(1);
    edit(({ profiles }) => {
      delete profiles.development;
    });
    const unknown = await rig.svc(rename, { env: development });
    expect({ code: unknown.code, requests: unknown.requests.map(({ line }) => line) }).toEqual({
      code: 0,
      requests: ['GET /v1/environments', 'PATCH /v2/topics/announcements'],
    });
    rig.answer({ status: 200, body: { key: 'announcements', name: 'News' } });
    const elsewhere = { ...env, SVC_BASE_URL: 'https://other.test' };
    expect((await rig.svc(rename, { env: elsewhere })).requests).toHaveLength(1);
  });

  it('without profiles are not protected, and take no more requests', async () => {
    const { rig, edit, env } = await openWithVariables();
    edit((configuration) => {
      configuration.profiles = {};
    });
    expect(await rig.svc(rename, { env })).toMatchObject({ code: 0, requests: [{}] });
  });

  it('a change of its environment by id is protected, whichever key is used', async () => {
    const { rig, edit, env, keys } = await openProtected();
    const { environmentId = '' } = edit(() => undefined).profiles.production ?? {};
    const update = ['environments', 'update', environmentId, '--color', '#ff0000'];
    const { code, stderr } = await rig.svc(update, {
      env: { ...env, SVC_API_KEY: keys.development },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('in Production (profile production), and the profile is protected.');
    edit((configuration) => {
      // Not in use, because the variables replace it.
      configuration.current = 'production';
    });
    const current = await rig.svc(update, { env: { ...env, SVC_API_KEY: keys.development } });
    expect(current.code).toBe(2);
  });
});

describe('a key that no profile has', () => {
  it('is not shown by an error of the additional request', async () => {
    const { rig, edit, env } = await openWithVariables();
    edit(({ profiles }) => Object.assign(profiles.production ?? {}, { protected: true }));
    rig.answer({ status: 401, body: { message: `Key ${testKey}0 is unknown` } });
    const { code, stderr, requests } = await rig.svc(rename, {
      env: { ...env, SVC_API_KEY: `${testKey}0` },
    });
    expect({ code, requests: requests.map(({ line }) => line) }).toEqual({
      code: 4,
      requests: ['GET /v1/environments'],
    });
    expect(stderr).not.toContain(testKey);
  });
});
