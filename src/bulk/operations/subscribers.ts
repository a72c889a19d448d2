// Imports subscribers: converts CSV cells or JSON objects to validated items.
import type { z } from 'zod';
import { stringifyExact } from '../../core/lossless-json.ts';
import { isObject } from '../../core/objects.ts';
import { grouped } from '../../core/text.ts';
import { findIdProblem } from '../../core/whitespace.ts';
import { setProperty } from '../../input/assignments.ts';
import type { PhoneReader } from '../../input/phone-numbers.ts';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import { withPlainMessages } from '../../service/schemas/plain-messages.ts';
import type { Sender } from '../engine/sender.ts';
import {
  type ColumnMap,
  dataObjectColumn,
  indexOfField,
  isIgnoredColumn,
  subscriberFields,
} from './columns.ts';
import { readImportOutcomes } from './import-outcomes.ts';
import { refuseMap } from './map-option.ts';
import type { AddressCheck, AddressReport } from './repeated-addresses.ts';
import { formatIssues } from './responses.ts';
import { compileRowEncoder } from './row-encoder.ts';
import { type CellOptions, mapCells, trimField } from './row-mapper.ts';
import { mapColumns, requireId } from './subscriber-columns.ts';

/** The options that assign columns and keys to fields. */
export interface FieldOptions {
  map?: readonly string[];
  dataColumn?: readonly string[];
  dataRest?: boolean;
  ignoreColumn?: readonly string[];
  infer?: boolean;
  empty?: 'skip' | 'null';
  /** Convert phone numbers to E.164; numbers without a country code belong to this country. */
  phoneRegion?: string;
  /** The values to compare: id, email, phone. */
  checkDuplicates?: readonly string[];
}

/** Opens the sender for an input. Throws a usage error for unknown columns or a missing id column. */
export async function openSubscriberSender(
  source: RecordSource,
  choices: FieldOptions,
): Promise<SubscriberSender> {
  const { subscriberRow } = await import('../../service/schemas/subscribers.ts');
  const { dataRest = false } = choices;
  const columns = resolveColumns(source, choices);
  return createSubscriberSender({
    schema: subscriberRow,
    dataRest,
    cells: toCellOptions(choices),
    readPhone: await openPhoneReader(choices),
    addresses: await openAddressCheck(choices),
    ...(columns ? { columns } : {}),
  });
}

/** Loads the check for --check-duplicates; undefined without that option. */
async function openAddressCheck({ checkDuplicates }: FieldOptions) {
  if (checkDuplicates === undefined) return undefined;
  const module = await import('./repeated-addresses.ts');
  const fields = module.readAddressFields(checkDuplicates);
  if (fields.length === 0) return undefined;
  const check = module.createAddressCheck(fields);
  return { ...check, text: () => module.addressText(check.report()) };
}

export type SubscriberSender = Sender & { summary?: () => { repeatedAddresses: AddressReport } };

/** Loads the reader for --phone-region; undefined without that option. */
export async function openPhoneReader({
  phoneRegion,
}: FieldOptions): Promise<PhoneReader | undefined> {
  if (phoneRegion === undefined) return undefined;
  const { createPhoneReader } = await import('../../input/phone-numbers.ts');
  return createPhoneReader(phoneRegion);
}

/** Converts the phone number of a row to E.164. Returns the reason if it cannot be read. */
export function convertPhone(
  row: Record<string, unknown>,
  readPhone: PhoneReader | undefined,
): string | undefined {
  if (!readPhone || typeof row.phone !== 'string' || row.phone === '') return undefined;
  const phone = readPhone(row.phone);
  if ('error' in phone) return `phone: ${phone.error}`;
  row.phone = phone.number;
  return undefined;
}

/** The columns of an input; undefined for JSON and for an empty CSV. A plain list has one column, the id. */
export function resolveColumns(
  { format, header, name }: RecordSource,
  { map = [], dataColumn = [], dataRest = false, ignoreColumn = [] }: FieldOptions,
  more: { payload?: boolean } = {},
): ColumnMap | undefined {
  const names = format === 'lines' ? ['subscriberId'] : header;
  if (!names) {
    refuseMap(map, { format, name });
    return undefined;
  }
  const choices = {
    map,
    dataColumns: dataColumn,
    dataRest,
    ignoreColumns: ignoreColumn,
    name,
    ...more,
  };
  const columns = mapColumns(names, choices);
  requireId(columns, names, name);
  return columns;
}

export const toCellOptions = ({ infer, empty }: FieldOptions): CellOptions => ({
  infer: infer === true,
  clearEmpty: empty === 'null',
});

export interface SubscriberSenderOptions {
  schema: z.ZodType;
  /** Targets of the CSV columns; absent for JSON. */
  columns?: ColumnMap;
  /** Send unknown keys of JSON rows in `data` instead of rejecting the row. */
  dataRest: boolean;
  cells: CellOptions;
  readPhone?: PhoneReader | undefined;
  addresses?: (AddressCheck & { text(): string | undefined }) | undefined;
}

const fields = new Set([...subscriberFields, 'data', 'channels']);

