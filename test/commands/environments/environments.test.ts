import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testKey } from '../../support/fixed.ts';
import { dataFormats } from '../../support/formats.ts';
import { openRig, parsed } from '../../support/rig.ts';

describe('svc environments list', () => {
  it('prints a table with masked keys', async () => {
    const { svc } = await openRig();
    const { stdout, stderr, code } = await svc(['environments', 'list'], {
      tty: true,
      columns: 120,
    });
    expect({ stdout, stderr, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "ID                        NAME         TYPE  IDENTIFIER    PARENT                    KEYS
      67748580715b67c40eeeb148  Development  dev   sandbox-dev                             ********
      67748580b8ff6a132c53c2f4  Production   prod  sandbox-prod  67748580715b67c40eeeb148  ********
      ",
      }
    `);
  });

  it.each([...dataFormats, []])('masks keys with %j %j', async (...options) => {
    const { svc } = await openRig();
    const { stdout } = await svc([
      'environments',
      'list',
      ...options.filter((word) => word !== undefined),
    ]);
    expect(stdout).toContain('Development');
    expect(stdout).not.toContain(testKey);
    expect(stdout).toContain('********');
  });

  it('prints keys with --reveal', async () => {
    const { svc } = await openRig();
    expect((await svc(['environments', 'list', '--json', '--reveal'])).stdout).toContain(testKey);
  });

  it('exits with 2 for an unknown option and with 4 for a wrong key', async () => {
    const { svc } = await openRig();
    expect(await svc(['environments', 'list', '--page', '1'])).toMatchObject({
      code: 2,
      requests: [],
    });
    const { code, stderr } = await svc(['environments', 'list'], {
      env: { SVC_API_KEY: 'f'.repeat(32) },
    });
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 4,
        "stderr": "Error: The service rejected the API key (API Key not found).
        (status 401, /v1/environments)
      Log in again, or check SVC_API_KEY and which key is active.
        svc login
        svc whoami
      ",
      }
    `);
  });
});

describe('svc environments create', () => {
  const line = ['environments', 'create', 'Staging', '--color', '#2f9e44'];

  it('prints the environment with its key masked', async () => {
    const { svc } = await openRig();
    const { stdout, code } = await svc(line, { tty: true });
    expect(code).toBe(0);
    expect(stdout).toMatch(/NAME +Staging/);
    expect(stdout).toMatch(/KEYS +\*{8}/);
  });

  it('sends name, color and parent, and prints the record', async () => {
    const { svc } = await openRig();
    const parent = JSON.parse((await svc(['environments', 'list', '--json'])).stdout)[0]
      ._id as string;
    const { stdout, requests } = await svc([...line, '--parent', parent, '--json', '--no-color']);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Staging', apiKeys: [{ key: '********' }] });
    expect(requests[0]?.body).toEqual({ name: 'Staging', color: '#2f9e44', parentId: parent });
    expect((await svc(['environments', 'create', 'QA', '--color', '#123'])).stdout).toContain(
      'Created environment QA at ',
    );
  });

  it.each([[['Staging']], [['Staging', '--color', 'green']], [['', '--color', '#123']]])(
    'rejects %j before it sends a request',
    async (words) => {
      const { svc } = await openRig();
      expect(await svc(['environments', 'create', ...words])).toMatchObject({
        code: 2,
        requests: [],
      });
    },
  );

  it('exits with 6 if the name is taken', async () => {
    const { svc } = await openRig();
    await svc(line);
    expect((await svc(line)).code).toBe(6);
  });
});

