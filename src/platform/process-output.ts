// Standard output and standard error of this process. The first 16 KiB are written directly to the file
// descriptor, because opening the stream takes longer than printing the output of most commands.
import { fstatSync, writeSync } from 'node:fs';
import { errorMessage, localError, systemCode } from '../core/errors.ts';
import { BrokenPipeError, type OutputStream } from './host.ts';

/** On every system, an empty pipe accepts this many bytes without blocking. */
const maxDirectBytes = 16_384;

/** Only a character device can be a terminal. Asking Node loads its streams and network: 5 ms that a pipe does not need. */
export const isTerminal = (descriptor: 0 | 1 | 2): boolean =>
  fstatSync(descriptor).isCharacterDevice() &&
  process.getBuiltinModule('node:tty').isatty(descriptor);

export function openProcessOutput(
  descriptor: 1 | 2,
  name: string,
  open: () => NodeJS.WriteStream,
): OutputStream {
  let failure: unknown;
  let stream: NodeJS.WriteStream | undefined;
  let directBytesLeft = maxDirectBytes;

  const getStream = () => {
    stream ??= open().on('error', (error) => {
      failure = error;
    });
    return stream;
  };
  const throwIfFailed = () => {
    if (failure === undefined) return;
    const isBrokenPipe = ['EPIPE', 'EOF'].includes(systemCode(failure) ?? '');
    if (isBrokenPipe) throw new BrokenPipeError();
    const reason = errorMessage(failure);
    throw localError(`${name} cannot be written: ${reason}`, {
      hint: 'Free some disk space, or redirect the output to another file.',
    });
  };

  /** Returns the bytes that the descriptor did not accept. */
  const writeDirectly = (bytes: Buffer): Buffer => {
    directBytesLeft -= bytes.length;
    if (stream !== undefined || directBytesLeft < 0) return bytes;
    let rest = bytes;
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if (systemCode(error) !== 'EAGAIN') failure = error;
    }
    return rest;
  };

  const writeStream = async (bytes: Buffer): Promise<void> => {
    const target = getStream();
    if (target.write(bytes)) return;
    const events = ['drain', 'close', 'error'];
    await new Promise<void>((resolve) => {
      const done = () => {
        for (const event of events) target.off(event, done);
        resolve();
      };
      for (const event of events) target.on(event, done);
    });
  };

  return {
    get stream() {
      return getStream();
    },
    get isTty() {
      return isTerminal(descriptor);
    },
    get columns() {
      const { columns } = getStream();
      return columns > 0 ? columns : 80;
    },
    get rows() {
      const { rows } = getStream();
      return rows > 0 ? rows : 24;
    },
    write: async (text) => {
      throwIfFailed();
      if (text === '') return;
      const rest = writeDirectly(Buffer.from(text));
      throwIfFailed();
      if (rest.length > 0) await writeStream(rest);
      throwIfFailed();
    },
  };
}
