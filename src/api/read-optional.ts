// Reads what a command can do without: not every server has every operation.

import type { Input, OperationId, ResponseBody } from '../service/operations/index.ts';
import type { Client } from './client.ts';

/** Sends one attempt. Returns undefined without a usable response: not every server has every operation. */
export async function readOptional<Id extends OperationId>(
  client: Client,
  id: Id,
  input: Input<Id>,
): Promise<ResponseBody<Id> | undefined> {
  const request = await client.prepare(id, input);
  try {
    const { value } = await client.send({ ...request, retrySignal: AbortSignal.abort() });
    return typeof value === 'object' && value !== null ? (value as ResponseBody<Id>) : undefined;
  } catch {
    return undefined;
  }
}
