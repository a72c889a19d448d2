import { command } from '../../../cli/command.ts';
import { required } from '../../../cli/options.ts';
import * as result from '../../../output/result.ts';
import { subscriberArgument } from '../../shared/arguments.ts';

export const deleteCredentials = command({
  summary: 'Delete the credentials of a provider from a subscriber',
  arguments: {
    subscriberId: subscriberArgument,
    provider: required('<provider>', 'Id of the provider', 'credentialProviders'),
  },
  output: '{deleted, subscriberId, providerId}.',
  examples: {
    'svc subscribers credentials delete u1 slack --yes': 'Without asking',
    'svc subscribers credentials delete u1 fcm --yes --json': 'In a script',
  },
  fields: ['deleted', 'subscriberId', 'providerId'],
  operations: ['deleteSubscriberCredentials'],
  writes: true,
  async run(context, { args: { subscriberId, provider } }) {
    await context.confirm(
      `Delete the ${provider} credentials of ${subscriberId}`,
      'This cannot be undone.',
    );
    await context.call('deleteSubscriberCredentials', {
      path: { subscriberId, providerId: provider },
    });
    return result.report({
      value: { deleted: true, subscriberId, providerId: provider },
      headline: `Deleted the ${provider} credentials of ${subscriberId}`,
      ids: [subscriberId],
    });
  },
});
