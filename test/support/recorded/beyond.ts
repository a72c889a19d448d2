// The recorded exchanges of the operations that are not in the specification: one sandbox for each area, with the
// requests that make its state.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { serveSandbox } from '../sandbox-311.ts';
import { judge, type Result } from './agreement.ts';
import { type Exchange, recordedFolder } from './corpus.ts';
import { fitted } from './patterns.ts';
import { pick, toSend } from './play.ts';
import { send } from './send.ts';

export const beyondFolder = path.join(recordedFolder, 'beyond');

export interface Area {
  area: string;
  /** Requests before the first exchange. Their responses are not compared. */
  setup: Exchange[];
  exchanges: Exchange[];
}

const notAreas = ['agreement.json', 'left-out.json'];

export const readAreas = (): Area[] =>
  readdirSync(beyondFolder)
    .filter((file) => file.endsWith('.json') && !notAreas.includes(file))
    .map((file) => JSON.parse(readFileSync(path.join(beyondFolder, file), 'utf8')) as Area);

const inbox = (name: string) => ({
  identifier: `novu-inbox-${name}`,
  name: 'Novu Inbox',
  providerId: 'svc',
  channel: 'in_app' as const,
});

/** Two environments with an inbox each, and nothing else. */
async function startEmpty() {
  const seed = {
    version: 1 as const,
    compat: 'novu' as const,
    environments: [
      { name: 'Development', color: '#ff8547', integrations: [inbox('dev')] },
      {
        ...{ name: 'Production', color: '#7e52f4', parent: 'Development' },
        integrations: [inbox('prod')],
      },
    ],
  };
  return serveSandbox({ host: '127.0.0.1', port: 0, mode: 'novu', seed, isBackground: true });
}

interface ListedEnvironment {
  _id: string;
  _organizationId: string;
  apiKeys: { key: string }[];
}

/** Sends the requests of an area in order and compares the responses with the recorded ones. */
export async function playArea({ area, setup, exchanges }: Area): Promise<Result[]> {
  const { baseUrl, key, close } = await startEmpty();
  const headers = { Authorization: `ApiKey ${key}`, 'Content-Type': 'application/json' };
  const { body } = await send(baseUrl, { method: 'GET', path: '/v1/environments', headers });
  const [development, production] = (body as { data: ListedEnvironment[] }).data;
  const values = new Map([
    ['developmentKey', key],
    ['productionKey', production?.apiKeys[0]?.key ?? ''],
    ['development', development?._id ?? ''],
    ['production', production?._id ?? ''],
    ['organization', development?._organizationId ?? ''],
  ]);
  const played = [];
  let waited = 0;
  for (const exchange of [...setup, ...exchanges]) {
    const received = await send(baseUrl, toSend(exchange, key, values, Date.now() + waited));
    for (const [name, place] of Object.entries(exchange.capture ?? {})) {
      const value = pick(received.body, filledPath(place, values));
      if (typeof value === 'string') values.set(name, value);
    }
    if (exchanges.includes(exchange))
      played.push({
        exchange: { ...exchange, area, ...answerFor(exchange, received, values) },
        received,
      });
    // Moves the clock, so that the jobs of the request run, and later items are newer.
    const ms = exchange.wait ?? 1;
    waited += ms;
    const clock = { method: 'POST', path: '/__sandbox/clock', headers };
    await send(baseUrl, { ...clock, body: JSON.stringify({ advance: ms }) });
  }
  await close();
  return judge(played);
}

const filledPath = (place: string, values: ReadonlyMap<string, string>) =>
  place.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values.get(name) ?? whole);

function answerFor(
  { answer }: Exchange,
  received: { body: unknown },
  values: ReadonlyMap<string, string>,
) {
  return answer ? { answer: { ...answer, body: fitted(answer.body, received.body, values) } } : {};
}
