// The members of the resources of an environment, as the API returns them: which of them a copy has, too.
import { expect } from 'vitest';
import type { z } from 'zod';
import { isPathSegment } from '../../src/service/rules/formats.ts';
import type { Ask } from '../sandbox/open.ts';

/** Reads a path of the API. Returns the body without its envelope. */
export type Get = (path: string) => Promise<unknown>;

/** `svc api` and some modes have the envelope of the service. */
export const withoutEnvelope = (body: Record<string, unknown>): unknown =>
  Object.keys(body).join() === 'data' ? body.data : body;

export const sandboxGet =
  ({ ask }: { ask: Ask }): Get =>
  async (path) => {
    const { status, body } = await ask(`GET ${path}`);
    expect({ path, status }).toEqual({ path, status: 200 });
    return withoutEnvelope(body);
  };

type Json = Record<string, unknown>;

/** The instances of each kind, in the order of their identifiers. */
export type Instances = Record<string, Json[]>;

const encode = (id: unknown) => encodeURIComponent(String(id));
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Reads everything in Development. */
export async function readInstances(get: Get): Promise<Instances> {
  const list = async (path: string, member?: string) => {
    const body = await get(path);
    const items = (member === undefined ? body : (body as Json)[member]) as Json[];
    return [...items];
  };
  const each = async (path: string, items: readonly Json[], id: string) => {
    const ids = items
      .map((item) => String(item[id]))
      .filter(isPathSegment)
      .sort(byText);
    const all: Json[] = [];
    for (const one of ids) all.push((await get(`${path}/${encode(one)}`)) as Json);
    return all;
  };
  const environments = await list('/v1/environments');
  const own = environments.find((environment) => environment.name === 'Development')?._id;
  const integrations = (await list('/v1/integrations')).filter(
    ({ _environmentId }) => _environmentId === own,
  );
  const workflows = await each(
    '/v2/workflows',
    await list('/v2/workflows?limit=100', 'workflows'),
    'workflowId',
  );
  const subscribers = await each(
    '/v2/subscribers',
    await list('/v2/subscribers?limit=100', 'data'),
    'subscriberId',
  );
  const topics = await each('/v2/topics', await list('/v2/topics?limit=100', 'data'), 'key');
  const ofTopics: Json[] = [];
  for (const { key } of topics) {
    const path = `/v2/topics/${encode(key)}/subscriptions`;
    for (const item of await list(`${path}?orderDirection=ASC`, 'data')) {
      // Only one that is requested alone has its name and its choices, and before 3.12 none has.
      const { identifier } = item;
      const alone = identifier === undefined ? {} : await get(`${path}/${encode(identifier)}`);
      ofTopics.push({ ...(alone as Json), ...item });
    }
  }
  const preferences: Json[] = [];
  for (const { subscriberId } of subscribers)
    preferences.push(
      (await get(`/v2/subscribers/${encode(subscriberId)}/preferences?criticality=all`)) as Json,
    );
  const instances: Instances = {
    environment: environments.sort((a, b) => byText(String(a.name), String(b.name))),
    integration: integrations.sort((a, b) =>
      byText(`${a.channel} ${a.name}`, `${b.channel} ${b.name}`),
    ),
    layout: await each('/v2/layouts', await list('/v2/layouts?limit=100', 'layouts'), 'layoutId'),
    step: workflows.flatMap(({ steps }) => steps as Json[]),
    workflow: workflows.map(({ steps: _, ...workflow }) => workflow),
    subscriber: subscribers,
    preferences,
    topic: topics,
    subscription: ofTopics,
    context: (await list('/v2/contexts?limit=100', 'data')).sort((a, b) =>
      byText(`${a.type}:${a.id}`, `${b.type}:${b.id}`),
    ),
  };
  return withNames(instances);
}

const names = ['name', 'identifier', 'layoutId', 'stepId', 'workflowId', 'subscriberId', 'key'];

/** Replaces internal ids, except those of the instances themselves, by the names of what they refer to. */
function withNames(instances: Instances): Instances {
  const known = new Map<unknown, string>();
  for (const [kind, items] of Object.entries(instances))
    for (const item of items) {
      const name = names.findLast((one) => typeof item[one] === 'string');
      if (item._id !== undefined && name) known.set(item._id, `${kind} ${item[name]}`);
    }
  return JSON.parse(JSON.stringify(instances), (member, value) =>
    member === '_id' || member === 'id' ? value : (known.get(value) ?? value),
  );
}

/** The paths of all leaves, such as `channels[].credentials.webhookUrl`, with their values. */
function leaves(value: unknown, path: string, found: Map<string, unknown[]>): void {
  if (Array.isArray(value)) for (const item of value) leaves(item, `${path}[]`, found);
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      leaves(inner, path === '' ? name : `${path}.${name}`, found);
  else found.set(path, [...(found.get(path) ?? []), value]);
}

/** The values of each path in each instance, as text. */
function valuesByPath(instances: readonly Json[]): Map<string, string[]> {
  const found = instances.map((instance) => {
    const values = new Map<string, unknown[]>();
    leaves(instance, '', values);
    return values;
  });
  const paths = new Set(found.flatMap((values) => [...values.keys()]));
  return new Map(
    [...paths].map((path) => [
      path,
      found.map((values) => JSON.stringify(values.get(path) ?? null)),
    ]),
  );
}

/** The paths of the members that a schema names. */
function schemaPaths(schema: z.ZodType, path = ''): string[] {
  const { def } = schema as unknown as {
    def: {
      type: string;
      innerType?: z.ZodType;
      element?: z.ZodType;
      shape?: Record<string, z.ZodType>;
    };
  };
  if (def.innerType) return schemaPaths(def.innerType, path);
  if (def.type === 'array' && def.element) return schemaPaths(def.element, `${path}[]`);
  const members = def.type === 'object' ? Object.entries(def.shape ?? {}) : [];
  if (members.length === 0) return [path];
  return members.flatMap(([name, inner]) =>
    schemaPaths(inner, path === '' ? name : `${path}.${name}`),
  );
}

/** The paths of the members that a copy lacks, or that have the same value in every instance, so that it is not known. */
export function lostPaths(source: readonly Json[], copy: readonly Json[]): string[] {
  const copied = valuesByPath(copy);
  const isKept = ([path, all]: [string, string[]]) =>
    new Set(all).size > 1 && all.join() === copied.get(path)?.join();
  return [...valuesByPath(source)].filter((entry) => !isKept(entry)).map(([path]) => path);
}

/** The paths of the members that a schema names and that no instance has. */
export function unseenPaths(schema: z.ZodType, instances: readonly Json[]): string[] {
  const paths = [...valuesByPath(instances).keys()];
  return schemaPaths(schema).filter((path) => !paths.some((other) => isWithin(other, path)));
}

/** Whether a path is that of a member, or of a part of it. */
export const isWithin = (path: string, member: string): boolean =>
  path === member || ['.', '[]', ' '].some((next) => path.startsWith(`${member}${next}`));
