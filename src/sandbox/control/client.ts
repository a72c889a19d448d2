// The control routes that a sandbox has beside those of the service.
import type { Client } from '../../api/client.ts';
import { SvcError } from '../../core/errors.ts';

/** The exported state of a sandbox can be large. */
const maxStateBytes = 256 * 1024 * 1024;

/** Calls a control route; undefined when nothing listens there. */
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

/** Whether nothing answered at the address of a sandbox; what answers too late does run. */
const isNotListening = (error: unknown) =>
  error instanceof SvcError &&
  'outcome' in error &&
  (error.outcome as { failure?: string }).failure === 'network';
