// The connections and endpoints of a person in channels, which servers have since 3.12. A connection that several people
// share belongs to none of them.
import { type Item, pages } from '../../api/paginate.ts';
import { collectItems } from '../../core/async.ts';
import { ifPresent, SvcError } from '../../core/errors.ts';
import type { RowRequests } from '../engine/sender.ts';

/** Their identifiers. */
export interface PersonChannels {
  endpoints: readonly string[];
  connections: readonly string[];
}

/** Facts about the server that a run has found out, so that it does not ask for every person. */
export interface ServerFacts {
  /** From the first listing. */
  supportsChannels?: Promise<boolean>;
}

type Call = RowRequests['call'];

/** For `pages`. */
export const all = { limit: Number.POSITIVE_INFINITY };

/** The service did not filter a listing. */
export const foreignError = (item: string) =>
  new SvcError(
    'refused',
    `The service listed the ${item}, which does not belong to the subscriber.`,
    { hint: 'This is a fault of the service. Nothing of the other subscriber was changed.' },
  );

/** Undefined if the server does not have them. Throws if it lists those of another person. */
export async function listChannels(
  call: Call,
  subscriberId: string,
  server: ServerFacts,
): Promise<PersonChannels | undefined> {
  if (server.supportsChannels && !(await server.supportsChannels)) return undefined;
  const listed = listBoth(call, subscriberId);
  // Another error says nothing about the server.
  server.supportsChannels ??= listed.then(
    (channels) => channels !== undefined,
    () => true,
  );
  return listed;
}

async function listBoth(call: Call, subscriberId: string): Promise<PersonChannels | undefined> {
  const identifiers = (operation: ChannelListing) =>
    listOwn(call, operation, subscriberId).then((items) => items.map((item) => item.identifier));
  try {
    return {
      connections: await identifiers('listChannelConnections'),
      endpoints: await identifiers('listChannelEndpoints'),
    };
  } catch (error) {
    if (!lacksChannels(error)) throw error;
    return undefined;
  }
}

/** Whether the error says that the server lacks the lists, or that its feature for them is off. */
export const lacksChannels = (error: unknown): boolean =>
  error instanceof SvcError &&
  (error.details.notOffered === true || error.message.startsWith('Feature not enabled'));

export type ChannelListing = 'listChannelConnections' | 'listChannelEndpoints';

/** The items of the person, without shared ones. Throws if the service lists those of another person. */
export async function listOwn(
  call: Call,
  operation: ChannelListing,
  subscriberId: string,
): Promise<Item<ChannelListing>[]> {
  const items = await collectItems(pages({ call }, operation, { query: { subscriberId } }, all));
  const isOther = (id: string | null | undefined) => typeof id === 'string' && id !== subscriberId;
  const foreign = items.find((item) => isOther(item.subscriberId));
  if (foreign) throw foreignError(`channel ${foreign.identifier}`);
  return items.filter((item) => item.subscriberId === subscriberId);
}

/** The endpoints first, because they are in the connections. */
export async function deleteChannels(call: Call, channels: PersonChannels): Promise<void> {
  for (const identifier of channels.endpoints)
    await ifPresent(call('deleteChannelEndpoint', { path: { identifier } }));
  for (const identifier of channels.connections)
    await ifPresent(call('deleteChannelConnection', { path: { identifier } }));
}

export const hasChannels = ({ endpoints, connections }: PersonChannels = none): boolean =>
  endpoints.length + connections.length > 0;

const none: PersonChannels = { endpoints: [], connections: [] };
