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
  return {
    async confirm(message, isDefaultYes) {
      const { wrapTerminal } = await import('../output/wrap.ts');
      const width = host.stderr.columns - '? '.length - ' (y/N)'.length;
      const question = wrapTerminal(safeText(message), width).join('\n  ');
      return (await opened()).confirm(question, isDefaultYes);
    },
    text: async (message, suggested) =>
      (await opened()).text(
        safeText(message),
        suggested === undefined ? undefined : safeText(suggested),
      ),
    secret: async (message) => (await opened()).secret(safeText(message)),
    pick: async (message, find) =>
      (await opened()).pick(safeText(message), (typed) => find(typed).catch(rethrowSanitized)),
  };
}

/** The library prints the message of an error in a search, so it must be safe for the terminal. */
function rethrowSanitized(error: unknown): never {
  throw new Error(safeText(errorMessage(error)), {
    cause: error,
  });
}
