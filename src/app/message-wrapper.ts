// Wraps errors, warnings and hints for the terminal of standard error.
import { isCi } from '../config/settings.ts';
import type { Host } from '../platform/host.ts';

/** Breaks a message at the width of the terminal. In a pipe and in a CI job, a message stays one line. */
export type MessageWrapper = (message: string) => string[];

export async function messageWrapper({ stderr, env }: Host): Promise<MessageWrapper> {
  if (!stderr.isTty || isCi(env)) return (message) => [message];
  const { wrapTerminalMessage } = await import('../output/wrap.ts');
  return (message) => wrapTerminalMessage(message, stderr.columns);
}
