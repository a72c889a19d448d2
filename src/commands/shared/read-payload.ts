// Reads the payload of an event from options.
import type { Context } from '../../app/context.ts';
import { readFields } from '../../input/assignments.ts';
import { readJsonObject, textOrStdin } from '../../input/values.ts';

interface PayloadOptions {
  payload?: string;
  field?: string[];
  jsonField?: string[];
}

export const readPayload = async (
  { payload, field, jsonField }: PayloadOptions,
  { host }: Context,
): Promise<Record<string, unknown>> => ({
  ...(payload === undefined
    ? {}
    : await readJsonObject(await textOrStdin(payload, host.stdin), '--payload', host)),
  ...(await readFields(field, jsonField)),
});
