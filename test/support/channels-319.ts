// The connections and endpoints in channels of a server 3.19.0, for a rig, as they were recorded.
import type { Answerer, FakeAnswer, Rig } from './rig.ts';
import { answered, refused } from './server-319.ts';

interface Item {
  identifier: string;
  subscriberId: string | null;
  [member: string]: unknown;
}

const nouns: Record<string, string> = {
  '/v1/channel-connections': 'connection',
  '/v1/channel-endpoints': 'endpoint',
};

/**
 * Deletes all but the item `keeps`. `ignoresFilter`: its listings have the items of everybody. Returns the identifiers
 * that are stored.
 */
export function openChannels319(rig: Rig, { keeps = '', ignoresFilter = false } = {}) {
  const slack = { integrationIdentifier: 'slack-1', channel: 'chat', providerId: 'slack' };
  const connection = (identifier: string, subscriberId: string | null, accessToken: string) => ({
    ...{ identifier, subscriberId, ...slack, contextKeys: [] },
    ...{ workspace: { id: 'T1', name: 'Team' }, auth: { accessToken } },
  });
  const store: Record<string, Item[]> = {
    '/v1/channel-connections': [
      connection('conn-1', 'u1', 'xoxb-secret'),
      connection('shared', null, 'xoxb-other'),
      connection('conn-2', 'u2', 'xoxb-two'),
    ],
    '/v1/channel-endpoints': [
      {
        identifier: 'end-1',
        subscriberId: 'u1',
        integrationIdentifier: 'hooks',
        connectionIdentifier: null,
        type: 'tool_webhook',
        endpoint: { url: 'https://hooks.example.com/xoxb-path', method: 'POST' },
      },
    ],
  };
  const write = (path: string, id: string | undefined, body: Partial<Item>): FakeAnswer => {
    const items = store[path] ?? [];
    const stored = items.find(({ identifier }) => identifier === id);
    if (stored) return answered(200, Object.assign(stored, body));
    const { identifier = `ch_${items.length}`, subscriberId = null, ...rest } = body;
    const item = { identifier, subscriberId, contextKeys: [], ...rest };
    items.push(item);
    return answered(201, item);
  };
  const answer: Answerer = ({ method, url, body }) => {
    const [, path = '', id] = /^(\/v1\/channel-\w+)(?:\/(.+))?$/.exec(url.pathname) ?? [];
    const items = store[path];
    if (!items) return undefined;
    const item = items.find(({ identifier }) => identifier === id);
    if (id !== undefined && !item)
      return refused(404, 'Not Found', `Channel ${nouns[path]} with identifier '${id}' not found`);
    if (method === 'POST' || method === 'PATCH') return write(path, id, body as Partial<Item>);
    if (method === 'GET') {
      if (item) return answered(200, item);
      const wanted = url.searchParams.get('subscriberId');
      const data = items.filter((one) => ignoresFilter || !wanted || one.subscriberId === wanted);
      const end = { next: null, previous: null, totalCount: data.length, totalCountCapped: false };
      return { status: 200, body: { data, ...end } };
    }
    if (id !== keeps) store[path] = items.filter(({ identifier }) => identifier !== id);
    return { status: 204 };
  };
  rig.answerBy(answer);
  return () => Object.values(store).flatMap((items) => items.map(({ identifier }) => identifier));
}
