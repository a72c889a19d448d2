// Asks questions on the terminal. The prompt library is large, so it is loaded with the first question. The text of a
// question may come from the service or a file, so it is made safe for the terminal.
import type { Settings } from '../config/settings.ts';
import { errorMessage } from '../core/errors.ts';
import type { Prompter } from '../input/prompts.ts';
import { safeText } from '../output/safe-text.ts';
import { wantsColor } from '../output/style.ts';
import type { Host } from '../platform/host.ts';

export function lazyPrompter(host: Host, settings: Settings): Prompter {
  const opened = async () => {
    const { openPrompter } = await import('../input/prompts.ts');
    const { stdin, stderr, shutdownSignal, env } = host;
    const colored = wantsColor({ isTty: stderr.isTty, ...settings.color, env });
    return openPrompter(stdin, stderr.stream, shutdownSignal, colored);
  };
  /** Breaks a question between words. `reserved` is the width of what follows it. */
  const wrapped = async (message: string, reserved: number) => {
    const { wrapTerminal } = await import('../output/wrap.ts');
    const width = host.stderr.columns - '? '.length - reserved;
    return wrapTerminal(safeText(message), width).join('\n  ');
  };
  return {
    async confirm(message, isDefaultYes) {
      const question = await wrapped(message, ' (y/N)'.length);
      return (await opened()).confirm(question, isDefaultYes);
    },
    async text(message, suggested) {
      const question = await wrapped(message, suggested === undefined ? 0 : suggested.length);
      return (await opened()).text(
        question,
        suggested === undefined ? undefined : safeText(suggested),
      );
    },
    secret: async (message) => (await opened()).secret(safeText(message)),
    pick: async (message, find) =>
      (await opened()).pick(safeText(message), (typed) => find(typed).catch(rethrowSanitized)),
  };
}

/** The library prints the message of an error in a search, so it must be safe for the terminal. */
function rethrowSanitized(error: unknown): never {
  throw new Error(safeText(errorMessage(error)), { cause: error });
}
