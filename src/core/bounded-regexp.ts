// Applies regular expressions that others wrote, such as those of a payload schema, in limited time: some take years for
// a short text. They keep the syntax and the meaning that they have in ECMAScript.
import { type Context, createContext, Script } from 'node:vm';
import { systemCode } from './errors.ts';

const deadlineMs = 500;
/** How often a pattern may miss the deadline before it is not tried again on texts as long as the shortest of those. */
const maxMisses = 4;
/** Steps that take a few milliseconds. */
const quickSteps = 1_000_000;

const script = new Script('call()');
let context: Context | undefined;

/**
 * Returns undefined if the call takes too long. A deadline takes up to a millisecond, too. A call can miss it while the
 * process waits for its turn on a busy machine, so there is a second, shorter one.
 */
export const withinDeadline = <T>(call: () => T): { value: T } | undefined =>
  callWithin(deadlineMs, call) ?? callWithin(deadlineMs / 5, call);

function callWithin<T>(timeout: number, call: () => T): { value: T } | undefined {
  context ??= createContext({ call });
  context.call = call;
  try {
    return { value: script.runInContext(context, { timeout }) as T };
  } catch (error) {
    if (systemCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    context.call = undefined;
  }
}

/** For each pattern that has missed the deadline, how often, and the length of the shortest text. */
const slow = new Map<string, { misses: number; length: number }>();

/** The results of short texts: values of a workflow, such as addresses, are checked again with each event. */
const results = new Map<string, boolean>();
const cacheLimits = { results: 1_000, length: 1_000 };

/** Returns whether the text matches, undefined if that takes too long to find out. */
export function matchesInTime(regExp: RegExp, text: string): boolean | undefined {
  const { source } = regExp;
  if (isQuick(source, text)) return regExp.test(text);
  const key = `${regExp} ${text}`;
  const result = results.get(key) ?? testInTime(regExp, text);
  if (result === undefined || key.length > cacheLimits.length) return result;
  if (results.size >= cacheLimits.results) results.clear();
  results.set(key, result);
  return result;
}

function testInTime(regExp: RegExp, text: string): boolean | undefined {
  const { source } = regExp;
  const { misses, length } = slow.get(source) ?? { misses: 0, length: text.length };
  if (misses >= maxMisses && text.length >= length) return undefined;
  const result = withinDeadline(() => regExp.test(text));
  if (result) return result.value;
  slow.set(source, { misses: misses + 1, length: Math.min(length, text.length) });
  return undefined;
}

/** Every choice, such as a quantifier or an alternative, can multiply the steps by the length of the text. */
function isQuick(pattern: string, text: string): boolean {
  // A repeated group repeats the choices in it.
  if (/\)[*+?{]/.test(pattern)) return false;
  const choices = pattern.match(/[*+?{|]/g)?.length ?? 0;
  return Math.max(text.length, 2) ** (choices + 1) <= quickSteps;
}
