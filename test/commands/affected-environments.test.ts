// Writes that affect another environment than that of the profile: the protection of that environment applies.
import { describe, expect, it } from 'vitest';
import { seedId } from '../../src/sandbox/store/ids.ts';
import { sentMethods } from '../support/requests.ts';
import type { Rig } from '../support/rig.ts';
import { openTwoEnvironments, type TwoEnvironments } from '../support/two-environments.ts';
import { commandLines } from './command-lines.ts';

const productionId = seedId('environment:production');
const developmentMail = seedId('integration:sendgrid-email');

/** The current profile is development. Production is protected; with `remove`, it has no profile. */
async function openProtected({ remove = false } = {}): Promise<TwoEnvironments> {
  const opened = await openTwoEnvironments();
  opened.edit(({ profiles }) => {
    delete profiles.production?.protected;
    if (remove) delete profiles.production;
  });
  return opened;
}

/** Creates an integration in Production and returns its id. */
async function productionMail({ svc }: Rig): Promise<string> {
  const line = ['integrations', 'create', 'mailgun', '--channel', 'email', '--json'];
  const create = [...line, '--environment', 'Production', '--confirm', 'production'];
  const { stdout } = await svc([...create, '--confirm', 'Production']);
  return (JSON.parse(stdout) as { _id: string })._id;
}

/** With the exit code if it is not 0: the service rejects some of these writes. */
const writesTo = (integrationId: string): [name: string, line: string[], code?: number][] => [
  ['environments update', ['environments', 'update', 'Production', '--color', '#112233']],
  ['environments update, by id', ['environments', 'update', productionId, '--color', '#112233']],
  ['environments delete', ['environments', 'delete', 'production', '--yes'], 6],
  [
    'integrations create',
    ['integrations', 'create', 'mailgun', '--channel', 'email', '--environment', 'Production'],
  ],
  ['integrations update', ['integrations', 'update', integrationId, '--name', 'Mail']],
  [
    'integrations update, moving to Production',
    ['integrations', 'update', developmentMail, '--environment-id', productionId],
  ],
  [
    'integrations update, moving to Production with a body',
    ['integrations', 'update', developmentMail, '--body', `{"_environmentId":"${productionId}"}`],
  ],
  ['integrations enable', ['integrations', 'enable', integrationId.toUpperCase()], 5],
  ['integrations disable', ['integrations', 'disable', integrationId, '--yes']],
  ['integrations set-primary', ['integrations', 'set-primary', integrationId]],
  ['integrations delete', ['integrations', 'delete', integrationId, '--yes']],
  ['api DELETE of an environment', ['api', 'DELETE', `/v1/environments/${productionId}`], 6],
  [
    'api PUT of an integration',
    ['api', 'PUT', `/v1/integrations/${integrationId}`, '-f', 'name=M'],
  ],
  [
    'api POST with the id of the environment',
    [
      ...['api', 'POST', '/v1/integrations', '-f', 'providerId=mailgun', '-f', 'channel=email'],
      ...['-f', `_environmentId=${productionId}`],
    ],
  ],
];

describe.each([
  ['that has a protected profile', false, 'production', 'the profile'],
  ['that has no profile', true, 'Production', 'the environment'],
])(
  'a write to Production %s, with the key of an unprotected profile',
  (_name, remove, word, what) => {
    it.each(writesTo('').map(([name], index) => [name, index] as const))(
      'must be confirmed by name: %s',
      async (_line, index) => {
        const { rig } = await openProtected({ remove });
        const [, line = [], code = 0] = writesTo(await productionMail(rig))[index] ?? [];
        const refused = await rig.svc([...line, '--confirm', 'development']);
        expect(refused.code).toBe(2);
        expect(refused.stderr).toMatch(/changes data in Production/);
        expect(refused.stderr.replace(/\s+/g, ' ')).toContain(`and ${what} is protected.`);
        expect(refused.stderr).toContain(`--confirm ${word}`);
        expect(sentMethods(refused.requests)).toEqual(['GET']);
        const confirmed = await rig.svc([...line, '--confirm', word]);
        expect(confirmed.code).toBe(code);
        expect(sentMethods(confirmed.requests)).not.toEqual(['GET']);
      },
    );
  },
);

