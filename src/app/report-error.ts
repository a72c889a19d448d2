// An error on its way to standard error: for people, or as one JSON object when the output is for programs.
import type { Globals } from '../cli/globals.ts';
import { suggestCommands } from '../cli/suggest-command.ts';
import { closestMatches, sortByDistance } from '../cli/suggestions.ts';
import { configFolder } from '../config/folders.ts';
import { createPreferences } from '../config/preferences.ts';
import { readSwitch } from '../config/settings.ts';
import { openConfigStore } from '../config/store.ts';
import { SvcError } from '../core/errors.ts';
import { errorJson, errorText } from '../output/report-error.ts';
import { safeBlock } from '../output/safe-text.ts';
import { openStyle, wantsColor } from '../output/style.ts';
import type { Host } from '../platform/host.ts';
import { statusHints } from './status-hints.ts';

export async function reportError(
  error: SvcError,
  host: Host,
  argv: readonly string[],
  globals: Globals,
): Promise<void> {
  const { env, stderr } = host;
  const told = withHint(withSuggestion(error));
  if (wantsJsonErrors(argv, globals, env)) return stderr.write(errorJson(told));
  const colored = wantsColor({ isTty: stderr.isTty, ...requestedColor(argv, globals, host), env });
  await stderr.write(errorText(told, await openStyle(colored)));
  if (
    error.exitReason === 'bug' &&
    (globals.debug !== undefined || readSwitch(env.SVC_DEBUG || 'off'))
  ) {
    const cause = error.details.cause ?? error;
    await stderr.write(safeBlock(`${cause instanceof Error ? cause.stack : String(cause)}\n`));
  }
}

/** Offers what was probably meant; for a thing that does not exist, the nearest there are. */
function withSuggestion(error: SvcError): SvcError {
  const { suggestion, suggestions } = error.details;
  if (suggestions) return withSuggestions(error, suggestions);
  if (!suggestion) return error;
  const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``);
  const { input, candidates, writes } = suggestion;
  const close = quoted(
    writes ? suggestCommands(input, candidates, writes) : closestMatches(input, candidates),
  );
  if (close.length > 0) return appendToMessage(error, `Did you mean ${close.join(' or ')}?`);
  const any =
    error.exitReason === 'notFound' ? quoted(sortByDistance(input, candidates).slice(0, 3)) : [];
  return any.length === 0 ? error : appendToMessage(error, `The nearest: ${any.join(', ')}.`);
}

/** A line for each name that is near to one there is. */
function withSuggestions(
  error: SvcError,
  each: NonNullable<SvcError['details']['suggestions']>,
): SvcError {
  const fieldErrors = each.flatMap(({ input, candidates }) => {
    const [close] = closestMatches(input, candidates);
    return close === undefined ? [] : [{ field: input, message: `did you mean \`${close}\`?` }];
  });
  return new SvcError(error.exitReason, error.message, { ...error.details, fieldErrors });
}

/** What to do about a status, unless the error says it better. */
function withHint(error: SvcError): SvcError {
  const { status, hint, retryAfterExceededMs } = error.details;
  const own =
    retryAfterExceededMs === undefined ? idempotencyHint(error) : waitHint(retryAfterExceededMs);
  const remedy = own ?? hint ?? (status === undefined ? undefined : statusHints[status]);
  if (remedy === undefined || remedy === hint) return error;
  return new SvcError(error.exitReason, error.message, { ...error.details, hint: remedy });
}

/** What an idempotency key has to do with it. */
function idempotencyHint({ message, details }: SvcError): string | undefined {
  const { status, idempotentReplay, retryAfterMs } = details;
  if (idempotentReplay && (status ?? 0) >= 500)
    return 'The service keeps this failure, without its reason, for 24 hours under the idempotency key. Check whether the change was made, then run the command again with another key, or without one: svc makes a new one.';
  if (idempotentReplay)
    return 'The service keeps this response to the idempotency key for 24 hours. Run the command again with another key, or without one: svc makes a new one.';
  if (status === 409 && retryAfterMs !== undefined)
    return 'A request with this idempotency key is still being carried out. Try again later with the same key.';
  if (status === 422 && /\bkey\b.*\breused\b/i.test(message))
    return 'An idempotency key belongs to one request. Give another one, or none: svc makes a new one.';
  return undefined;
}

const units: [ms: number, name: string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
];
const maxAdvisedMs = 30 * 86_400_000;

/** How long the service wants to be left alone, as a duration that svc takes too. */
function waitHint(ms: number): string {
  if (ms > maxAdvisedMs) return 'The service asks to wait for more than 30 days.';
  // Rounding up to the unit must not say much more than the service asks for.
  const fits = ([size]: [number, string]) => ms % size === 0 || ms >= 20 * size;
  const [size, unit] = units.find(fits) ?? [1_000, 's'];
  const span = `${Math.ceil(ms / size)}${unit}`;
  return `The service asks to wait ${span}. Try again then, or let svc wait so long by itself with --max-wait ${span}.`;
}

const appendToMessage = ({ exitReason, message, details }: SvcError, more: string) =>
  new SvcError(exitReason, `${message} ${more}`, details);

/** As a command would see it; also right when line, variable or configuration are what is wrong. */
function requestedColor(argv: readonly string[], globals: Globals, host: Host) {
  const line = argv.join(' ');
  const asked = /(^| )--no-color( |$)/.test(line)
    ? 'never'
    : /(?:^| )--color[ =](auto|always|never)(?: |$)/.exec(line)?.[1];
  const color = globals.color ?? asked;
  try {
    const settings = () => openConfigStore(configFolder(host)).read().settings;
    const facts = { globals: color === undefined ? {} : { color }, env: host.env, settings };
    return createPreferences(facts).color;
  } catch {
    return { wanted: color ?? 'auto' };
  }
}

/** Also right when the command line could not be parsed. */
function wantsJsonErrors(argv: readonly string[], globals: Globals, env: Host['env']): boolean {
  const format = globals.output ?? (globals.json || globals.jq !== undefined ? 'json' : undefined);
  const line = argv.join(' ');
  const asked = /(^| )(--json|(-o ?|--output[ =])(nd)?json)( |$)/.test(line);
  if (format !== undefined) return format === 'json' || format === 'ndjson';
  return asked || env.SVC_OUTPUT === 'json' || env.SVC_OUTPUT === 'ndjson';
}
