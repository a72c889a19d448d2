// Sent messages of all channels (resource of the service, not in the specification).
import { z } from 'zod';
import { message } from './message.ts';
import { numberedPage } from './pages.ts';
import { queryList, queryNumber } from './query.ts';
import { channelTypes } from './vocabulary.ts';

const texts = queryList(z.string()).optional();

/** A message in GET `/v1/messages`. Its parts may be null, unlike in the inbox. */
export const sentMessage = message.extend({
  subscriber: z.looseObject({ subscriberId: z.string() }).nullable().optional(),
  template: z.looseObject({}).nullable().optional(),
  subject: z.string().nullable().optional(),
  cta: z.looseObject({}).optional(),
});

export const sentMessagePage = numberedPage(sentMessage);

/** Query of GET `/v1/messages`. */
export const listMessagesQuery = z.strictObject({
  channel: z.enum(channelTypes).optional(),
  subscriberId: z.string().optional(),
  transactionId: texts,
  contextKeys: texts,
  page: queryNumber({ min: 0 }).optional(),
  limit: queryNumber({ min: 1, max: 1000 }).optional(),
});

/** Query of DELETE `/v1/messages/transaction/{transactionId}`. */
export const deleteMessagesQuery = z.strictObject({ channel: z.enum(channelTypes).optional() });

export { acknowledgement, emptyResponse } from './values.ts';
export type SentMessage = z.output<typeof sentMessage>;
