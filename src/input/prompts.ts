import type { Readable, Writable } from 'node:stream';

export interface Choice {
  value: string;
  /** Label; defaults to the value. */
  name?: string;
  /** Shown below the list while the choice is selected. */
  description?: string;
}

export interface ConfirmOptions {
  /** Only for a question that is about no write. */
  isDefaultYes?: boolean;
  /** Ctrl-C ends the command: a no would have an effect. */
  needsAnswer?: boolean;
}

export interface Prompter {
  /** Asks a yes/no question; the default is no, and Ctrl-C is a no, unless the question needs an answer. */
  confirm(message: string, options?: ConfirmOptions): Promise<boolean>;
  text(message: string, suggested?: string): Promise<string>;
  secret(message: string): Promise<string>;
  /** Asks for one of the choices that `find` returns for the current input. */
  pick(message: string, find: (input: string) => Promise<readonly Choice[]>): Promise<string>;
}

interface PromptStyle {
  hasColors: boolean;
  /** False with --no-unicode: signs are ASCII. */
  unicode: boolean;
}

/** Returns prompts on the given streams. A prompt rejects with the signal's reason when it aborts. */
export function openPrompter(
  stdin: Readable,
  stderr: Writable,
  signal: AbortSignal,
  { hasColors, unicode }: PromptStyle,
): Prompter {
  const output = (hasColors ? stderr : withoutColors(stderr)) as NodeJS.WritableStream;
  const streams = { input: stdin, output, signal };
  const prompts = () => import('./prompt-library.ts');
  const look = unicode ? {} : { theme: asciiSigns };
  return {
    confirm: async (message, { isDefaultYes = false, needsAnswer = false } = {}) =>
      (await prompts())
        .confirm({ message, default: isDefaultYes, ...look }, streams)
        .catch((error: unknown) => {
          // Ctrl-C; a signal from outside is an `AbortPromptError`.
          const isCtrlC = error instanceof Error && error.name === 'ExitPromptError';
          if (isCtrlC && !needsAnswer) return false;
          throw error;
        }),
    text: async (message, suggested) =>
      (await prompts()).input(
        { message, ...(suggested === undefined ? {} : { default: suggested }), ...look },
        streams,
      ),
    secret: async (message) =>
      (await prompts()).password({ message, mask: true, ...look }, streams),
    pick: async (message, find) =>
      (await prompts()).search(
        {
          message,
          source: async (input) => [...(await find(input ?? ''))],
          pageSize: 12,
          ...(unicode ? {} : { theme: asciiChoices }),
        },
        streams,
      ),
  };
}

const asciiKeys: Readonly<Record<string, string>> = { '↑↓': 'arrow keys', '⏎': 'enter' };

const asciiSigns = { prefix: { idle: '?', done: '+' }, spinner: { frames: ['-', '\\', '|', '/'] } };

const asciiChoices = {
  ...asciiSigns,
  icon: { cursor: '>' },
  style: {
    keysHelpTip: (keys: [key: string, action: string][]) =>
      keys.map(([key, action]) => `${asciiKeys[key] ?? key}: ${action}`).join(', '),
  },
};

/** Removes colors, because the library decides on colors by standard output and not by this stream. */
const withoutColors = (stream: Writable): Writable =>
  Object.create(stream, {
    write: {
      value: (text: string | Uint8Array) =>
        stream.write(typeof text === 'string' ? text.replace(/\x1b\[[\d;]*m/g, '') : text),
    },
  }) as Writable;
