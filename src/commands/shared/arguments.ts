// Arguments that several commands take.
import { required } from '../../cli/options.ts';

export const subscriberArgument = required(
  '<subscriber-id>',
  'Id of the subscriber in your application',
  'subscribers',
);
export const topicArgument = required('<topic-key>', 'Key of the topic', 'topics');
export const integrationArgument = required(
  '<integration-id>',
  'Internal id of the integration',
  'integrations',
);
export const runArgument = required('<run-id>', 'Id of the run, or last', 'runs');
