// Loads something once per command: the check of its protection and the command itself both need it.
import type { Context } from '../../app/context.ts';

export function perCommand<A extends unknown[], T>(
  load: (context: Context, ...args: A) => Promise<T>,
): (context: Context, ...args: A) => Promise<T> {
  const loaded = new WeakMap<Context, Promise<T>>();
  return (context, ...args) => {
    const value = loaded.get(context) ?? load(context, ...args);
    loaded.set(context, value);
    return value;
  };
}
