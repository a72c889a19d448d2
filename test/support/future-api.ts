// An answer of the sandbox as a later version of the service may send it: words that nobody knows yet, fields
// that nobody knows yet, long numbers, and null for everything that may be missing.
import { z } from 'zod';
import { type OperationId, operationIds, record } from '../../src/api/operations/index.ts';
import { createSandbox, openStore } from '../../src/sandbox/index.ts';
import { frozenNow, testKey } from './fixed.ts';
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

/** A word that is also the name of something that every object has. */
const unknownWord = 'constructor';

/** What a field holds that nobody knows yet: numbers, as they stand in the answer. */
export const fieldOfTomorrow = {
  big: '9007199254740993',
  huge: '12345678901234567890123',
  exact: '1.0',
  vast: '1e400',
  less: '-0',
};
const marker = '"fieldOfTomorrow":0';
const unknownField = `"fieldOfTomorrow":{${Object.entries(fieldOfTomorrow)
  .map(([name, digits]) => `"${name}":${digits}`)
  .join(',')},"text":"x"}`;

/** New words; null for everything that may be missing; the same for what holds nothing in itself. */
export type Change = 'words' | 'nulls' | 'inner nulls';

/** JSON text of the changed answer. */
async function ofTomorrow(id: OperationId, answer: unknown, change: Change) {
  const schema = z.toJSONSchema((await record(id).schemas()).response, {
    unrepresentable: 'any',
  }) as Node;
  return JSON.stringify(changed(answer, schema, schema, change)).replaceAll(marker, unknownField);
}

function changed(value: unknown, node: Node, root: Node, change: Change): unknown {
  const choices = [node, ...(node.anyOf ?? []), ...(node.allOf ?? [])].map((one) =>
    one.$ref?.startsWith('#/$defs/') ? (root.$defs?.[one.$ref.slice(8)] ?? one) : one,
  );
  if (typeof value === 'string') {
    return change === 'words' && choices.some((one) => one.enum) ? unknownWord : value;
  }
  if (Array.isArray(value)) {
    const items = choices.find((one) => one.items)?.items ?? {};
    return value.map((item) => changed(item, items, root, change));
  }
  if (typeof value !== 'object' || value === null) return value;
  const {
    properties,
    additionalProperties,
    required = [],
  } = choices.find((one) => one.properties ?? one.additionalProperties) ?? {};
  const copy: Record<string, unknown> = {};
  const rest = typeof additionalProperties === 'object' ? additionalProperties : {};
  for (const [name, member] of Object.entries(value))
    copy[name] = changed(member, properties?.[name] ?? rest, root, change);
  for (const name of change === 'words' ? [] : Object.keys(properties ?? {})) {
    const keeps = change === 'inner nulls' && typeof copy[name] === 'object';
    if (!required.includes(name) && !keeps) copy[name] = null;
  }
  if (properties) copy.fieldOfTomorrow = 0;
  return copy;
}

/** A sandbox whose reads are answered so. */
async function tomorrowsAnswers() {
  const clock = { now: () => frozenNow };
  const sandbox = createSandbox({ store: await openStore({ clock, key: testKey }), clock });
  const ask = async (method: string, target: string, body?: unknown) => {
    const answer = await sandbox(
      new Request(`http://sandbox.localhost${target}`, {
        method,
        headers: { authorization: `ApiKey ${testKey}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    return { status: answer.status, value: await answer.json() };
  };
  const event = { name: 'welcome', payload: {}, to: { subscriberId: 'u1' } };
  await ask('POST', '/v1/events/trigger/bulk', {
    events: [{ ...event, transactionId: 'txn_read' }],
  });
  return {
    /** The answer to a read, changed. */
    async read(target: string, change: Change): Promise<string> {
      const id = operationOf(target);
      const { status, value } = await ask('GET', target);
      if (!id || status !== 200) throw new Error(`no read of the sandbox: ${target} (${status})`);
      return ofTomorrow(id, value, change);
    },
  };
}

/** A service that answers every read so. */
export async function openTomorrow(change: Change) {
  const answers = await tomorrowsAnswers();
  const service = await openService(async ({ target }, response) => {
    const text = await answers.read(target, change).catch((error: Error) => error.message);
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  return { ...service, answers };
}

function operationOf(target: string): OperationId | undefined {
  const { pathname } = new URL(target, 'http://base');
  return operationIds.find((id) => {
    const { method, path } = record(id);
    const pattern = path.replace(/\{[^}]+\}/g, '[^/]+');
    return method === 'GET' && new RegExp(`^${pattern}$`).test(pathname);
  });
}
