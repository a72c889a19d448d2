// Reads single keys from the terminal. While it does, the terminal sends Ctrl-C and Ctrl-Z as characters, so that they
// are turned into their signals here.
import type { ReadStream } from 'node:tty';

const ctrlC = '\x03';
const ctrlZ = '\x1a';

/** Returns a function that restores the terminal. It is restored at an exit, too. */
export function readKeys(stdin: ReadStream, onKey: (key: string) => void): () => void {
  const restore = () => void stdin.setRawMode(false);
  const onData = (data: Buffer) => {
    for (const key of data.toString()) {
      if (key === ctrlC) process.kill(process.pid, 'SIGINT');
      else if (key === ctrlZ) suspend();
      else onKey(key);
    }
  };
  const suspend = () => {
    restore();
    process.kill(process.pid, 'SIGTSTP');
  };
  const resume = () => void stdin.setRawMode(true);
  stdin.setRawMode(true);
  stdin.on('data', onData).resume();
  process.once('exit', restore).on('SIGCONT', resume);
  return () => {
    process.off('exit', restore).off('SIGCONT', resume);
    stdin.off('data', onData).pause();
    restore();
  };
}
