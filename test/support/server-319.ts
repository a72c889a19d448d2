// A thin server 3.19.0 in front of the sandbox of a rig: the answers that differ, as they were recorded. It keeps its own
// integrations; everything else is the sandbox. A test adds routes to extend it.
import type { Answerer, FakeAnswer, Rig } from './rig.ts';

export interface Integration319 {
  _id: string;
  _environmentId: string;
  _organizationId: string;
  identifier: string;
  name: string;
  providerId: string;
  channel: string;
  active: boolean;
  primary: boolean;
  credentials: Record<string, unknown>;
  conditions: object[];
  [member: string]: unknown;
}

interface Environment319 {
  _id: string;
  name: string;
  apiKeys: { key: string }[];
}

export type Request319 = Parameters<Answerer>[0] & {
  /** The environment of the API key. */
  own: string;
};

/** Answers a request; undefined leaves it to the next route, and at last to the sandbox. */
export type Route319 = (request: Request319) => FakeAnswer | undefined;

export interface Server319 {
  /** With the credentials that no answer shows. */
  integrations: Integration319[];
  find(identifier: string): Integration319 | undefined;
  /** Puts a route before the others. */
  add(route: Route319): void;
}

export const answered = (status: number, data: unknown): FakeAnswer => ({ status, body: { data } });

export const refused = (status: number, error: string, message: string): FakeAnswer => ({
  status,
  body: { error, statusCode: status, message, ctx: { error, statusCode: status } },
});

const otherEnvironment =
  'This authentication scheme is scoped to a single environment and cannot target a different `_environmentId`. Use credentials from the target environment, or authenticate with a session token.';
const otherIntegration = (action: string) =>
  `API key authentication is scoped to a single environment and cannot ${action} an integration that belongs to a different environment. Use an API key from the integration's environment, or authenticate with a session token.`;

/** Takes the environments and integrations of the sandbox over. `more`: routes before those of this file. */
export async function openServer319(rig: Rig, more: readonly Route319[] = []): Promise<Server319> {
  const read = async (line: string) => JSON.parse((await rig.svc(line.split(' '))).stdout);
  const environments = (await read('environments list --json --reveal')) as Environment319[];
  const integrations = (await read(
    'integrations list --all-environments --json --reveal',
  )) as Integration319[];
  const routes = [
    ...more,
    healthRoute,
    environmentRoute(environments),
    integrationRoute(integrations),
  ];
  rig.answerBy((request) => {
    const [, key = ''] = /^ApiKey (.*)$/.exec(request.headers.authorization ?? '') ?? [];
    const own = environments.find(({ apiKeys }) => apiKeys.some((one) => one.key === key))?._id;
    // An environment of a later test step, or a wrong key.
    if (own === undefined) return undefined;
    for (const route of routes) {
      const answer = route({ ...request, own });
      if (answer) return answer;
    }
    return undefined;
  });
  return {
    integrations,
    find: (identifier) => integrations.find((one) => one.identifier === identifier),
    add: (route) => void routes.unshift(route),
  };
}

const healthRoute: Route319 = ({ url }) =>
  url.pathname === '/v1/health-check'
    ? answered(200, {
        status: 'ok',
        info: { apiVersion: { version: '3.19.0', status: 'up' } },
        ...{ error: {}, details: {} },
      })
    : undefined;

/** All environments, with the keys of the own one only. */
const environmentRoute =
  (environments: readonly Environment319[]): Route319 =>
  ({ method, url, own }) =>
    method === 'GET' && url.pathname === '/v1/environments'
      ? answered(
          200,
          environments.map((one) => ({ ...one, apiKeys: one._id === own ? one.apiKeys : [] })),
        )
      : undefined;

/** A response to a write has no credentials at all. */
const written = ({ credentials: _credentials, ...integration }: Integration319) => ({
  ...integration,
  ...{ kind: 'delivery', _parentId: null, id: integration._id },
});

function integrationRoute(all: Integration319[]): Route319 {
  const listed = (own: string) =>
    all
      .filter(({ _environmentId }) => _environmentId === own)
      .map((integration) => ({ ...written(integration), id: undefined, credentials: {} }));
  const create = ({ own, body }: Request319): FakeAnswer => {
    const given = body as Partial<Integration319>;
    if (given._environmentId !== undefined && given._environmentId !== own)
      return refused(403, 'Forbidden', otherEnvironment);
    const { providerId = '', channel = '', name = providerId, active = false } = given;
    const identifier = given.identifier ?? `${providerId}-319`;
    if (all.some((one) => one.identifier === identifier && one._environmentId === own))
      return refused(409, 'Conflict', 'Integration with identifier already exists');
    const integration: Integration319 = {
      ...{ _id: (all.length + 0x319).toString(16).padStart(24, '0'), _environmentId: own },
      ...{ _organizationId: all[0]?._organizationId ?? '', deleted: false, primary: false },
      ...{ identifier, name, providerId, channel, active },
      ...{ credentials: given.credentials ?? {}, conditions: given.conditions ?? [] },
    };
    all.push(integration);
    return answered(201, written(integration));
  };
  const update = (one: Integration319, { own, body }: Request319): FakeAnswer => {
    const { _environmentId = own, check: _check, ...changes } = body as Partial<Integration319>;
    if (_environmentId !== own) return refused(403, 'Forbidden', otherEnvironment);
    Object.assign(one, changes);
    one.primary &&= one.active && one.conditions.length === 0;
    return answered(200, written(one));
  };
  const setPrimary = (one: Integration319): FakeAnswer => {
    for (const other of all)
      if (other.channel === one.channel && other._environmentId === one._environmentId)
        other.primary = other === one;
    Object.assign(one, { active: true, conditions: [] });
    return answered(201, written(one));
  };
  return (request) => {
    const { method, url, own } = request;
    const [, id, verb] =
      /^\/v1\/integrations(?:\/(\w{24})(?:\/([\w-]+))?)?$/.exec(url.pathname) ?? [];
    if (url.pathname === '/v1/integrations/active')
      return answered(
        200,
        listed(own).filter(({ active }) => active),
      );
    if (url.pathname === '/v1/integrations')
      return method === 'POST' ? create(request) : answered(200, listed(own));
    if (id === undefined) return undefined;
    const one = all.find(({ _id }) => _id === id);
    if (!one) return refused(404, 'Not Found', `Entity with id ${id} not found`);
    const actions: Record<string, string> = { DELETE: 'delete', PUT: 'update' };
    if (one._environmentId !== own)
      return refused(403, 'Forbidden', otherIntegration(actions[method] ?? 'set as primary'));
    if (method === 'PUT') return update(one, request);
    if (verb === 'set-primary') return setPrimary(one);
    all.splice(all.indexOf(one), 1);
    // The one answer with credentials, as they are stored.
    return answered(
      200,
      all.filter(({ _environmentId }) => _environmentId === own),
    );
  };
}
