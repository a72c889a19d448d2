// `svc subscribers channels`: the connections and endpoints by which integrations reach a subscriber.
import type { Context } from '../../../app/context.ts';
import { reportDeletions, runNamed } from '../../../bulk/command/run-named.ts';
import { requestPerId } from '../../../bulk/operations/id-list.ts';
import { command, type Group } from '../../../cli/command.ts';
import { choice, required, rest } from '../../../cli/options.ts';
import { isMissing, SvcError } from '../../../core/errors.ts';
import { shellWord } from '../../../core/text.ts';
import type { Column } from '../../../output/result.ts';
import * as result from '../../../output/result.ts';
import { subscriberArgument } from '../../shared/arguments.ts';
import { type Channel, channelKinds, ofKind, pathOf, readChannels } from './channel.ts';
import { importChannels } from './import.ts';
import { set } from './set.ts';

/** `Team` of a connection, `slack_user userId=U1` of an endpoint. */
function addressText(channel: Channel): string {
  if (channel.kind === 'connection') return channel.workspace?.name ?? channel.workspace?.id ?? '';
  const members = Object.entries(channel.endpoint ?? {}).map(
    ([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  return [channel.type ?? '', ...members].join(' ');
}

const columns: readonly Column<Channel>[] = [
  { field: 'identifier', header: 'IDENTIFIER', tone: () => 'strong' },
  { field: 'kind', header: 'KIND' },
  { field: 'channel', header: 'CHANNEL', drop: 3 },
  { field: 'providerId', header: 'PROVIDER', drop: 2 },
  { field: 'integrationIdentifier', header: 'INTEGRATION' },
  { field: 'address', header: 'ADDRESS', shrink: true, value: addressText },
  { field: 'contextKeys', header: 'CONTEXTS', optional: true, drop: 4 },
  { field: 'updatedAt', header: 'UPDATED', time: true, drop: 1 },
];

const identifierOf = ({ identifier }: Channel) => identifier;

const fields = [
  ...['kind', 'identifier', 'channel', 'providerId', 'integrationIdentifier', 'subscriberId'],
  ...['contextKeys', 'workspace', 'auth', 'connectionIdentifier', 'type', 'endpoint'],
  ...['createdAt', 'updatedAt'],
];

const list = command({
  summary: 'List the connections and endpoints of a subscriber',
  details:
    'A connection has the token of a workspace, such as one of Slack; an endpoint is an address, often in a connection. Tokens and secret addresses are masked unless --reveal is given. Connections that several subscribers share are not listed.',
  arguments: { subscriberId: subscriberArgument },
  options: { kind: choice('--kind <kind>', channelKinds, 'Only connections, or only endpoints') },
  output:
    'A list of connections and endpoints. As JSON, the items of the service with their kind; with -o ids, the identifiers.',
  examples: {
    'svc subscribers channels list u1': 'List all of u1',
    'svc subscribers channels list u1 --kind endpoint --json': 'List the endpoints as JSON',
  },
  fields,
  operations: ['listChannelConnections', 'listChannelEndpoints'],
  writes: false,
  tool: 'read',
  async run(context, { args: { subscriberId }, options: { kind } }) {
    const kinds = kind === undefined ? channelKinds : [kind];
    return result.list({
      pages: result.onePage(await readChannels(context, subscriberId, kinds)),
      columns,
      id: identifierOf,
      empty: 'No connections or endpoints.',
      next: { 'Create one': `svc subscribers channels set ${shellWord(subscriberId)} --help` },
    });
  },
});

const identifier = required('<channel-id>', 'Identifier of the connection or endpoint', {
  value: 'id',
});

const get = command({
  summary: 'Show a connection or an endpoint of a subscriber',
  details: 'Tokens and secret addresses are masked unless --reveal is given.',
  arguments: { subscriberId: subscriberArgument, identifier },
  output: 'The connection or endpoint, with its kind.',
  examples: {
    'svc subscribers channels get u1 conn-1': 'Show one connection',
    'svc subscribers channels get u1 conn-1 --jq .auth.accessToken --reveal': 'Print its token',
  },
  fields,
  exitCodes: ['notFound'],
  operations: [
    'getChannelConnection',
    'getChannelEndpoint',
    'listChannelConnections',
    'listChannelEndpoints',
  ],
  writes: false,
  tool: 'read',
  async run(context, { args }) {
    const value = await requireChannel(context, args.subscriberId, args.identifier);
    const fieldColumns = [
      ...columns,
      { field: 'auth', header: 'AUTH', optional: true } as const,
      { field: 'connectionIdentifier', header: 'CONNECTION', optional: true } as const,
    ];
    return result.one({ value, fields: fieldColumns, id: identifierOf });
  },
});

/** Throws an error with the identifiers of the subscriber. */
async function requireChannel(
  context: Context,
  subscriberId: string,
  wanted: string,
): Promise<Channel> {
  const client = await context.client();
  for (const kind of channelKinds) {
    try {
      const channel = await ofKind[kind].get(client, wanted);
      if (channel.subscriberId === subscriberId) return channel;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  throw unknownChannel(subscriberId, wanted, await readChannels(context, subscriberId));
}

const unknownChannel = (subscriberId: string, wanted: string, own: readonly Channel[]) =>
  new SvcError(
    'notFound',
    `Subscriber ${subscriberId} has no connection or endpoint \`${wanted}\`.`,
    {
      suggestion: { input: wanted, candidates: own.map(identifierOf) },
      next: [`svc subscribers channels list ${shellWord(subscriberId)}`],
    },
  );

const deleteChannels = command({
  summary: 'Delete connections and endpoints of a subscriber',
  details: 'Connections that several subscribers share are not deleted.',
  arguments: {
    subscriberId: subscriberArgument,
    identifiers: rest('<channel-id...>', 'Identifiers of the connections and endpoints', {
      value: 'id',
    }),
  },
  output: '[{identifier, deleted, error}]; with -o ids, the identifiers that were deleted.',
  exitCodes: ['partial', 'notFound'],
  examples: {
    'svc subscribers channels delete u1 end-1 --yes': 'Delete without confirmation',
    'svc subscribers channels delete u1 conn-1 end-1 --dry-run':
      'Show the requests without sending them',
  },
  fields: ['identifier', 'deleted', 'error'],
  operations: [
    'deleteChannelConnection',
    'deleteChannelEndpoint',
    'listChannelConnections',
    'listChannelEndpoints',
  ],
  writes: true,
  async run(context, { args: { subscriberId, identifiers } }) {
    const own = await readChannels(context, subscriberId);
    const find = (wanted: string) => {
      const channel = own.find((candidate) => candidate.identifier === wanted);
      if (channel) return channel;
      throw unknownChannel(subscriberId, wanted, own);
    };
    // Endpoints are in connections.
    const channels = identifiers.map(find).sort((a, b) => b.kind.localeCompare(a.kind));
    return runNamed(context, {
      ids: channels.map(identifierOf),
      noun: 'channel',
      next: [`svc subscribers channels list ${shellWord(subscriberId)}`],
      confirm: (target) =>
        context.confirm(`Delete ${target} of ${subscriberId}`, 'This cannot be undone.'),
      openSender: (readId) => ({
        ...requestPerId('deleteChannelEndpoint', readId, { field: 'identifier' }),
        async sendRow({ id }, { call }) {
          await call(ofKind[find(id).kind].deletion, pathOf({ identifier: id }));
          return { state: 'deleted' };
        },
      }),
      report: reportDeletions('identifier', 'channel'),
    });
  },
});

export const group: Group = {
  summary: 'List, set and delete the connections and endpoints of a subscriber',
  details:
    'Since server 3.12, integrations of chats and tools can reach a subscriber through connections and endpoints. Before, only credentials did: `svc subscribers credentials`. `svc subscribers report`, `erase` and `export` include them.',
  commands: { list, get, set, delete: deleteChannels, import: importChannels },
};
