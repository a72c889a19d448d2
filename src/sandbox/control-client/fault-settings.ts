// The faults that a sandbox injects: the body of POST `/__sandbox/faults`.
import { z } from 'zod';
import { plans } from '../../service/plans.ts';

const rate = z.number().min(0, 'must be at least 0').max(1, 'must be at most 1');
const errorStatus = 'must be an error status from 400 to 599';

/** Body of POST `/__sandbox/faults`. Omitted fields keep their values. */
export const faultSettings = z
  .strictObject({
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
    faultSeed: z
      .number()
      .int()
      .optional()
      .describe('The same seed and the same requests produce the same faults; default: 0'),
  })
  .describe('Rates are from 0 to 1. Omitted members keep their values');

export type FaultSettings = z.output<typeof faultSettings>;
