// A sandbox in the background: this program once more, waited for until it accepts connections.
import type { Context } from '../../context.ts';
import { SvcError } from '../../errors.ts';
import * as result from '../../output/result.ts';
import { type FaultValues, faultWords } from './faults/options.ts';
import { noteOther } from './not-current.ts';

export interface StartOptions extends FaultValues {
  port?: number;
  host?: string;
  allowHost?: string[];
  data?: string;
  inMemory?: boolean;
  seed?: string;
  envelope?: boolean;
  /** Milliseconds since the epoch. */
  time?: number;
  frozen?: boolean;
  profileName?: string;
}

export async function startDetached(context: Context, options: StartOptions) {
  const child = await context.world.spawn(['sandbox', 'start', '--json', ...lineOf(options)]);
  const answer = await child.ready;
  if (!('output' in answer)) throw failed(answer.error);
  child.release();
  const value = JSON.parse(answer.output) as { baseUrl: string; key: string; profile: string };
  return result.report({
    value,
    lines: [
      `The sandbox runs in the background at ${value.baseUrl}.`,
      `Key      ${value.key}`,
      `Profile  ${value.profile}`,
      `Stop it  svc sandbox stop${value.profile === 'sandbox' ? '' : ` --profile ${value.profile}`}`,
    ],
    ids: [value.baseUrl],
    hold: async () => {
      noteOther(context, value.profile);
      return 'ok';
    },
  });
}

function lineOf({
  port,
  host,
  allowHost,
  data,
  inMemory,
  seed,
  envelope,
  time,
  frozen,
  profileName,
  ...faults
}: StartOptions): string[] {
  return [
    ...(port === undefined ? [] : [`--port=${port}`]),
    ...(host === undefined ? [] : [`--host=${host}`]),
    ...(allowHost ?? []).map((name) => `--allow-host=${name}`),
    ...(data === undefined ? [] : [`--data=${data}`]),
    ...(inMemory ? ['--in-memory'] : []),
    ...(seed === undefined ? [] : [`--seed=${seed}`]),
    ...(envelope ? ['--envelope'] : []),
    ...(time === undefined ? [] : [`--time=${new Date(time).toISOString()}`]),
    ...(frozen ? ['--frozen'] : []),
    ...(profileName === undefined ? [] : [`--profile-name=${profileName}`]),
    ...faultWords(faults),
  ];
}

/** The child's own error, as it told it in JSON. */
function failed(said: string): SvcError {
  try {
    const { error } = JSON.parse(said.trim().split('\n').at(-1) ?? '');
    return new SvcError(error.name, error.message, {
      hint: error.hint ?? undefined,
      next: error.next,
    });
  } catch {
    return new SvcError('local', `The sandbox did not start: ${said.trim()}`);
  }
}
