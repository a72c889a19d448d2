// JSON text of values, exact numbers included, and jq over it.
import { usageError } from '../errors.ts';
import { hasExact } from '../exact-numbers.ts';

/** JSON of a value; numbers that came longer than a double can hold are written as they came. */
export async function toJson(value: unknown, indent?: number): Promise<string> {
  if (!hasExact(value)) return JSON.stringify(value, null, indent) ?? 'null';
  return (await import('../exact-json.ts')).writeExact(value, indent);
}

/** Refuses a program that jq cannot compile. Without any input it runs nothing. */
export async function checkJq(program: string): Promise<void> {
  await runJq('', program);
}

/** Runs a jq program over JSON text: strings raw, everything else compact, a line each. */
export async function runJq(json: string, program: string): Promise<string> {
  const { raw } = await import('jq-wasm');
  const answer = await raw(json, program, ['-r', '-c']).catch((error: unknown) => {
    throw refusedProgram(error);
  });
  return answer === '' ? '' : `${answer.replace(/\n$/, '')}\n`;
}

/** jq's own complaint, without the words around it. */
function refusedProgram(error: unknown) {
  const said = error instanceof Error ? error.message : String(error);
  const why = said.replace(/^(jq: )?(error: )?/, '').split('\n')[0] ?? '';
  return usageError(`--jq: ${why.trim()}`, {
    hint: 'Try `--jq .` to see all there is.',
  });
}
