// The `key=value` options for credentials and configurations, and their values converted to the types of the request.
import type { BodyFields } from '../../api/operation-fields.ts';
import type { Context } from '../../app/context.ts';
import { several, text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { readAssignment, type SecretSource } from '../../input/assignments.ts';
import { parseJsonObject } from '../../input/values.ts';

export const contentOptions = {
  credential: several(
    '--credential <key=value>',
    'A credential: key=text, key=@file, key=env:NAME, key==text for a text that starts with @, env: or =, or key alone for a prompt',
    { tool: { summary: 'A credential: key=text, key==text for a text that starts with =' } },
  ),
  configuration: several(
    '--configuration <key=value>',
    'A configuration field: inboundWebhookEnabled or inboundWebhookSigningKey',
  ),
  conditions: text('--conditions <json|@file>', 'Conditions, a JSON array', { value: 'jsonList' }),
};

/** Returns `apiKey=@file secure=true` as an object. Throws a usage error for an unknown field. */
export async function readPairs(
  assignments: readonly string[],
  fields: BodyFields,
  host: SecretSource,
  source: string,
) {
  const entries = assignments.map(async (assignment) => {
    const { key, value } = readAssignment(assignment, host, source);
    const type = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (type !== undefined) return [key, await convert(type, value, `${source} ${key}`)];
    throw usageError(`${source}: unknown field \`${key}\`.`, {
      suggestion: { input: key, candidates: Object.keys(fields) },
    });
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<string, unknown>;
}

async function convert(type: string, value: string, source: string): Promise<unknown> {
  if (type === 'object') return parseJsonObject(value, source);
  if (type !== 'boolean') return value;
  if (/^(true|false)$/.test(value)) return value === 'true';
  throw usageError(`${source}: must be true or false, not \`${value}\`.`);
}

/** Prompts for the values of `--credential` options without a value, such as `--credential apiKey`. */
export async function promptForSecrets({ prompt }: Context, assignments: readonly string[]) {
  const pairs: string[] = [];
  for (const assignment of assignments) {
    const hasNoValue = prompt.isPossible && /^\w+$/.test(assignment);
    pairs.push(hasNoValue ? `${assignment}==${await prompt.secret(`${assignment}:`)}` : assignment);
  }
  return pairs;
}
