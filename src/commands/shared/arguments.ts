import { required, rest } from '../../cli/options.ts';

export const subscriberArgument = required(
  '<subscriber-id>',
  'Id of the subscriber in your application',
  'subscribers',
);
/** Any number of subscribers, or a list on standard input. */
export const subscribersArgument = rest(
  '[subscriber-id|-...]',
  'Ids of the subscribers; - reads a list from standard input',
  'subscribers',
);
export const topicArgument = required('<topic-key>', 'Key of the topic', 'topics');
export const integrationArgument = required(
  '<integration-id>',
  'Identifier or internal id of the integration',
  'integrations',
);
export const layoutArgument = required(
  '<layout-id>',
  'Identifier, slug or internal id of the layout',
  'layouts',
);
export const workflowArgument = required(
  '<workflow-id>',
  'Identifier, slug or internal id of the workflow',
  'workflows',
);
export const inputFileArgument = required(
  '<file|->',
  'Input file, or - for standard input',
  'files',
);
export const runArgument = required(
  '<run-id>',
  'Id of the run, a unique beginning or end of it, or last',
  'runs',
);