describe('a write to an environment', () => {
  it('of type prod without a profile must be confirmed by its name', async () => {
    const { rig } = await openProtected();
    await rig.svc(['environments', 'create', 'Live EU', '--color', '#112233']);
    const line = ['environments', 'update', 'Live EU', '--color', '#445566'];
    const { code, stderr } = await rig.svc(line);
    expect(code).toBe(2);
    expect(stderr).toContain("Run the command again with --confirm 'Live EU'.");
    expect((await rig.svc([...line, '--confirm', 'Live EU'])).code).toBe(0);
  });

  it('needs no name if its profile is unprotected', async () => {
    const { rig, edit } = await openProtected();
    edit(({ profiles }) => {
      if (profiles.production) profiles.production.protected = false;
    });
    const line = ['environments', 'update', 'Production', '--color', '#445566'];
    expect((await rig.svc(line)).code).toBe(0);
  });

  it('needs no name if it is not a production environment, whichever profile has the key', async () => {
    const { rig } = await openProtected();
    const line = ['environments', 'update', 'Development', '--color', '#445566'];
    expect((await rig.svc([...line, '-p', 'production'])).code).toBe(0);
    const disable = ['integrations', 'disable', developmentMail, '-p', 'production', '--yes'];
    const { code, stderr } = await rig.svc(disable, { tty: true, columns: 1000 });
    expect(code).toBe(0);
    expect(stderr).toContain('Disabled integration');
    expect(stderr).toContain('in Development (profile development).');
  });

  it('needs the names of both environments if it moves an integration between two protected ones', async () => {
    const { rig, edit } = await openProtected();
    edit(({ profiles }) => {
      if (profiles.development) profiles.development.protected = true;
    });
    const line = ['integrations', 'update', developmentMail, '--environment-id', productionId];
    const both = ['--confirm', 'development', '--confirm', 'production'];
    expect((await rig.svc([...line, '--confirm', 'production'])).code).toBe(2);
    const { code, stderr } = await rig.svc([...line, '--confirm', 'development']);
    expect(code).toBe(2);
    expect(stderr.replace(/\s+/g, ' ')).toContain(both.join(' '));
    expect((await rig.svc([...line, ...both])).code).toBe(0);
  });

  it('is protected by the active profile if the server does not list integrations', async () => {
    const { rig } = await openProtected();
    rig.answerBy(({ method, url }) =>
      method === 'GET' && url.pathname === '/v1/integrations'
        ? {
            status: 404,
            body: { statusCode: 404, message: 'Cannot GET /v1/integrations', error: 'Not Found' },
          }
        : undefined,
    );
    const line = ['integrations', 'update', developmentMail, '--name', 'Mail'];
    expect((await rig.svc(line)).code).toBe(0);
    const refused = await rig.svc([...line, '-p', 'production']);
    expect(refused.code).toBe(2);
    expect(sentMethods(refused.requests)).toEqual(['GET']);
  });

  it('sends no request to find the environment if address and key come from variables and no profile is stored', async () => {
    const { rig, keyOf, edit } = await openProtected();
    edit((configuration) => {
      configuration.profiles = {};
      delete configuration.current;
    });
    const env = { SVC_BASE_URL: 'http://sandbox.localhost', SVC_API_KEY: keyOf('development') };
    const line = ['integrations', 'update', developmentMail, '--name', 'Mail'];
    const { code, requests } = await rig.svc(line, { env });
    expect({ code, lines: requests.map((request) => request.line) }).toEqual({
      code: 0,
      lines: [`PUT /v1/integrations/${developmentMail}`],
    });
  });
});

