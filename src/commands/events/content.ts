// What an event carries: payload, overrides, contexts, actor, tenant, transaction id.
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import type { Values } from '../../cli/command.ts';
import { several, text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { readFields } from '../../input/assignments.ts';
import { isPiped } from '../../input/pipes.ts';
import { readJsonObject, readTextFile, typedOrInput } from '../../input/values.ts';

const content = 'Content';

export const contentOptions = {
  payload: text('--payload <json|@file|->', 'What the templates are filled with', {
    group: content,
  }),
  field: several('-f, --field <key=text>', 'One member of the payload; a.b=x nests', {
    group: content,
  }),
  jsonField: several('-F, --json-field <key:=json>', 'The same with a JSON value', {
    group: content,
  }),
  overrides: text('--overrides <json|@file>', 'Overrides keyed by provider', { group: content }),
  context: several('--context <type=id>', 'A context; created when there is none', {
    group: content,
    complete: 'contexts',
  }),
  actor: text('--actor <subscriber-id>', 'Who caused it; left out of topics', { group: content }),
  tenant: text('--tenant <id>', 'The tenant it belongs to', { group: content }),
  transactionId: text('--transaction-id <id>', 'Id of the transaction; one is made when absent', {
    group: content,
  }),
};

type Given = Partial<Values<typeof contentOptions>>;

/** The members of the event besides workflow and recipients. */
export async function contentOf(given: Given, { host }: Context) {
  const payload = {
    ...(given.payload === undefined
      ? {}
      : await readJsonObject(await typedOrInput(given.payload, host.stdin), '--payload')),
    ...(await readFields(given.field, given.jsonField)),
  };
  return {
    payload,
    transactionId: given.transactionId ?? `txn_${host.newId().replaceAll('-', '').slice(0, 24)}`,
    ...(given.overrides === undefined
      ? {}
      : { overrides: await readJsonObject(given.overrides, '--overrides') }),
    ...(given.actor === undefined ? {} : { actor: given.actor }),
    ...(given.tenant === undefined ? {} : { tenant: given.tenant }),
    ...(given.context === undefined
      ? {}
      : { context: Object.fromEntries(given.context.map(contextEntry)) }),
  };
}

function contextEntry(typed: string): [string, string] {
  const found = /^([^=:]+)[=:](.+)$/.exec(typed);
  if (found?.[1] && found[2]) return [found[1], found[2]];
  throw usageError(`--context: \`${typed}\` is not of the form type=id.`);
}

/** What a run keeps of content that came from elsewhere than the line. */
export interface KeptContent {
  /** The options as they are when the run goes on. */
  stated: Pick<Given, 'payload' | 'overrides'>;
  /** SHA-256 of what the named files hold. */
  content: Record<string, string>;
}

/**
 * The options with their texts in place, read once. What came on standard input or from a pipe is kept, since it
 * cannot be read again; of a file its place and a digest.
 */
export async function inPlace<Options extends Given>(
  given: Options,
  { host }: Context,
): Promise<KeptContent & { typed: Options }> {
  const typed = { ...given };
  const kept: KeptContent = { stated: {}, content: {} };
  for (const name of ['payload', 'overrides'] as const) {
    const text = given[name];
    if (text?.startsWith('@')) {
      const file = path.resolve(host.cwd, text.slice(1));
      typed[name] = asTyped(readTextFile(file, `--${name}`));
      kept.stated[name] = isPiped(file) ? typed[name] : `@${file}`;
      if (!isPiped(file)) kept.content[name] = sha256(typed[name]);
    } else if (name === 'payload' && text === '-') {
      typed[name] = asTyped(await typedOrInput(text, host.stdin));
      kept.stated[name] = typed[name];
    }
  }
  return { typed, ...kept };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Content that looks like the name of a file is none. */
const asTyped = (text: string) => (/^[@-]/.test(text) ? ` ${text}` : text);
