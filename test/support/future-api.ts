// Responses of the sandbox as a later version of the service may send them: unknown enum values and fields, long
// numbers, and null for every optional field.
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { emulatedIds, type OperationId, record } from '../../src/service/operations/index.ts';
import { frozenNow, testKey } from './fixed.ts';
import { createSandbox } from './sandbox-311.ts';
import { openSeededStore } from './seeded-store.ts';
import { openService } from './service.ts';

interface Node {
  type?: string;
  enum?: unknown[];
  anyOf?: Node[];
  allOf?: Node[];
  $ref?: string;
  $defs?: Record<string, Node>;
  properties?: Record<string, Node>;
  required?: string[];
  additionalProperties?: Node | boolean;
  items?: Node;
}

/** An unknown enum value that is also a member of every object. */
const unknownValue = 'constructor';

/** The content of an unknown field: numbers as they are written in the response. */
export const futureField = {
  big: '9007199254740993',
  huge: '12345678901234567890123',
  exact: '1.0',
  vast: '1e400',
  less: '-0',
};
const marker = '"futureField":0';
const unknownField = `"futureField":{${Object.entries(futureField)
  .map(([name, digits]) => `"${name}":${digits}`)
  .join(',')},"text":"x"}`;

/** Unknown enum values; null for every optional field; null only for optional fields that are not objects. */
export type Change = 'enums' | 'nulls' | 'inner nulls';

/** Returns the JSON text of the changed response. */
async function toFutureJson(id: OperationId, value: unknown, change: Change) {
  const schema = z.toJSONSchema((await record(id).schemas()).response, {
    unrepresentable: 'any',
  }) as Node;
  return JSON.stringify(changeValue(value, schema, schema, change)).replaceAll(
    marker,
    unknownField,
  );
}

function changeValue(value: unknown, node: Node, root: Node, change: Change): unknown {
  const choices = [node, ...(node.anyOf ?? []), ...(node.allOf ?? [])].map((choice) =>
    choice.$ref?.startsWith('#/$defs/') ? (root.$defs?.[choice.$ref.slice(8)] ?? choice) : choice,
  );
  if (typeof value === 'string') {
    return change === 'enums' && choices.some((choice) => choice.enum) ? unknownValue : value;
  }
  if (Array.isArray(value)) {
    const items = choices.find((choice) => choice.items)?.items ?? {};
    return value.map((item) => changeValue(item, items, root, change));
  }
  if (typeof value !== 'object' || value === null) return value;
  const {
    properties,
    additionalProperties,
    required = [],
  } = choices.find((choice) => choice.properties ?? choice.additionalProperties) ?? {};
  const copy: Record<string, unknown> = {};
  const rest = typeof additionalProperties === 'object' ? additionalProperties : {};
  for (const [name, member] of Object.entries(value))
    copy[name] = changeValue(member, properties?.[name] ?? rest, root, change);
  for (const name of change === 'enums' ? [] : Object.keys(properties ?? {})) {
    const isKept = change === 'inner nulls' && typeof copy[name] === 'object';
    if (!required.includes(name) && !isKept) copy[name] = null;
  }
  if (properties) copy.futureField = 0;
  return copy;
}

/** Opens a sandbox whose responses to reads are changed. */
async function openFutureResponses() {
  const clock = { now: () => frozenNow };
  const store = await openSeededStore({ clock, key: testKey });
  onTestFinished(() => store.close());
  const sandbox = createSandbox({ store, clock, envelope: false });
  const ask = async (method: string, target: string, body?: unknown) => {
    const response = await sandbox(
      new Request(`http://sandbox.localhost${target}`, {
        method,
        headers: { authorization: `ApiKey ${testKey}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, value: await response.json() };
  };
  const event = { name: 'welcome', payload: {}, to: { subscriberId: 'u1' } };
  await ask('POST', '/v1/events/trigger/bulk', {
    events: [{ ...event, transactionId: 'txn_read' }],
  });
  return {
    /** Returns the changed response to a read. */
    async read(target: string, change: Change): Promise<string> {
      const id = findOperation(target);
      const { status, value } = await ask('GET', target);
      if (!id || status !== 200)
        throw new Error(`not a read of the sandbox: ${target} (${status})`);
      return toFutureJson(id, value, change);
    },
  };
}

/** Starts a service that sends changed responses to all reads. */
export async function openFutureService(change: Change) {
  const responses = await openFutureResponses();
  const service = await openService(async ({ target }, response) => {
    if (!findOperation(target)) {
      const message = `Cannot GET ${target}`;
      response.writeHead(404, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ statusCode: 404, message, error: 'Not Found' }));
    }
    const text = await responses.read(target, change).catch((error: Error) => error.message);
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  return { ...service, responses };
}

function findOperation(target: string): OperationId | undefined {
  const { pathname } = new URL(target, 'http://base');
  return emulatedIds.find((id) => {
    const { method, path } = record(id);
    const pattern = path.replace(/\{[^}]+\}/g, '[^/]+');
    return method === 'GET' && new RegExp(`^${pattern}$`).test(pathname);
  });
}
