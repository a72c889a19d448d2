import { command } from '../../cli/command.ts';
import { keySource, overriddenVariables } from '../../config/target.ts';
import { ownEnvironment } from '../../environment/environments.ts';
import * as result from '../../output/result.ts';

export const whoami = command({
  summary: 'Check the key with the service, and show the active service, profile and environment',
  output:
    '{baseUrl, baseUrlFrom, profile, keyFrom, environment, environmentId, organizationId, serviceVersion}. The profile is null if address and key come from variables or options. The version of the server is the one that `svc login` or `svc doctor` last read; the server may be newer. If variables that name a service have no effect, also overridden, with their names.',
  examples: {
    'svc whoami': 'Check which service and environment commands will use',
    'svc whoami --jq .environment': 'In a script',
  },
  unexpected: 'Name the profile with --profile.',
  fields: [
    'baseUrl',
    'baseUrlFrom',
    'profile',
    'keyFrom',
    'environment',
    'environmentId',
    'organizationId',
    'serviceVersion',
    'overridden',
  ],
  operations: ['listEnvironments'],
  writes: false,
  tool: 'read',
  async run(context) {
    const target = context.connection.target();
    const { baseUrl, profile, keyFrom } = target;
    const { globals, host } = context;
    const overridden = overriddenVariables({ globals, env: host.env }, target);
    const environments = await context.call('listEnvironments', {});
    const environment = await ownEnvironment(context, environments);
    const isProfileUsed =
      keyFrom.type === 'profile' || baseUrl.source === `profile ${profile?.value}`;
    const value = {
      baseUrl: baseUrl.value,
      baseUrlFrom: baseUrl.source,
      profile: (isProfileUsed && profile?.value) || null,
      keyFrom: keySource(keyFrom),
      environment: environment?.name ?? null,
      environmentId: environment?._id ?? null,
      organizationId: environments[0]?._organizationId ?? null,
      serviceVersion: (isProfileUsed && profile?.profile.serviceVersion) || null,
      ...(overridden ? { overridden: overridden.names } : {}),
    };
    return result.one({ value });
  },
});
