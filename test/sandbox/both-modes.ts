// Opens a sandbox of each mode: the specification, and `--compat novu`.
import { type Ask, type OpenOptions, openSandbox, type TestResponse } from './open.ts';

/** Removes the envelope of a response. */
function unwrap(response: TestResponse): TestResponse {
  const isWrapped =
    typeof response.body === 'object' &&
    response.body !== null &&
    Object.keys(response.body).join() === 'data';
  return isWrapped ? { ...response, body: response.body.data } : response;
}

export interface BothModes {
  specified: Ask;
  /** The responses are without the envelope. */
  novu: Ask;
}

export async function openBothModes(options: OpenOptions = {}): Promise<BothModes> {
  const specified = await openSandbox({ ...options, mode: 'specification' });
  const novu = await openSandbox({ ...options, mode: 'novu' });
  return {
    specified: specified.ask,
    novu: async (...request) => unwrap(await novu.ask(...request)),
  };
}

/** Sends a request in both modes. */
export async function askBoth(
  { specified, novu }: BothModes,
  ...request: Parameters<Ask>
): Promise<{ specified: TestResponse; novu: TestResponse }> {
  return { specified: await specified(...request), novu: await novu(...request) };
}