export function createSubscriberSender({
  schema,
  columns,
  dataRest,
  cells,
  readPhone,
  addresses,
}: SubscriberSenderOptions): SubscriberSender {
  const isFinalPhone = readPhone && ((cell: string) => isSameNumber(cell, readPhone));
  const localPhones = readPhone ? undefined : createLocalPhoneCounter(columns);
  const encodeRow = columns && compileRowEncoder(columns, cells, isFinalPhone);
  const hasDataObject = indexOfField(columns, dataObjectColumn) >= 0;
  const toRow = (record: InputRecord): Record<string, unknown> =>
    record.cells && columns
      ? mapCells(record.cells(), columns, cells)
      : mapObject(recordObject(record), dataRest);
  const emailIndex = indexOfField(columns, 'email');
  const phoneIndex = indexOfField(columns, 'phone');
  return {
    ...(addresses
      ? { readsFinishedRows: true, summary: () => ({ repeatedAddresses: addresses.report() }) }
      : {}),
    operation: 'bulkCreateSubscribers',
    successStates: ['created', 'updated'],
    isOrdered: true,
    frame: { open: '{"subscribers":[', close: ']}' },
    subscriberOf: createSubscriberReader(columns),
    toItem(record, _row, body) {
      const item = encodeRow?.(record, body);
      if (item) {
        localPhones?.addCells(record);
        const cells = addresses && record.cells?.();
        addresses?.add('email', cells?.[emailIndex], item.id, record.line);
        addresses?.add('phone', cells?.[phoneIndex], item.id, record.line);
        return item;
      }
      const value = toRow(record);
      const { subscriberId } = value;
      const problem = typeof subscriberId === 'string' ? findIdProblem(subscriberId) : undefined;
      if (problem !== undefined) return { error: `subscriberId: ${problem}` };
      const phoneError = convertPhone(value, readPhone);
      if (phoneError !== undefined) return { error: phoneError };
      const checked = schema.safeParse(value, withPlainMessages);
      if (!checked.success) return { error: formatRowIssues(checked.error) };
      localPhones?.add(value.phone);
      addresses?.add('email', value.email, String(subscriberId), record.line);
      addresses?.add('phone', value.phone, String(subscriberId), record.line);
      return {
        id: String(subscriberId),
        json:
          record.hasLongNumbers || hasDataObject ? stringifyExact(value) : JSON.stringify(value),
      };
    },
    readOutcomes: ({ value }, items) => readImportOutcomes(value, items),
    hint: () => joined(localPhones?.hint(), addresses?.text()),
  };
}

const joined = (...texts: (string | undefined)[]): string | undefined =>
  texts.filter((text) => text !== undefined).join('\n') || undefined;

/** Returns a function that reads the id of the subscriber. */
export function createSubscriberReader(columns: ColumnMap | undefined) {
  const index = indexOfField(columns, 'subscriberId');
  return (record: InputRecord): unknown =>
    record.cells && index >= 0 ? record.cells()[index] : (record.value?.subscriberId ?? undefined);
}

function isSameNumber(cell: string, readPhone: PhoneReader): boolean {
  const phone = readPhone(cell);
  return 'number' in phone && phone.number === cell;
}

/** Formats validation errors. Adds how to send unknown keys as custom data. */
function formatRowIssues(error: z.ZodError): string {
  const isUnknownKey = error.issues.some(
    ({ code, path }) => code === 'unrecognized_keys' && path.length === 0,
  );
  return isUnknownKey
    ? `${formatIssues(error)} (put custom data into data, or use --data-rest)`
    : formatIssues(error);
}

export function mapObject(
  row: Record<string, unknown>,
  dataRest: boolean,
): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(row)) {
    if (isIgnoredKey(name, member)) continue;
    const trimmed = typeof member === 'string' ? trimField(name, member) : member;
    setProperty(!dataRest || fields.has(name) ? value : rest, name, trimmed);
  }
  // Keep `data` of another type; the schema reports it.
  const data = value.data ?? {};
  if (Object.keys(rest).length > 0 && isObject(data)) value.data = { ...data, ...rest };
  return value;
}

/** Like a column, but `channels` is sent unless it comes from a listing. */
const isIgnoredKey = (name: string, member: unknown) =>
  name === 'channels'
    ? Array.isArray(member) && member.some((entry) => isObject(entry) && '_integrationId' in entry)
    : isIgnoredColumn(name);

/** The object of a JSON record without an error. */
export const recordObject = ({ value }: InputRecord) => value as Record<string, unknown>;

// Counts phone numbers without a country code, which are sent as they are, to suggest --phone-region.

const plus = 43;
const zero = 48;

export function createLocalPhoneCounter(columns: ColumnMap | undefined) {
  const phone = indexOfField(columns, 'phone');
  let count = 0;
  return {
    /** Counts the number of a valid row. */
    add(value: unknown) {
      if (typeof value === 'string' && value !== '' && !/^(\+|00)/.test(value)) count += 1;
    },
    /** Counts the number in the cells of a valid row, without decoding it. */
    addCells({ cellBytes, firstCell = 0 }: InputRecord) {
      if (phone < 0 || cellBytes === undefined) return;
      const { block, bounds } = cellBytes;
      const bound = 2 * (firstCell + phone);
      const start = bounds[bound] as number;
      if (start === bounds[bound + 1] || block.bytes[start] === plus) return;
      if (block.bytes[start] !== zero || block.bytes[start + 1] !== zero) count += 1;
    },
    /** A hint if there are such numbers. */
    hint: () =>
      count === 0
        ? undefined
        : `Phone numbers without a country code: ${grouped(count)}. To convert them to E.164, add --phone-region with their country, such as --phone-region DE.`,
  };
}