describe('a write with a profile that stores no environment, on a server that does not list keys', () => {
  /** The current profile is live, with the key of Production. `others` are the other profiles that stay. */
  async function openLive(isProtected: boolean, others: readonly string[] = []) {
    const { rig, edit } = await openProtected();
    const mail = await productionMail(rig);
    const { stdout } = await rig.svc(['environments', 'list', '--json']);
    edit((configuration) => {
      const { production, ...profiles } = configuration.profiles;
      const { baseUrl = '', key = '' } = production ?? {};
      const kept = Object.entries({ production, ...profiles }).filter(([name]) =>
        others.includes(name),
      );
      configuration.current = 'live';
      configuration.profiles = Object.fromEntries(kept) as typeof profiles;
      configuration.profiles.live = { baseUrl, key, protected: isProtected };
    });
    const listed = (JSON.parse(stdout) as object[]).map((environment) => ({
      ...environment,
      apiKeys: [],
    }));
    rig.answerBy(({ method, url }) =>
      method === 'GET' && url.pathname === '/v1/environments'
        ? { status: 200, body: listed }
        : undefined,
    );
    return { rig, mail };
  }
  const refusal = async ({ svc }: Rig, line: readonly string[]) => {
    const { code, stderr, requests } = await svc(line);
    expect({ code, methods: sentMethods(requests) }).toEqual({ code: 2, methods: ['GET'] });
    return stderr.replace(/\s+/g, ' ');
  };
  const updateDevelopment = ['environments', 'update', 'Development', '--color', '#445566'];
  const updateProduction = ['environments', 'update', 'Production', '--color', '#445566'];

  it('must be confirmed if the profile is protected, whatever it writes', async () => {
    const { rig, mail } = await openLive(true);
    const lines = [...writesTo(mail).map(([, line]) => line), updateDevelopment];
    for (const line of lines) expect(await refusal(rig, line)).toContain('--confirm live');
    const wrong = await refusal(rig, [...updateProduction, '--confirm', 'Production']);
    expect(wrong).toContain(
      'the profile is protected. `Production` is not the name of the profile',
    );
    expect((await rig.svc([...updateProduction, '--confirm', 'live'])).code).toBe(0);
  });

  it('must be confirmed also if an unprotected profile is for that environment', async () => {
    const { rig } = await openLive(true, ['development']);
    for (const line of [updateDevelopment, ['integrations', 'disable', developmentMail, '--yes']]) {
      expect(await refusal(rig, line)).toContain('--confirm live');
      expect((await rig.svc([...line, '--confirm', 'live'])).code).toBe(0);
    }
  });

  it('must be confirmed with the name of the protected profile that is for that environment', async () => {
    const { rig } = await openLive(true, ['production']);
    expect(await refusal(rig, updateProduction)).toContain('--confirm production');
    expect((await rig.svc([...updateProduction, '--confirm', 'production'])).code).toBe(0);
  });

  it.each(['Production', 'live'])(
    'must be confirmed for Production if the profile is not protected, with %s',
    async (name) => {
      const { rig } = await openLive(false);
      expect(await refusal(rig, updateProduction)).toContain('--confirm Production');
      expect((await rig.svc([...updateProduction, '--confirm', name])).code).toBe(0);
      expect((await rig.svc(updateDevelopment)).code).toBe(0);
    },
  );
});

describe('every command', () => {
  it('that writes to environments or integrations by id finds the environment that it affects', async () => {
    const naming = [
      ...['updateEnvironment', 'deleteEnvironment', 'createIntegration', 'updateIntegration'],
      ...['deleteIntegration', 'setPrimaryIntegration'],
    ];
    const writing = (await commandLines()).filter(({ command: { operations = [] } }) =>
      operations.some((id) => naming.includes(id)),
    );
    expect(writing.map(({ name }) => name)).toContain('environments delete');
    const without = writing.filter(({ command }) => command.affects === undefined);
    // It writes only integrations of the environment of the key.
    expect(without.map(({ name }) => name)).toEqual(['environments push']);
  });
});

describe('the name of two environments', () => {
  const ids = ['a'.repeat(24), 'b'.repeat(24)];

  it.each([
    ['environments delete', ['environments', 'delete', 'Staging', '--yes']],
    ['environments update', ['environments', 'update', 'staging', '--color', '#112233']],
    ['integrations list', ['integrations', 'list', '--environment', 'Staging']],
    [
      'integrations create',
      ['integrations', 'create', 'mailgun', '--channel', 'email', '--environment', 'Staging'],
    ],
  ])('is refused with both ids by %s', async (_name, line) => {
    const { rig } = await openTwoEnvironments();
    rig.answerBy(({ method, url }) =>
      method === 'GET' && url.pathname === '/v1/environments'
        ? {
            status: 200,
            body: ids.map((_id) => ({
              ...{ _id, name: 'Staging', identifier: _id.slice(0, 12), type: 'dev' },
              ...{ _organizationId: 'c'.repeat(24), apiKeys: [] },
            })),
          }
        : undefined,
    );
    const refused = await rig.svc(line);
    expect(refused.code).toBe(2);
    for (const id of ids) expect(refused.stderr).toContain(id);
    expect(refused.stderr).toContain('Use the id instead of the name.');
    expect(sentMethods(refused.requests)).toEqual(['GET']);
  });
});
