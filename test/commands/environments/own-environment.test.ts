// A server since 3.17: a key reads the key and the integrations of its own environment only, and writes to no other one.
import { describe, expect, it } from 'vitest';
import { openTwoEnvironments } from '../../support/two-environments.ts';
import { words } from '../../support/words.ts';

const development = { _id: '1'.repeat(24), name: 'Development', type: 'dev' };
const production = { _id: '2'.repeat(24), name: 'Production', type: 'prod' };
const staging = { _id: '3'.repeat(24), name: 'Staging', type: 'prod' };
const environment = (
  fields: { _id: string; name: string; type: string },
  apiKeys?: readonly { key: string; _userId: string }[],
) => ({
  ...fields,
  _organizationId: 'o',
  identifier: fields.name.toLowerCase(),
  ...(apiKeys && { apiKeys }),
});
const integration = {
  _id: '4'.repeat(24),
  _environmentId: development._id,
  _organizationId: 'o',
  identifier: 'sendgrid-1',
  name: 'SendGrid',
  providerId: 'sendgrid',
  channel: 'email',
  credentials: {},
  active: true,
  primary: false,
  priority: 0,
  deleted: false,
  conditions: [],
};
const scoped = (verb: string) =>
  `This authentication scheme is scoped to a single environment and cannot ${verb}. Use credentials from the target environment, or authenticate with a session token.`;

/** Two profiles of a server with three environments; the active profile is development. */
async function openOwnOnly() {
  const { rig, edit, keyOf } = await openTwoEnvironments();
  edit(({ profiles }) => {
    if (profiles.development) profiles.development.environmentId = development._id;
    if (profiles.production) profiles.production.environmentId = production._id;
  });
  const listed = [
    environment(development, [{ key: keyOf('development'), _userId: 'u' }]),
    environment(production, []),
    environment(staging, []),
  ];
  const forbidden = (message: string) => ({ status: 403, body: { statusCode: 403, message } });
  rig.answerBy(({ method, url: { pathname } }) => {
    if (method === 'GET' && pathname === '/v1/environments') return { status: 200, body: listed };
    if (method === 'GET' && pathname === '/v1/integrations')
      return { status: 200, body: [integration] };
    if (method === 'POST' && pathname === '/v1/environments')
      return { status: 201, body: environment({ ...staging, name: 'QA' }) };
    if (method === 'DELETE') return forbidden(scoped('delete a different environment'));
    if (method === 'PUT' && pathname.startsWith('/v1/integrations/'))
      return forbidden(scoped('target a different `_environmentId`'));
    return undefined;
  });
  return rig;
}

const methods = (requests: readonly { line: string }[]) =>
  requests.map(({ line }) => line.split(' ')[0]);
const create = ['environments', 'create', 'QA', '--color', '#112233'];

describe('a server that shows a key only the keys of its own environment', () => {
  it('gets no request to create an environment with --save-profile', async () => {
    const { svc } = await openOwnOnly();
    const { code, stdout, stderr, requests } = await svc([...create, '--save-profile', 'qa']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--save-profile cannot read the key of QA');
    expect(stderr).toContain('Nothing was created.');
    expect(stderr).toContain('svc login --profile qa');
    expect(methods(requests)).toEqual(['GET']);
  });

  it('creates an environment without a key, and svc says where the key is', async () => {
    const { svc } = await openOwnOnly();
    const { code, stderr } = await svc(create, { tty: true });
    expect(code).toBe(0);
    expect(stderr).toContain('The service does not return the key of QA. Copy the key');
  });

  it('shows no keys of other environments, for which --save-profiles saves no profile', async () => {
    const { svc } = await openOwnOnly();
    const { code, stderr } = await svc(['environments', 'list', '--save-profiles']);
    expect(code).toBe(0);
    expect(stderr).toContain('Saved profile development for environment Development.');
    expect(stderr).toContain(
      'a usable key for environments Production and Staging, so profiles production and staging were not saved. It shows only the keys of the environment of the active key.',
    );
    const saved = (await svc(['profiles', 'list', '--jq', '.[].name'])).stdout;
    expect(saved).toBe('development\nproduction\n');
  });
});

describe('a write that the service limits to the environment of the key', () => {
  it('names the profile of the environment to delete', async () => {
    const { svc } = await openOwnOnly();
    const { code, stderr } = await svc(
      words`environments delete Production --yes --confirm production --json`,
    );
    expect(code).toBe(4);
    expect(JSON.parse(stderr).error).toMatchObject({
      message: expect.stringContaining('cannot delete a different environment'),
      hint: 'The key belongs to Development. Run the command again with --profile production, the profile of Production.',
    });
  });

  it('asks for a login where the environment has no profile', async () => {
    const { svc } = await openOwnOnly();
    const line = ['environments', 'delete', 'Staging', '--yes', '--confirm', 'Staging', '--json'];
    const { code, stderr } = await svc(line);
    expect(code).toBe(4);
    const { hint, next } = JSON.parse(stderr).error;
    expect(hint).toContain('Log in with a key of Staging');
    expect(next).toEqual(['svc login --profile <name>']);
  });

  it('names the profile of the environment that an integration is moved to', async () => {
    const { svc } = await openOwnOnly();
    const { code, stderr } = await svc([
      ...['integrations', 'update', integration._id, '--environment-id', production._id],
      ...['--confirm', 'production', '--yes'],
    ]);
    expect(code).toBe(4);
    expect(stderr.replace(/\s+/g, ' ')).toContain('with --profile production');
  });

  it('says how to select another profile if the environment is unknown', async () => {
    const { svc } = await openOwnOnly();
    const line = ['api', 'PUT', `/v1/integrations/${'9'.repeat(24)}`, '-f', 'name=x'];
    const { code, stderr } = await svc([...line, '--json']);
    expect(code).toBe(4);
    expect(JSON.parse(stderr).error).toMatchObject({
      hint: expect.stringContaining('the request is for another environment'),
      next: ['svc profiles list'],
    });
  });
});

describe('svc integrations list on a server that lists only the own environment', () => {
  it.each([
    [['--environment', 'Production'], '[]', 'For Production, use --profile with its profile.'],
    [['--all-environments'], integration._id, 'For other environments, use --profile'],
  ])('%j says so', async (options, shown, note) => {
    const { svc } = await openOwnOnly();
    const { code, stdout, stderr } = await svc(['integrations', 'list', ...options, '--json'], {
      tty: 'stderr',
    });
    expect(code).toBe(0);
    expect(stdout).toContain(shown);
    expect(stderr.replace(/\s+/g, ' ')).toContain('listed only integrations of Development');
    expect(stderr.replace(/\s+/g, ' ')).toContain(note);
  });

  it('says nothing about the environment of the key', async () => {
    const { svc } = await openOwnOnly();
    const { stdout, stderr } = await svc(['integrations', 'list', '-o', 'ids'], { tty: 'stderr' });
    expect({ stdout, stderr }).toEqual({ stdout: `${integration._id}\n`, stderr: '' });
  });
});
