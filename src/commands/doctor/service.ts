// What the service is asked once: whether it answers, how, and as whom.
import type { Environment } from '../../api/schemas/environments.ts';
import type { Context } from '../../app/context.ts';
import { type Check, warning } from './finding.ts';

/** Beyond this many milliseconds, times of the two machines are told apart by people. */
const tolerated = 60_000;

interface Answered {
  value: Environment[];
  headers: Record<string, string>;
}

export function serviceChecks(): Check[] {
  let answer: Answered | undefined;
  return [
    {
      name: 'proxy',
      async look(context) {
        const { proxy, caFile } = await context.network();
        const through = proxy ? `through ${proxy.url} (${proxy.variable})` : 'none';
        return { found: `${through}${caFile ? `; trusting ${caFile}` : ''}` };
      },
    },
    {
      name: 'service',
      async look(context) {
        const { now } = context.host.clock;
        const began = now();
        const client = await context.client();
        answer = await client.exchange('listEnvironments', {});
        return { found: `answers in ${now() - began} ms and takes the key` };
      },
    },
    {
      name: 'encryption',
      async look(context) {
        const { value } = context.target().baseUrl;
        if (value.startsWith('https:')) return { found: 'TLS, and the certificate is trusted' };
        return context.preferences.insecureHttp
          ? warning('none: http:// beyond this machine', 'Use https:// where the service has it.')
          : { found: 'not needed on this machine' };
      },
    },
    {
      name: 'clock',
      async look({ host }) {
        const theirs = Date.parse(answer?.headers.date ?? '');
        if (Number.isNaN(theirs)) return { found: 'the service does not tell its time' };
        const skew = Math.round((host.clock.now() - theirs) / 1000);
        const found = `${Math.abs(skew)} s ${skew >= 0 ? 'ahead of' : 'behind'} the service`;
        return Math.abs(skew) * 1000 > tolerated
          ? warning(found, 'Set the clock of this machine: --since and waiting rely on it.')
          : { found };
      },
    },
    { name: 'environment', look: (context) => environmentOf(context, answer?.value ?? []) },
  ];
}

async function environmentOf(context: Context, environments: readonly Environment[]) {
  const key = await context.apiKey();
  const own = environments.find(({ apiKeys }) => apiKeys?.some((one) => one.key === key));
  const { profile } = context.target();
  const named = profile?.profile.environment;
  if (own && named !== undefined && named !== own.name) {
    return warning(
      `${own.name}, but profile ${profile?.value} says ${named}`,
      `svc login --profile ${profile?.value}`,
    );
  }
  if (!own) return { found: 'the service does not say which' };
  const { length } = environments;
  return { found: length === 1 ? own.name : `${own.name}, one of ${length} environments` };
}
