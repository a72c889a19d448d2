import type { Context } from '../../app/context.ts';
import { command, type Values } from '../../cli/command.ts';
import { flag, several, severalOf } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/objects.ts';
import { readFields } from '../../input/assignments.ts';
import { readJsonObject } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import type { Subscriber } from '../../service/schemas/subscribers.ts';
import { subscriberArgument } from '../shared/arguments.ts';
import { subscriberId as idOf, nameOptions, profileOptions, subscriberColumns } from './view.ts';

const profileFields = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'avatar',
  'locale',
  'timezone',
  'data',
] as const;

const options = {
  ...profileOptions,
  field: several('-f, --field <key=text>', 'A field of data; a.b=x sets a nested field'),
  jsonField: several('-F, --json-field <key:=json>', 'Like -f, with a JSON value'),
  mergeData: flag('--merge-data', 'Keep the fields of data that are not given'),
  clear: severalOf('--clear <field>', profileFields, 'Remove the value of this field'),
};

export const update = command({
  summary: 'Update the given fields of an existing subscriber',
  details:
    'The service replaces data as a whole. With --merge-data, svc reads the current data, changes the given fields and sends all of it.',
  arguments: { subscriberId: subscriberArgument },
  options,
  output: 'The updated subscriber.',
  examples: {
    'svc subscribers update u1 --first-name Ada --clear phone':
      'Change the first name and remove the phone number',
    'svc subscribers update u1 --merge-data -f plan=pro -F seats:=5':
      'Change two fields of data and keep the others',
  },
  operations: ['updateSubscriber', 'getSubscriber'],
  writes: true,
  async run(context, { args: { subscriberId }, options }) {
    const path = { subscriberId };
    const { clear = [], data: _data, field, jsonField, mergeData, ...texts } = options;
    const changed = await readData(context, options);
    if (mergeData && changed === undefined) {
      throw usageError('--merge-data needs data: give --data, -f or -F.');
    }
    const body = { ...texts, ...(changed === undefined ? {} : { data: changed }) };
    const both = clear.find((name) => name in body);
    if (both !== undefined)
      throw usageError(`\`${both}\` is given a value and is also named by --clear.`);
    if (Object.keys(body).length + clear.length === 0) {
      throw usageError('No changes are given.', { next: ['svc subscribers update --help'] });
    }
    const client = await context.client();
    if (mergeData && changed !== undefined) {
      const { data } = await client.call('getSubscriber', { path });
      body.data = merged(data ?? {}, changed);
    }
    const cleared = Object.fromEntries(clear.map((name) => [name, null]));
    const value = await client
      .call('updateSubscriber', { path, body: { ...body, ...cleared } })
      .catch((error: unknown) => {
        throw nameOptions(error, options);
      });
    const headline = `Updated subscriber ${subscriberId}`;
    return result.one<Subscriber>({ value, fields: subscriberColumns, id: idOf, headline });
  },
});

/** Returns the data in the options, or undefined. */
async function readData(
  { host }: Context,
  { data, field = [], jsonField = [] }: Partial<Values<typeof options>>,
): Promise<JsonObject | undefined> {
  if (data === undefined && field.length + jsonField.length === 0) return undefined;
  const base = data === undefined ? {} : await readJsonObject(data, '--data', host);
  return merged(base, await readFields(field, jsonField));
}

/** Nested objects are merged too; other values are replaced. */
function merged(before: JsonObject, changes: JsonObject): JsonObject {
  const entries = Object.entries(changes).map(([name, value]) => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    return [name, isObject(old) && isObject(value) ? merged(old, value) : value];
  });
  return { ...before, ...Object.fromEntries(entries) };
}
