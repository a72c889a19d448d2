// Connections of subscribers and contexts to channels, such as a workspace of Slack, and the endpoints in them, since 3.12.
import { z } from 'zod';
import { cursorPage } from './query.ts';

const channelItem = z.looseObject({
  identifier: z.string(),
  integrationIdentifier: z.string().nullable().optional(),
  /** Null for a connection that several subscribers share. */
  subscriberId: z.string().nullable().optional(),
  contextKeys: z.array(z.string()).optional(),
});

export const channelPage = cursorPage(channelItem);

/** Query of GET `/v1/channel-connections` and `/v1/channel-endpoints`. */
export const listChannelsQuery = z.strictObject({
  subscriberId: z.string().optional(),
  limit: z.number().optional(),
  after: z.string().optional(),
  before: z.string().optional(),
  includeCursor: z.boolean().optional(),
});

export { emptyResponse } from './values.ts';
