// Questions to a person, on standard error. The only file that knows the prompt library.
import type { Readable, Writable } from 'node:stream';

/** One of the things that a picker offers. */
export interface Candidate {
  value: string;
  /** Shown instead of the value. */
  name?: string;
  /** Shown below while it is the one pointed at. */
  description?: string;
}

export interface Prompter {
  /** True on yes; the default answer is no. */
  confirm(message: string): Promise<boolean>;
  text(message: string, suggested?: string): Promise<string>;
  secret(message: string): Promise<string>;
  /** One of the candidates; `find` gives those that match what is typed so far. */
  pick(message: string, find: (typed: string) => Promise<readonly Candidate[]>): Promise<string>;
}

/** Prompts on real streams. Rejects with the signal's reason when it aborts. */
export function openAsker(
  stdin: Readable,
  stderr: Writable,
  signal: AbortSignal,
  colored: boolean,
): Prompter {
  const output = (colored ? stderr : withoutColors(stderr)) as NodeJS.WritableStream;
  const streams = { input: stdin, output, signal };
  const prompts = () => import('@inquirer/prompts');
  return {
    confirm: async (message) => (await prompts()).confirm({ message, default: false }, streams),
    text: async (message, suggested) =>
      (await prompts()).input(
        suggested === undefined ? { message } : { message, default: suggested },
        streams,
      ),
    secret: async (message) => (await prompts()).password({ message, mask: true }, streams),
    pick: async (message, find) =>
      (await prompts()).search(
        { message, source: async (typed) => [...(await find(typed ?? ''))], pageSize: 12 },
        streams,
      ),
  };
}

/** The same stream without colours: the library asks standard output and the environment whether to use them. */
const withoutColors = (stream: Writable): Writable =>
  Object.create(stream, {
    write: {
      value: (text: string | Uint8Array) =>
        stream.write(typeof text === 'string' ? text.replace(/\x1b\[[\d;]*m/g, '') : text),
    },
  }) as Writable;
