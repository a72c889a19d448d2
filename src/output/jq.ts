// Runs jq in a worker thread, so an endless jq program can be interrupted.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { usageError } from '../core/errors.ts';

/** Applies the program to one JSON text. Every line of the output ends with a line feed. */
export type Jq = (json: string) => Promise<string>;

/** Starts the worker. Throws a usage error if the program does not compile. `stopSignal` returns the abort signal. */
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
      return toLines(reply);
    } catch (error) {
      await worker.terminate();
      throw signal.aborted ? signal.reason : error;
    } finally {
      // An idle worker must not keep the process alive.
      worker.unref();
    }
  };
  // With empty input, jq only compiles the program.
  await run('');
  return run;
}

function toLines({ text, error }: { text?: string; error?: string }): string {
  if (text === undefined) throw programError(error ?? '');
  return text === '' ? '' : `${text.replace(/\n$/, '')}\n`;
}

/** Converts the error output of jq to a usage error. */
function programError(output: string) {
  const first = output.replace(/^(jq: )?(error: )?/, '').split('\n')[0] ?? '';
  const why = /^Aborted\(/.test(first) ? 'the program ran out of memory.' : first.trim();
  return usageError(`--jq: ${why}`, { hint: 'Use `--jq .` to see the complete input.' });
}
