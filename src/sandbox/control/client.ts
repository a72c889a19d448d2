// Calls the control routes of a sandbox: /__sandbox/…, which the service does not have.
import type { Client } from '../../api/client.ts';
import { SvcError } from '../../core/errors.ts';
import { isObject } from '../../core/objects.ts';

/** An exported state can be much larger than other responses. */
const maxStateBytes = 256 * 1024 * 1024;

/** Calls a control route. Returns undefined if no sandbox listens at the address. */
export async function callControlIfRunning(
  client: Client,
  method: 'GET' | 'POST' | 'DELETE',
  action: string,
  body?: object,
): Promise<{ value: unknown } | undefined> {
  try {
    const bytes = body && Buffer.from(JSON.stringify(body));
    const target = `/__sandbox/${action}`;
    return await client.send({
      method,
      target,
      responseLimit: maxStateBytes,
      ...(bytes ? { body: bytes } : {}),
    });
  } catch (error) {
    if (isNotListening(error)) return undefined;
    throw error;
  }
}

/** Whether the connection failed. A timeout does not count: a slow sandbox is running. */
const isNotListening = (error: unknown) =>
  error instanceof SvcError &&
  error.details.outcome !== undefined &&
  'failure' in error.details.outcome &&
  error.details.outcome.failure === 'network';

/** Whether a server responded as a sandbox does to `status`. It could be the real service, or another program. */
export const isSandboxStatus = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && value.name === 'svc-sandbox';
