// The output streams of a command that a tool runs.
import { Writable } from 'node:stream';
import { BrokenPipeError, type OutputStream } from '../platform/host.ts';

export interface Capture {
  stream: OutputStream;
  text(): string;
}

/** Collects up to `most` characters. A command that `stops` ends there, as with a closed pipe. */
export function openCapture(most: number, stops = false): Capture {
  let text = '';
  return {
    stream: {
      isTty: false,
      columns: 80,
      stream: new Writable({ write: (_chunk, _encoding, done) => done() }),
      async write(more) {
        if (stops && text.length >= most) throw new BrokenPipeError();
        text += text.length + more.length > most ? more.slice(0, most - text.length) : more;
      },
    },
    text: () => text,
  };
}
