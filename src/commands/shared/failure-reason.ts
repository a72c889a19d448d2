// Why a job failed, from its execution details. The `raw` text of a detail often has the reason that the detail lacks.
import type { ExecutionDetail } from '../../api/schemas/job.ts';

const longest = 200;
/** Details that name no reason. */
const vague = /^(Unexpected|Bridge execution failed|Message content could not be generated)/;
/** Sums up the failures before it. */
const summary = /^All .+ failed/;

const isFailure = ({ status }: ExecutionDetail) => status === 'Failed';

/** A detail as text; of a failure with the reason from `raw`. */
export function detailText(happened: ExecutionDetail): string {
  const { detail, raw } = happened;
  if (!isFailure(happened) && happened.status !== 'Warning') return detail;
  const reason = raw ? reasonIn(raw, vague.test(detail)) : undefined;
  return reason === undefined || detail.includes(reason) ? detail : `${detail}: ${reason}`;
}

/** The failures of a job, each once; without any, the last detail. */
export function failureTexts(details: readonly ExecutionDetail[]): string[] {
  const failures = details.filter(isFailure);
  const causes = failures.filter(({ detail }) => !summary.test(detail));
  const shown = causes.length > 0 ? causes : failures.length > 0 ? failures : details.slice(-1);
  return [...new Set(shown.map(detailText))];
}

/** The message in a raw text. JSON without one is only shown for a detail that says nothing itself. */
function reasonIn(raw: string, needed: boolean): string | undefined {
  const text = raw.trim();
  if (!/^[[{"]/.test(text)) return shortened(text);
  try {
    const value: unknown = JSON.parse(text);
    const message = messageIn(value);
    if (message !== undefined) return shortened(message);
    return needed && !isEmpty(value) ? shortened(text) : undefined;
  } catch {
    return shortened(text);
  }
}

/** `{"message": …}`, `{"error": …}`, also one below the other. */
function messageIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  if (typeof value !== 'object' || value === null || depth > 2) return undefined;
  for (const name of ['message', 'error', 'reason', 'data', 'cause']) {
    const found = name in value ? messageIn(Reflect.get(value, name), depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const isEmpty = (value: unknown) =>
  typeof value === 'object' && (value === null || Object.keys(value).length === 0);

function shortened(text: string): string | undefined {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return undefined;
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
