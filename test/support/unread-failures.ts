// Fails a test that ignores a failed command. Without the effect of its set-up, a test can pass for the wrong reason.
import { onTestFinished } from 'vitest';

/**
 * Returns a function that watches the results of command lines. A failure is read with the exit code or the output, but
 * not with the requests alone.
 */
export function watchFailures() {
  const unread: string[] = [];
  onTestFinished(({ task }) => {
    if (unread.length === 0 || task.result?.state === 'fail') return;
    throw new Error(`The test ignores failed commands:\n${unread.join('\n')}`);
  });
  return <R extends { code: number | null; stdout: string; stderr: string }>(
    argv: readonly string[],
    result: R,
  ): R => {
    const { code, stdout, stderr } = result;
    if (code === 0) return result;
    const failure = `svc ${argv.join(' ')}\nexit code ${code}: ${stdout}${stderr}`;
    unread.push(failure);
    const read = () => {
      const index = unread.indexOf(failure);
      if (index >= 0) unread.splice(index, 1);
    };
    const watched = { ...result };
    for (const name of ['code', 'stdout', 'stderr', 'written'])
      if (name in result)
        Object.defineProperty(watched, name, {
          enumerable: true,
          get: () => {
            read();
            return result[name as keyof R];
          },
        });
    return watched;
  };
}
