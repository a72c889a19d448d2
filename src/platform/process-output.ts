// A standard stream of this process to write to. The first kilobytes go straight to the descriptor:
// opening the stream costs more than most commands print.
import { writeSync } from 'node:fs';
import { localError, systemCode } from '../core/errors.ts';
import { BrokenPipeError, type OutputStream } from './host.ts';

/** An empty pipe takes this much at once on every system, so that nothing waits. */
const straightBytes = 16_384;

export function openProcessOutput(
  descriptor: 1 | 2,
  name: string,
  open: () => NodeJS.WriteStream,
): OutputStream {
  let failure: unknown;
  let stream: NodeJS.WriteStream | undefined;
  let straight = straightBytes;

  const opened = () => {
    stream ??= open().on('error', (error) => {
      failure = error;
    });
    return stream;
  };
  const check = () => {
    if (failure === undefined) return;
    const gone = ['EPIPE', 'EOF'].includes(systemCode(failure) ?? '');
    if (gone) throw new BrokenPipeError();
    const why = failure instanceof Error ? failure.message : String(failure);
    throw localError(`${name} cannot be written: ${why}`, {
      hint: 'Make room there, or send it elsewhere.',
    });
  };

  /** What the descriptor did not take. */
  const writeStraight = (bytes: Buffer): Buffer => {
    straight -= bytes.length;
    if (stream !== undefined || straight < 0) return bytes;
    let rest = bytes;
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if (systemCode(error) !== 'EAGAIN') failure = error;
    }
    return rest;
  };

  const writeStream = async (bytes: Buffer): Promise<void> => {
    const target = opened();
    if (target.write(bytes)) return;
    const events = ['drain', 'close', 'error'];
    await new Promise<void>((resolve) => {
      const room = () => {
        for (const event of events) target.off(event, room);
        resolve();
      };
      for (const event of events) target.on(event, room);
    });
  };

  return {
    get stream() {
      return opened();
    },
    get isTty() {
      return process.getBuiltinModule('node:tty').isatty(descriptor);
    },
    get columns() {
      const { columns } = opened();
      return columns > 0 ? columns : 80;
    },
    write: async (text) => {
      check();
      if (text === '') return;
      const rest = writeStraight(Buffer.from(text));
      check();
      if (rest.length > 0) await writeStream(rest);
      check();
    },
  };
}
