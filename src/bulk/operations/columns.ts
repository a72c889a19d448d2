// The columns of an input, and the subscriber fields that they can fill.

/** Targets of each column: none if it is ignored, several if it fills several fields. */
export type ColumnMap = readonly ColumnTarget[];

export interface ColumnTarget {
  index: number;
  field: string;
  place: Place;
  /** The names in a dotted field of `data` or `payload`, which is nested: `address.city`. */
  path?: readonly string[];
}

export type Place = 'field' | 'data' | 'payload';

/** The index of the column that fills a field of the subscriber; -1 if none does. */
export const indexOfField = (columns: ColumnMap | undefined, name: string): number =>
  columns?.find(({ field, place }) => field === name && place === 'field')?.index ?? -1;

export interface ColumnOptions {
  /** `field=Column`, as given. */
  map: readonly string[];
  /** Columns to send in `data`. */
  dataColumns: readonly string[];
  /** Send all unknown columns in `data`. */
  dataRest: boolean;
  ignoreColumns?: readonly string[];
  /** Send `payload.*` columns in the payload of the event. */
  payload?: boolean;
  name: string;
}

/** Subscriber fields that a column can fill. */
export const subscriberFields = [
  'subscriberId',
  'firstName',
  'lastName',
  'email',
  'phone',
  'avatar',
  'locale',
  'timezone',
];

/** Columns that a rejects file adds. */
export const rejectColumns = new Set(['_line', '_error']);

/** Fields of a listed subscriber that only the service sets. A listing can be imported with them. */
const readOnlyColumns = new Set([
  ...['_id', '_organizationId', '_environmentId', 'channels', 'topics', 'isOnline', 'lastOnlineAt'],
  ...['deleted', 'createdAt', 'updatedAt', '__v'],
]);

/** Whether a column or key is neither sent nor unknown. */
export const isIgnoredColumn = (column: string) =>
  rejectColumns.has(column) || readOnlyColumns.has(column);

/** The column with all custom data as one JSON object. */
export const dataObjectColumn = 'data';

/** Normalizes a name: lower case, without blanks, `_` and `-`. */
export const normalizeName = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');
