// Compares a row of an import with a stored subscriber. A value is the same if the service can have stored the value of
// the row in another form: without spaces around it, in lower case, as null, as the nearest double.
import { asDouble } from '../../core/lossless-json.ts';
import { asObject, isObject, type JsonObject } from '../../core/objects.ts';
import { idHash } from '../engine/id-hash.ts';
import { subscriberFields } from './columns.ts';
import { normalizedAddress } from './repeated-addresses.ts';

/** The fields whose hashes are kept. The credentials of `channels` are compared only with a subscriber itself. */
const hashedFields = [...subscriberFields.filter((field) => field !== 'subscriberId'), 'data'];

export const hashesPerPerson = hashedFields.length;

/** Whether the hashes of a subscriber are not enough to compare a row. */
export const needsPerson = ({ channels }: JsonObject): boolean =>
  Array.isArray(channels) && channels.length > 0;

/** The fields of a row that differ from a stored subscriber, of which the hashes and, if needed, the channels are given. */
export const findDifferences = (
  row: JsonObject,
  hashes: ArrayLike<number>,
  channels?: unknown,
): string[] =>
  Object.keys(row).filter((field) => {
    if (field === 'subscriberId') return false;
    if (field === 'channels') return !hasCredentials(channels, row.channels);
    return hashes[hashedFields.indexOf(field)] !== hashOf(field, row[field]);
  });

export const hashPerson = (stored: JsonObject): number[] =>
  hashedFields.map((field) => hashOf(field, stored[field]));

const hashOf = (field: string, value: unknown) => idHash(normalForm(field, value));

/** A text that is equal for values that count as the same; empty for no value. */
function normalForm(field: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (field === 'data') return canonicalData(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  const text = value.normalize().trim();
  if (field === 'email') return normalizedAddress.email(text);
  if (field === 'phone') return normalizedAddress.phone(text) || text;
  return field === 'locale' ? text.toLowerCase().replaceAll('-', '_') : text;
}

/** JSON with sorted names. Members without a value are the same as absent ones. */
function canonicalData(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalData(item) || 'null')}]`;
  const plain = asDouble(value);
  if (!isObject(plain)) return plain === null ? '' : JSON.stringify(plain);
  const members = Object.keys(plain)
    .sort()
    .map((name) => [JSON.stringify(name), canonicalData(plain[name])])
    .filter(([, member]) => member !== '');
  return members.length === 0 ? '' : `{${members.map((member) => member.join(':'))}}`;
}

/** Whether a subscriber has all credentials of a row. The service adds device tokens to the stored ones. */
const hasCredentials = (stored: unknown, expected: unknown): boolean =>
  listOf(expected).every((channel) =>
    listOf(stored).some((own) => {
      const values = asObject(asObject(own).credentials);
      if (asObject(own).providerId !== asObject(channel).providerId) return false;
      return Object.entries(asObject(asObject(channel).credentials)).every(([name, value]) =>
        Array.isArray(value)
          ? value.every((token) => listOf(values[name]).includes(token))
          : canonicalData(value) === canonicalData(values[name] ?? null),
      );
    }),
  );

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
