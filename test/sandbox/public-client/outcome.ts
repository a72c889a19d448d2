// Calls methods of the public client and describes the outcome in one line.

/** Calls a method of a client, named by its path, and returns its result or error. */
export async function callMethod(
  client: object,
  path: string,
  args: readonly unknown[],
): Promise<{ result?: unknown; error?: unknown }> {
  const names = path.split('.');
  const owner = readPath(client, ...names.slice(0, -1));
  const method = readPath(owner, names.at(-1) ?? '');
  if (typeof method !== 'function') throw new Error(`the client has no ${path}`);
  try {
    return { result: await method.apply(owner, args) };
  } catch (error) {
    return { error };
  }
}

export const readPath = (value: unknown, ...keys: (string | number)[]): unknown =>
  keys.reduce<unknown>(
    (parent, key) =>
      typeof parent === 'object' && parent !== null ? Reflect.get(parent, key) : undefined,
    value,
  );

/** Ids of 24 digits are shown as `<id>`. */
export function describeOutcome({ error }: { error?: unknown }): string {
  if (error === undefined) return 'ok';
  if (!(error instanceof Error)) return String(error);
  const status = readPath(error, 'statusCode');
  if (status === undefined) return `not sent: ${error.message}`;
  if (error.name === 'ResponseValidationError') {
    const problem = Number(status) < 300 ? 'response rejected' : `error ${status} rejected`;
    return `${problem}: ${objections(error)}`;
  }
  const [message = ''] = error.message.split(': Status');
  return `${error.constructor.name} ${status}: ${message.replace(/[0-9a-f]{24}/g, '<id>')}`;
}

/** Returns the members that the client rejects; indexes of lists are shown as `*`. */
function objections(error: Error): string {
  const issues = readPath(error, 'cause', 'issues');
  if (!Array.isArray(issues)) return error.message;
  const texts = issues.map((issue) => {
    const keys: unknown = readPath(issue, 'path');
    const path = Array.isArray(keys) ? keys.map((key) => (Number.isInteger(key) ? '*' : key)) : [];
    return `${path.join('.')}: ${readPath(issue, 'message')}`;
  });
  return [...new Set(texts)].join('; ');
}
