// The faults that a sandbox injects: the body of POST `/__sandbox/faults`.

import { z } from 'zod';
import { plans } from '../../service/plans.ts';
import { fromServiceId, jobProviders } from '../../service/providers.ts';
import { allChannels } from '../../service/schemas/vocabulary.ts';

const rate = z.number().min(0, 'must be at least 0').max(1, 'must be at most 1');
const errorStatus = 'must be an error status from 400 to 599';

/** Messages of these channels go through a provider. */
const deliveryChannels = allChannels.filter((channel) => channel !== 'in_app');

const requestFaults = {
  latency: z
    .number()
    .min(0, 'must be at least 0')
    .max(600_000, 'must be at most 600000 (10 minutes)')
    .optional()
    .describe('Delay of every request in milliseconds'),
  failNext: z
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .optional()
    .describe(
      'The number of requests that fail next with `status` and change nothing; each one lowers it',
    ),
  fail: rate.optional().describe('Rate of requests that fail with `status` and change nothing'),
  status: z
    .number()
    .int()
    .min(400, errorStatus)
    .max(599, errorStatus)
    .optional()
    .describe('The status of failed requests; default: 503'),
  rateLimit: z
    .enum(plans)
    .optional()
    .describe('The plan whose rate limits and activity retention apply'),
  reset: rate
    .optional()
    .describe('Rate of requests whose connection is closed before they are processed'),
  truncate: rate
    .optional()
    .describe('Rate of responses whose connection is closed in the middle of the body'),
  afterCommit: rate
    .optional()
    .describe('Rate of writes that are made, but respond with `status` or a closed connection'),
  httpStep: z
    .int('must be a whole number')
    .min(100, 'must be at least 100')
    .max(599, 'must be at most 599')
    .optional()
    .describe('Steps that send a request get a response with this status, and send nothing'),
  loseJobs: rate
    .optional()
    .describe('Rate of jobs that get lost: they are not created, never run, or wait forever'),
  repeatEvents: rate
    .optional()
    .describe('Rate of events that are processed twice for a recipient, so that messages repeat'),
  faultSeed: z
    .number()
    .int()
    .optional()
    .describe('The same seed and the same requests produce the same faults; default: 0'),
};

const deliveryFault = {
  channel: z
    .enum(deliveryChannels)
    .optional()
    .describe('Fails deliveries of this channel instead of requests, with failNext or fail'),
  provider: z
    .string()
    .optional()
    .describe('Fails deliveries through this provider, such as sendgrid, instead of requests'),
  error: z
    .string()
    .optional()
    .describe('The error of the provider that the message and the activity show'),
};

const requestOnly = [
  'latency',
  'status',
  'rateLimit',
  'reset',
  'truncate',
  'afterCommit',
  'httpStep',
  'loseJobs',
  'repeatEvents',
] as const;

const members = z.strictObject({ ...requestFaults, ...deliveryFault });

/** Body of POST `/__sandbox/faults`. Omitted fields keep their values. */
export const faultSettings = members
  .superRefine((settings, context) => {
    const message = faultProblem(settings);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .describe(
    'Rates are from 0 to 1. Omitted members keep their values. With channel or provider, failNext and fail count deliveries, which fail as if the provider rejected them',
  );

/** The faults that are set. */
export const faultState = z
  .strictObject({
    ...requestFaults,
    deliveries: z
      .array(
        z.strictObject({
          ...deliveryFault,
          failNext: requestFaults.failNext,
          fail: requestFaults.fail,
          faultSeed: requestFaults.faultSeed,
        }),
      )
      .optional()
      .describe('The faults of channels and providers'),
  })
  .describe('Rates are from 0 to 1');

export type FaultSettings = z.output<typeof faultSettings>;
export type FaultState = z.output<typeof faultState>;
export type RequestFaultSettings = Omit<FaultState, 'deliveries'>;

function faultProblem(settings: z.output<typeof members>): string | undefined {
  const { channel, provider, error, failNext, fail } = settings;
  if (channel === undefined && provider === undefined)
    return error === undefined ? undefined : 'error is only for a channel or provider.';
  const other = requestOnly.find((name) => settings[name] !== undefined);
  if (other !== undefined) return `${other} is for requests, not for a channel or provider.`;
  if (failNext === undefined && fail === undefined)
    return 'Give failNext or fail for a channel or provider.';
  const isKnown = provider === undefined || providers.has(fromServiceId(provider));
  return isKnown ? undefined : `Unknown provider: ${provider}.`;
}

const providers: ReadonlySet<string> = new Set(jobProviders);