describe('svc environments: profiles', () => {
  it('--save-profiles saves one per environment without printing keys or overwriting profiles of other services', async () => {
    const { svc } = await openRig();
    const { code, stdout, stderr } = await svc(['environments', 'list', '--save-profiles']);
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Saved profile development for environment Development.
      Profile production is protected: every write needs --confirm production. To remove the protection: svc profiles unprotect production
      Saved profile production for environment Production.
      ",
      }
    `);
    expect(stdout).not.toContain(testKey);
    const elsewhere = { SVC_BASE_URL: 'http://other.localhost', SVC_API_KEY: testKey };
    const refused = await svc(['environments', 'list', '--save-profiles'], { env: elsewhere });
    expect({ code: refused.code, stderr: refused.stderr }).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "Error: Profile \`development\` already exists for http://sandbox.localhost.
      Choose another name, or delete that profile first.
        svc profiles delete development
      ",
      }
    `);
    const { stdout: profiles } = await svc(['profiles', 'list', '--json']);
    expect(JSON.parse(profiles)).toMatchObject([
      { name: 'development', environment: 'Development', baseUrl: 'http://sandbox.localhost' },
      { name: 'production', environment: 'Production', baseUrl: 'http://sandbox.localhost' },
    ]);
  });

  it('--save-profile saves the working key of the new environment', async () => {
    const { svc } = await openRig();
    const line = ['environments', 'create', 'Preview', '--color', '#123456'];
    expect((await svc([...line, '--save-profile', 'preview'])).code).toBe(0);
    const env = { SVC_BASE_URL: '', SVC_API_KEY: '' };
    expect((await svc(['whoami', '--json', '--profile', 'preview'], { env })).stdout).toContain(
      '"environment": "Preview"',
    );
  });

  const createEnvironment = (name: string, key: string) => ({
    _id: '6'.repeat(24),
    name,
    _organizationId: 'o',
    identifier: name.toLowerCase(),
    type: 'prod',
    apiKeys: [{ key, _userId: 'u' }],
  });
  const create = ['environments', 'create', 'Preview', '--color', '#123456'];

  it('--save-profile reads the usable key from the list when the create response has an encrypted key', async () => {
    const { svc, answer, folder } = await openRig();
    answer(
      { status: 200, body: [] },
      { status: 201, body: createEnvironment('Preview', 'nvsk.abc') },
      { status: 200, body: [createEnvironment('Preview', 'c'.repeat(32))] },
    );
    const { code, requests } = await svc([...create, '--save-profile', 'preview']);
    expect(code).toBe(0);
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /v1/environments',
      'POST /v1/environments',
      'GET /v1/environments',
    ]);
    const stored = readFileSync(path.join(folder, 'config', 'config.json'), 'utf8');
    expect(JSON.parse(stored).profiles.preview.key).toBe('c'.repeat(32));
    expect(stored).not.toContain('nvsk.');
  });

  it('--save-profile suggests `svc login` when the list has no usable key either', async () => {
    const { svc, answer } = await openRig();
    answer(
      { status: 200, body: [] },
      { status: 201, body: createEnvironment('Preview', 'nvsk.abc') },
      { status: 200, body: [createEnvironment('Preview', 'nvsk.abc')] },
    );
    const { code, stdout, stderr } = await svc([...create, '--save-profile', 'preview', '--json']);
    expect({ code, ...parsed(stdout) }).toMatchObject({ code: 8, name: 'Preview' });
    expect(stderr).toContain('The service did not return a usable key for environment Preview.');
    expect(stderr).toContain('svc login --profile preview');
  });

  it('--save-profiles does not save a profile with an encrypted key', async () => {
    const { svc, answer } = await openRig();
    const listed = [
      createEnvironment('Good', 'c'.repeat(32)),
      createEnvironment('Odd', 'nvsk.abc'),
    ];
    answer({ status: 200, body: listed });
    const { code, stderr } = await svc(['environments', 'list', '--save-profiles']);
    expect(code).toBe(0);
    expect(stderr).toContain(
      'The service did not return a usable key for environment Odd, so profile odd was not saved.',
    );
    expect((await svc(['profiles', 'list', '--jq', '.[].name'])).stdout).toBe('good\n');
  });

  it('--save-profile creates no environment when the profile name is taken', async () => {
    const { svc } = await openRig();
    await svc(['environments', 'list', '--save-profiles']);
    const line = ['environments', 'create', 'Preview', '--color', '#123456'];
    const { code, requests } = await svc([...line, '--save-profile', 'production']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });
});
