// `svc whoami`
import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';

export const whoami = command({
  summary: 'Show the active service, profile and environment, verified with the service',
  output: 'Profile, address, environment and the source of the key.',
  examples: [
    { line: 'svc whoami', description: 'Before something that matters' },
    { line: 'svc whoami --jq .environment', description: 'In a script' },
  ],
  unexpected: 'A profile is named with --profile.',
  fields: [
    'baseUrl',
    'baseUrlFrom',
    'profile',
    'keyFrom',
    'environment',
    'environmentId',
    'organizationId',
  ],
  operations: ['listEnvironments'],
  writes: false,
  async run(context) {
    const { baseUrl, profile, keyFrom } = context.target();
    const client = await context.client();
    const environments = await client.call('listEnvironments', {});
    const key = await context.apiKey();
    const environment = environments.find(({ apiKeys }) => apiKeys?.some((one) => one.key === key));
    const value = {
      baseUrl: baseUrl.value,
      baseUrlFrom: baseUrl.source,
      profile: profile?.value ?? null,
      keyFrom:
        keyFrom.kind === 'file'
          ? '--api-key-file'
          : keyFrom.kind === 'variable'
            ? 'SVC_API_KEY'
            : `profile ${keyFrom.name}`,
      environment: environment?.name ?? null,
      environmentId: environment?._id ?? null,
      organizationId: environments[0]?._organizationId ?? null,
    };
    return result.one({ value });
  },
});
