// The options that select captured messages, and the query of the control route for them.

import type { Values } from '../../../cli/command.ts';
import { choice, text } from '../../../cli/options.ts';
import { channelTypes } from '../../../service/schemas/vocabulary.ts';

export const messageFilters = {
  subscriber: text('--subscriber <subscriber-id>', 'Only messages to this subscriber', {
    complete: 'subscribers',
  }),
  channel: choice('--channel <channel>', channelTypes, 'Only messages of this channel'),
  workflow: text('--workflow <workflow-id>', 'Only messages of this workflow', {
    complete: 'workflows',
  }),
  transaction: text('--transaction <id>', 'Only messages of this transaction', {
    complete: 'transactions',
  }),
};

type FilterValues = Partial<Values<typeof messageFilters>>;

export const filterQuery = ({ subscriber, channel, workflow, transaction }: FilterValues) => ({
  subscriberId: subscriber,
  channel,
  workflow,
  transactionId: transaction,
});

/** Converts the values back to command-line arguments. */
export const filterArguments = (given: FilterValues): string[] =>
  Object.keys(messageFilters).flatMap((name) => {
    const value = given[name as keyof FilterValues];
    return value === undefined ? [] : [`--${name}`, value];
  });
