import { command } from '../../../cli/command.ts';
import { usageError } from '../../../core/errors.ts';
import * as result from '../../../output/result.ts';
import { fromServiceId, jobProviders } from '../../../service/providers.ts';
import { callControl, connectSandbox, sandboxProfile } from '../connect.ts';
import {
  type DeliveryValues,
  deliveryOptions,
  type FaultValues,
  faultArguments,
  faultOptions,
  formatFaults,
  pickFaults,
} from './options.ts';

export const set = command({
  summary:
    'Inject faults: latency, errors, rate limits, truncated responses, failed deliveries, lost jobs, repeated events',
  details:
    'Options that you omit keep their values; a rate of 0 turns a fault off. With --channel or --provider, --fail and --fail-next count deliveries, which fail as if the provider rejected the message; the event is accepted. With --lose-jobs, events are accepted and some of their jobs are not created, never run, or wait forever; with --repeat-events, some are processed twice. `svc activity audit` finds both. The random sequence restarts, so the same seed and the same requests produce the same faults. Faults last until you run `svc sandbox faults clear` or `svc sandbox reset`, or stop the sandbox.',
  options: { ...faultOptions, ...deliveryOptions },
  output:
    'The active faults: {profile, latency, fail, …}; rates are from 0 to 1, latency is in milliseconds. deliveries has the faults of channels and providers: [{channel, provider, failNext, fail, error}].',
  writes: true,
  targetProfile: sandboxProfile,
  localOnly: true,
  exitCodes: ['notFound'],
  examples: {
    'svc sandbox faults set --fail 5% --status 503': 'Fail one request in twenty',
    'svc sandbox faults set --fail-next 2':
      'Fail the next two requests, to test how a program tries again',
    'svc sandbox faults set --channel email --fail-next 1 --error "Mailbox full"':
      'Fail the next e-mail as its provider would',
    'svc sandbox faults set --after-commit 10% --fault-seed 42':
      'Process some requests, then respond with an error',
    'svc sandbox faults set --lose-jobs 5% --fault-seed 7':
      'Lose jobs, as a worker does that stops',
    'svc sandbox faults set --rate-limit free': 'Apply the limits of the free plan',
  },
  async run(context, { options }) {
    const { channel, provider, error } = options;
    checkDelivery(options);
    const faults = {
      ...pickFaults(options),
      ...(channel === undefined ? {} : { channel }),
      ...(provider === undefined ? {} : { provider }),
      ...(error === undefined ? {} : { error }),
    };
    if (Object.keys(faults).length === 0) {
      throw usageError('No fault given.', {
        hint: 'Add an option such as --latency 100ms or --fail 5%.',
        next: ['svc sandbox faults set --help'],
      });
    }
    const connected = await connectSandbox(context);
    const value = await callControl(connected, ({ setFaults }) => setFaults(faults));
    return result.report({
      value: { profile: connected.profile, ...value },
      lines: [`Active faults in the ${connected.title}: ${formatFaults(value)}.`],
      ids: [connected.name],
    });
  },
});

type SetValues = FaultValues & DeliveryValues;

/** The options for requests and those for deliveries cannot be combined. */
function checkDelivery({ channel, provider, error, ...faults }: SetValues): void {
  const isDelivery = channel !== undefined || provider !== undefined;
  if (!isDelivery && error === undefined) return;
  const { fail, failNext, faultSeed: _, ...others } = pickFaults(faults);
  const [other] = faultArguments(others);
  if (!isDelivery) throw usageError('--error requires --channel or --provider.');
  if (other !== undefined)
    throw usageError(
      `${other.split('=')[0]} is for requests: it cannot be combined with --channel and --provider.`,
    );
  if (fail === undefined && failNext === undefined)
    throw usageError('--channel and --provider require --fail or --fail-next.');
  if (provider !== undefined && !knownProviders.includes(fromServiceId(provider)))
    throw usageError(`Unknown provider \`${provider}\`.`, {
      suggestion: { input: provider, candidates: knownProviders },
    });
}

const knownProviders: readonly string[] = jobProviders;
