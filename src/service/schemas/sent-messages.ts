// Sent messages of all channels (resource of the service, not in the specification).
import { z } from 'zod';
import { limits } from '../limits.ts';
import { checked, parameter } from '../rules/checked.ts';
import { toListIfGiven, toListOfGiven, toNumber, toWholeNumber } from '../rules/conversions.ts';
import { isNumber, isOneOf, optional } from '../rules/rules.ts';
import { message } from './message.ts';
import { numberedPage } from './pages.ts';
import { queryList, queryNumber } from './query.ts';
import { allChannels, channelTypes } from './vocabulary.ts';

/** A message in GET `/v1/messages`. Its parts may be null, unlike in the inbox. */
const sentMessage = message.extend({
  subscriber: z.looseObject({ subscriberId: z.string() }).nullable().optional(),
  template: z.looseObject({}).nullable().optional(),
  subject: z.string().nullable().optional(),
  cta: z.looseObject({}).optional(),
});

export const sentMessagePage = numberedPage(sentMessage);

/** Query of GET `/v1/messages`. */
export const listMessagesQuery = z.strictObject({
  channel: z.enum(allChannels).optional(),
  subscriberId: z.string().optional(),
  transactionId: parameter(queryList(z.string()).optional(), toListIfGiven),
  contextKeys: parameter(queryList(z.string()).optional(), toListOfGiven),
  page: parameter(queryNumber({ min: 0 }).optional(), toNumber, optional(isNumber)),
  limit: parameter(
    queryNumber({ min: 1, max: limits.page.messages }).optional(),
    toWholeNumber,
    optional(isNumber),
  ),
});

/** Query of DELETE `/v1/messages/transaction/{transactionId}`. */
export const deleteMessagesQuery = z.strictObject({
  channel: checked(z.enum(allChannels).optional(), optional(isOneOf(channelTypes))),
});

export { acknowledgement, emptyResponse } from './values.ts';
export type SentMessage = z.output<typeof sentMessage>;
