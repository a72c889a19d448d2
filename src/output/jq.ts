// jq over JSON text, in a thread of its own, so that a program that never ends can be interrupted.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { usageError } from '../core/errors.ts';

/** Runs the program over one JSON text; every line of the output ends with a line feed. */
export type Jq = (json: string) => Promise<string>;

/** Starts the thread. Refuses a program that jq cannot compile. `stopSignal` gives what stops it from now on. */
export async function openJq(program: string, stopSignal: () => AbortSignal): Promise<Jq> {
  const worker = new Worker(new URL('./jq-worker.cjs', import.meta.url), {
    workerData: { program },
  });
  const run: Jq = async (json) => {
    const signal = stopSignal();
    worker.ref();
    try {
      worker.postMessage(json);
      const [reply] = await once(worker, 'message', { signal });
      return linesOf(reply);
    } catch (error) {
      await worker.terminate();
      throw signal.aborted ? signal.reason : error;
    } finally {
      // While it waits for work, the thread does not keep the process alive.
      worker.unref();
    }
  };
  // Without any input jq compiles the program and runs nothing.
  await run('');
  return run;
}

function linesOf({ text, error }: { text?: string; error?: string }): string {
  if (text === undefined) throw programError(error ?? '');
  return text === '' ? '' : `${text.replace(/\n$/, '')}\n`;
}

/** jq's own complaint, without the words around it. */
function programError(said: string) {
  const first = said.replace(/^(jq: )?(error: )?/, '').split('\n')[0] ?? '';
  const why = /^Aborted\(/.test(first)
    ? 'the program needs more memory than jq has.'
    : first.trim();
  return usageError(`--jq: ${why}`, { hint: 'Try `--jq .` to see all there is.' });
}
