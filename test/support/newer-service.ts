// A server that responds as version 3.19 does: two environments whose keys see only their own, workflows with six
// channels, later step types, members that svc does not know, and issues with a severity.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openNetworkRig } from './network-rig.ts';
import { json, openService, type Seen } from './service.ts';

type Json = Record<string, unknown>;

export interface NewerWorkflow extends Json {
  workflowId: string;
  steps?: Json[];
}

export const newerKeys = { development: 'a'.repeat(32), production: 'b'.repeat(32) };
type Profile = keyof typeof newerKeys;

const ids = { development: 'd'.repeat(24), production: 'e'.repeat(24) };
const time = '2026-01-15T12:00:00.000Z';

/** Fills in every channel; those that a request lacks follow `all`. */
function toLevel(given: unknown): Json {
  const { all, channels } = (given ?? {}) as { all?: Json; channels?: Json };
  const enabled = all?.enabled ?? true;
  const names = ['email', 'sms', 'in_app', 'chat', 'push', 'tool'];
  return {
    all: { enabled: true, readOnly: false, ...all },
    channels: Object.fromEntries(names.map((name) => [name, channels?.[name] ?? { enabled }])),
  };
}

/** Absent keeps, null deletes, and a value replaces. */
const keptMember = (name: string, given: Json, stored: Json): Json => {
  const value = Object.hasOwn(given, name) ? given[name] : stored[name];
  return value === undefined || value === null ? {} : { [name]: value };
};

export async function openNewerService({
  workflows = {},
  others = () => undefined,
}: {
  workflows?: Partial<Record<Profile, NewerWorkflow[]>>;
  /** Responds to requests before this server. */
  others?: (seen: Seen) => { status: number; body: unknown } | undefined;
} = {}) {
  let counter = 0;
  const newId = () => (++counter).toString(16).padStart(24, '0');
  const stored: Record<Profile, Map<string, Json>> = {
    development: new Map(),
    production: new Map(),
  };

  const save = (profile: Profile, given: Json, before: Json = {}): Json => {
    const beforeSteps = (before.steps ?? []) as Json[];
    const workflowId = String(given.workflowId ?? before.workflowId);
    const { preferences, steps, origin: _, ...settings } = given;
    const levels = (preferences ?? {}) as Json;
    const workflow = {
      ...{ _id: newId(), slug: `${workflowId}_wf_x`, origin: 'novu-cloud', createdAt: time },
      ...{ status: 'ACTIVE', tags: [], active: true, description: '', severity: 'none' },
      ...{ validatePayload: true, isTranslationEnabled: false, payloadExample: {} },
      ...{ lastTriggeredAt: null, lastPublishedAt: null, updatedBy: { _id: newId() } },
      ...{ payloadSchema: { type: 'object', additionalProperties: true, properties: {} } },
      ...(before._id ? { _id: before._id } : {}),
      ...settings,
      agent: null,
      ...keptMember('agent', given, before),
      updatedAt: new Date(Date.parse(time) + ++counter * 1_000).toISOString(),
      workflowId,
      preferences: {
        user: levels.user ? toLevel(levels.user) : null,
        default: toLevel(levels.workflow ?? levels.default),
      },
      steps: ((steps ?? []) as Json[]).map(({ controlValues, _id, ...step }) => {
        const old = beforeSteps.find((other) => other._id === _id) ?? {};
        const { providerOverrides: _overrides, ...rest } = step;
        return {
          ...rest,
          ...keptMember('providerOverrides', step, old),
          ...(old.issues ? { issues: old.issues } : {}),
          _id: old._id ?? newId(),
          ...{ slug: `${step.stepId}_st_x`, origin: 'novu-cloud', workflowId },
          ...{ workflowDatabaseId: before._id ?? 'x', variables: { type: 'object' } },
          controls: { dataSchema: {}, uiSchema: {}, values: controlValues ?? {} },
          controlValues: controlValues ?? {},
        };
      }),
    };
    stored[profile].set(workflowId, workflow);
    return workflow;
  };
  for (const profile of ['development', 'production'] as const)
    for (const workflow of workflows[profile] ?? []) save(profile, workflow);

  const respond = (profile: Profile, { method, target, body }: Seen): [number, unknown] => {
    const url = new URL(target, 'http://base');
    const [, id] = /^\/v2\/workflows\/([^/]+)$/.exec(url.pathname) ?? [];
    const given = body === '' ? {} : (JSON.parse(body) as Json);
    const known = id === undefined ? undefined : stored[profile].get(decodeURIComponent(id));
    if (id !== undefined && !known)
      return [404, { statusCode: 404, message: 'Workflow not found' }];
    switch (`${method} ${known ? '/one' : url.pathname}`) {
      case 'GET /v1/environments':
        return [
          200,
          (['development', 'production'] as const).map((name) => ({
            ...{ _id: ids[name], name: name === 'production' ? 'Production' : 'Development' },
            ...{ _organizationId: 'f'.repeat(24), identifier: name, type: 'dev' },
            apiKeys: name === profile ? [{ key: newerKeys[name], _userId: 'u' }] : [],
          })),
        ];
      case 'GET /v1/environments/me':
        return [200, { _id: ids[profile], name: profile }];
      case 'GET /v1/integrations':
        return [200, []];
      case 'GET /v2/layouts':
        return [200, { layouts: [], totalCount: 0 }];
      case 'GET /v2/topics':
      case 'GET /v2/contexts':
        return [200, { data: [], next: null, previous: null, totalCount: 0 }];
      case 'GET /v2/workflows': {
        const all = [...stored[profile].values()];
        const offset = Number(url.searchParams.get('offset') ?? 0);
        const limit = Number(url.searchParams.get('limit') ?? 10);
        return [200, { workflows: all.slice(offset, offset + limit), totalCount: all.length }];
      }
      case 'POST /v2/workflows':
        return [201, save(profile, given)];
      case 'GET /one':
        return [200, known];
      case 'PUT /one':
        return [200, save(profile, given, known)];
      case 'PATCH /one':
        return [200, Object.assign(known as Json, given)];
      default:
        return [404, { statusCode: 404, message: `Cannot ${method} ${url.pathname}` }];
    }
  };

  const service = await openService((seen, response) => {
    const other = others(seen);
    if (other) return json(response, other.status, other.body);
    const profile = seen.headers.authorization?.endsWith(newerKeys.production)
      ? 'production'
      : 'development';
    const [status, body] = respond(profile, seen);
    const isBare = status >= 300 || seen.target.match(/^\/v2\/(topics|contexts)/);
    return json(response, status, isBare ? body : { data: body });
  });

  const rig = openNetworkRig();
  const folder = path.join(rig.folder, 'config');
  mkdirSync(folder, { recursive: true });
  rig.env.SVC_CONFIG_DIR = folder;
  rig.env.SVC_STATE_DIR = path.join(rig.folder, 'state');
  rig.env.SVC_CACHE_DIR = path.join(rig.folder, 'cache');
  const profiles = Object.fromEntries(
    Object.entries(newerKeys).map(([name, key]) => [name, { baseUrl: service.baseUrl, key }]),
  );
  const configuration = { version: 1, current: 'development', profiles };
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify(configuration), { mode: 0o600 });
  return { ...rig, seen: service.seen, stored };
}
