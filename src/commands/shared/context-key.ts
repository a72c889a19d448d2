// The value of `--context` as a filter.
import { usageError } from '../../core/errors.ts';

/** Returns `tenant:acme` for `tenant=acme` and `tenant:acme`. */
export function readContextKey(text: string): string {
  const key = text.replace(/^([^:=]+)=/, '$1:');
  if (/^[^:]+:.+$/.test(key)) return key;
  throw usageError(`--context: \`${text}\` does not have the form type:id.`);
}
