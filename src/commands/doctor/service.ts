// Checks of the service, from two requests: whether and how it responds, its clock and version, and the environment of
// the key.

import type { Context } from '../../app/context.ts';
import { resolveNetwork } from '../../config/network.ts';
import { isSandboxTarget } from '../../config/target.ts';
import { durationText } from '../../core/durations.ts';
import { ownEnvironment } from '../../environment/environments.ts';
import type { Environment } from '../../service/schemas/environments.ts';
import { versionFacts } from '../../service/servers.ts';
import { verifiedVersions } from '../../service/versions.ts';
import { readServiceVersion, storeServiceVersion } from '../shared/service-version.ts';
import { type Check, warning } from './finding.ts';

/** A larger difference between the two clocks is reported. */
const toleratedSkewMs = 60_000;

interface ServiceResponse {
  value: Environment[];
  headers: Record<string, string>;
}

export function serviceChecks(): Check[] {
  let response: ServiceResponse | undefined;
  const checks: Check[] = [
    {
      name: 'proxy',
      async run(context) {
        const { proxy, caFile } = await resolveNetwork(
          context.settings.caFile,
          context.host.env,
          new URL(context.connection.target().baseUrl.value),
        );
        const proxyText = proxy ? `through ${proxy.url} (${proxy.variable})` : 'none';
        return { message: `${proxyText}${caFile ? `; trusting ${caFile}` : ''}` };
      },
    },
    {
      name: 'service',
      async run(context) {
        const { now } = context.host.clock;
        const startedAt = now();
        const client = await context.client();
        response = await client.exchange('listEnvironments', {});
        return { message: `responds in ${now() - startedAt} ms and accepts the key` };
      },
    },
    {
      name: 'encryption',
      async run(context) {
        const { value } = context.connection.target().baseUrl;
        if (value.startsWith('https:')) return { message: 'TLS with a trusted certificate' };
        return context.settings.insecureHttp
          ? warning('none: http:// to another machine', 'Use https:// if the service supports it.')
          : { message: 'not needed on this machine' };
      },
    },
    {
      name: 'clock',
      async run(context) {
        const serviceTime = Date.parse(response?.headers.date ?? '');
        if (Number.isNaN(serviceTime)) return { message: 'the service does not send its time' };
        const skew = Math.round((context.host.clock.now() - serviceTime) / 1000);
        const message = `${durationText(Math.abs(skew) * 1000)} ${skew >= 0 ? 'ahead of' : 'behind'} the service`;
        if (Math.abs(skew) * 1000 <= toleratedSkewMs) return { message };
        if (isSandboxTarget(context.connection.target()))
          return { message: `${message}: the sandbox has its own clock (svc sandbox clock)` };
        return warning(
          message,
          "Set this machine's clock: --since and --until are relative to it.",
        );
      },
    },
    { name: 'server', run: checkVersion },
    { name: 'environment', run: (context) => checkEnvironment(context, response?.value ?? []) },
  ];
  return checks.map((check) => ({ ...check, needs: 'all' }));
}

async function checkEnvironment(context: Context, environments: readonly Environment[]) {
  const own = await ownEnvironment(context, environments);
  const { keyFrom } = context.connection.target();
  // A profile whose key is not used says nothing about this key.
  const storedName = keyFrom.kind === 'profile' ? keyFrom.profile.environment : undefined;
  if (keyFrom.kind === 'profile' && own && storedName !== undefined && storedName !== own.name) {
    return warning(
      `The key is for ${own.name}, but profile ${keyFrom.name} was stored for ${storedName}`,
      `svc login --profile ${keyFrom.name}`,
    );
  }
  if (!own) return { message: 'the service does not show which environment the key is for' };
  const { length } = environments;
  return { message: length === 1 ? own.name : `${own.name}, one of ${length} environments` };
}

/** Reads the version, stores it with the profile, and says what the server restricts and lacks. */
async function checkVersion(context: Context) {
  const version = await readServiceVersion(await context.client());
  if (version === undefined) return { message: 'the server does not say its version' };
  const { keyFrom } = context.connection.target();
  if (keyFrom.kind === 'profile' && keyFrom.profile.serviceVersion !== version)
    await storeServiceVersion(context, keyFrom.name, version);
  const { restricts, lacks, isVerified } = versionFacts(version);
  const message = [
    `version ${version}`,
    ...(restricts.length === 0 ? [] : [`restricts: ${restricts.join(', ')}`]),
    ...(lacks.length === 0 ? [] : [`does not offer: ${lacks.join(', ')}`]),
  ].join('; ');
  return isVerified
    ? { message }
    : warning(
        message,
        `svc is verified with servers ${verifiedVersions.oldest} to ${verifiedVersions.newest}.`,
      );
}
