// Prints an error to standard error: as text, or as one JSON object if the output format is JSON.
import type { Globals } from '../cli/globals.ts';
import { suggestCommands } from '../cli/suggest-command.ts';
import { configFolder } from '../config/folders.ts';
import { createPropose } from '../config/propose.ts';
import { createSettings, readSwitch } from '../config/settings.ts';
import { openConfigStore } from '../config/store.ts';
import { unitMs } from '../core/durations.ts';
import type { SvcError } from '../core/errors.ts';
import { closestMatches, sortByDistance } from '../core/suggestions.ts';
import { listText } from '../core/text.ts';
import { errorJson, errorText } from '../output/report-error.ts';
import { safeMultilineText } from '../output/safe-text.ts';
import { openStyle, wantsColor } from '../output/style.ts';
import type { Host } from '../platform/host.ts';
import { messageWrapper } from './message-wrapper.ts';
import { withClearMessage, withStatusHint } from './status-hints.ts';

export async function reportError(error: SvcError, host: Host, globals: Globals): Promise<void> {
  const { env, stderr } = host;
  const complete = withSelection(withHint(withSuggestion(error)), host, globals);
  if (wantsJsonErrors(globals, env)) return stderr.write(errorJson(complete));
  const colored = wantsColor({ isTty: stderr.isTty, ...requestedColor(globals, host), env });
  await stderr.write(
    errorText(
      withClearMessage(complete),
      await openStyle(colored, env),
      await messageWrapper(host),
    ),
  );
  if (
    error.exitReason === 'bug' &&
    (globals.debug !== undefined || readSwitch(env.SVC_DEBUG || 'off'))
  ) {
    const cause = error.details.cause ?? error;
    await stderr.write(
      safeMultilineText(`${cause instanceof Error ? cause.stack : String(cause)}\n`),
    );
  }
}

/** Completes the commands that the error proposes with what selects the service. */
function withSelection(error: SvcError, host: Host, globals: Globals): SvcError {
  const { next } = error.details;
  if (next === undefined) return error;
  const { read } = openConfigStore(configFolder(host), host);
  const propose = createPropose({ globals, env: host.env }, read);
  return error.with({ next: next.map((line) => propose(line)) });
}

/** Adds "Did you mean", or lists some that exist. */
function withSuggestion(error: SvcError): SvcError {
  const { suggestion, suggestions } = error.details;
  if (suggestions) return withSuggestions(error, suggestions);
  if (!suggestion) return error;
  const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``);
  const { input, candidates, existing, writes } = suggestion;
  const close = quoted(
    writes ? suggestCommands(input, candidates, writes) : closestMatches(input, candidates),
  );
  if (close.length > 0) return appendToMessage(error, `Did you mean ${listText(close, 'or')}?`);
  if (existing === undefined) return error;
  const some = quoted(sortByDistance(input, candidates).slice(0, 3));
  return some.length === 0
    ? error
    : appendToMessage(error, `Existing ${existing} include: ${some.join(', ')}.`);
}

/** Adds one line for each name that has a similar candidate. */
function withSuggestions(
  error: SvcError,
  suggestions: NonNullable<SvcError['details']['suggestions']>,
): SvcError {
  const fieldErrors = suggestions.flatMap(({ input, candidates }) => {
    const [close] = closestMatches(input, candidates);
    return close === undefined ? [] : [{ field: input, message: `did you mean \`${close}\`?` }];
  });
  return error.with({ fieldErrors });
}

/** Adds the hint for a wait, the idempotency key or the status. */
function withHint(error: SvcError): SvcError {
  const { retryAfterExceededMs } = error.details;
  const hint =
    retryAfterExceededMs === undefined ? idempotencyHint(error) : waitHint(retryAfterExceededMs);
  return hint === undefined ? withStatusHint(error) : error.with({ hint });
}

/** The hint for errors that are related to the idempotency key. */
function idempotencyHint({ message, details }: SvcError): string | undefined {
  const { status, idempotentReplay, retryAfterMs } = details;
  if (idempotentReplay && (status ?? 0) >= 500)
    return 'The service stores this failure, without its reason, for 24 hours under the idempotency key. Check whether the change was made, then run the command again with another key or without --idempotency-key.';
  if (idempotentReplay)
    return 'The service stores this response for 24 hours under the idempotency key. Run the command again with another key or without --idempotency-key.';
  if (status === 409 && retryAfterMs !== undefined)
    return 'A request with this idempotency key is still in progress. Try again later with the same key.';
  if (status === 422 && /\bkey\b.*\breused\b/i.test(message))
    return 'An idempotency key is valid for one request only. Use another key, or run the command without --idempotency-key.';
  return undefined;
}

const maxAdvisedMs = 30 * unitMs.d;

/** States the wait that the service asks for, as a duration that --max-wait accepts. */
function waitHint(ms: number): string {
  if (ms > maxAdvisedMs) return 'The service requests a wait of more than 30 days.';
  // Rounding up to a unit must not make the wait much longer than requested.
  const fits = (size: number) => ms % size === 0 || ms >= 20 * size;
  const unit = (['d', 'h', 'm'] as const).find((candidate) => fits(unitMs[candidate])) ?? 's';
  const span = `${Math.ceil(ms / unitMs[unit])}${unit}`;
  return `The service requests a wait of ${span}. Try again after that, or let svc wait with --max-wait ${span}.`;
}

const appendToMessage = (error: SvcError, more: string) =>
  error.with({ message: `${error.message} ${more}` });

/** The color setting of the command. Must not fail if the command line or configuration is invalid. */
function requestedColor(globals: Globals, host: Host) {
  try {
    const stored = () => openConfigStore(configFolder(host), host).read().settings;
    return createSettings({ globals, env: host.env, stored }).color;
  } catch {
    return { wanted: globals.colorless ? ('never' as const) : (globals.color ?? 'auto') };
  }
}

/** Whether the output format is JSON or NDJSON. */
function wantsJsonErrors({ output, json, jq }: Globals, env: Host['env']): boolean {
  const format = output ?? (json || jq !== undefined ? 'json' : env.SVC_OUTPUT?.toLowerCase());
  return format === 'json' || format === 'ndjson';
}
