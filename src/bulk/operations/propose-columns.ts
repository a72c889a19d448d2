// Proposes how to send columns whose names are not field names: as a field, as custom data, or not at all. A proposal
// must be confirmed.
import { isLocale, isTimeZone } from '../../service/rules/formats.ts';

export interface ProposedColumn {
  column: string;
  /** Fields, or `data.<column>`; empty if the column is not sent. */
  targets: readonly string[];
  /** Why the column is not sent. */
  reason?: string;
  /** Cells of the first rows. */
  samples: readonly string[];
}

export interface ProposalInput {
  header: readonly string[];
  /** Columns without a target. */
  unknown: readonly string[];
  /** Fields that other columns fill, with the column. */
  filled: ReadonlyMap<string, string>;
  /** Rows that were read ahead. */
  rows: readonly (readonly string[])[];
  /** Whether the name of a column resembles a field that is not filled. */
  isMistyped: (column: string) => boolean;
}

export const sampleCount = 3;

/** Fields with a restricted format: a column is proposed only if its cells are valid. */
const validators: Partial<Record<HeaderTarget, (cell: string) => boolean>> = {
  locale: isLocale,
  timezone: isTimeZone,
};

/** Returns a proposal for all unknown columns; undefined if none of them can be recognized. */
export function proposeColumns(input: ProposalInput): readonly ProposedColumn[] | undefined {
  const { header, unknown, filled, rows, isMistyped } = input;
  const readCells = (column: string) => rows.map((row) => row[header.indexOf(column)] ?? '');
  const isRecognized = (column: string) =>
    knownNames.has(normalizeHeader(column)) ||
    findAddressType(normalizeHeader(column), readCells(column)) !== undefined;
  const columnByField = chooseColumns(input, readCells);
  const emailColumn = columnByField.get('email') ?? filled.get('email');
  const hasId = columnByField.has('subscriberId') || filled.has('subscriberId');
  if (!hasId && emailColumn === undefined) return undefined;
  // A mistyped field must not become custom data.
  if (columnByField.size === 0 && hasId && !unknown.some(isRecognized) && unknown.some(isMistyped))
    return undefined;
  const proposed = (column: string, targets: Pick<ProposedColumn, 'targets' | 'reason'>) => ({
    column,
    ...targets,
    samples: readCells(column).slice(0, sampleCount),
  });
  const columns = unknown.map((column) => {
    const fields = [...columnByField].filter(([, name]) => name === column).map(([field]) => field);
    // Without a column for the id, the e-mail address is the id.
    if (!hasId && column === emailColumn)
      return proposed(column, { targets: ['subscriberId', 'email'] });
    if (fields.length > 0) return proposed(column, { targets: fields });
    return proposed(column, otherTargets(column, columnByField, input, readCells(column)));
  });
  if (hasId || emailColumn === undefined || unknown.includes(emailColumn)) return columns;
  return [proposed(emailColumn, { targets: ['subscriberId', 'email'] }), ...columns];
}

/** Chooses at most one column for each field that is not filled. */
function chooseColumns(
  { header, unknown, filled }: ProposalInput,
  cellsOf: (column: string) => readonly string[],
): Map<string, string> {
  const normalized = new Map(unknown.map((column) => [normalizeHeader(column), column]));
  const all = new Set(header.map(normalizeHeader));
  const columnByField = new Map<string, string>();
  const used = new Set<string>();
  for (const { header: name, target, onlyWith } of exportHeaders) {
    const column = normalized.get(normalizeHeader(name));
    if (column === undefined || target === 'data' || target === 'none') continue;
    if (filled.has(target) || columnByField.has(target) || used.has(column)) continue;
    if (onlyWith !== undefined && !all.has(normalizeHeader(onlyWith))) continue;
    const isValid = validators[target];
    if (isValid && !cellsOf(column).every((cell) => cell === '' || isValid(cell.trim()))) continue;
    columnByField.set(target, column);
    used.add(column);
  }
  for (const field of ['email', 'phone'] as const) {
    if (filled.has(field) || columnByField.has(field)) continue;
    const column = unknown.find(
      (name) => !used.has(name) && findAddressType(normalizeHeader(name), cellsOf(name)) === field,
    );
    if (column === undefined) continue;
    columnByField.set(field, column);
    used.add(column);
  }
  return columnByField;
}

const descriptions = {
  email: 'looks like an e-mail address',
  phone: 'looks like a phone number',
  postal: 'looks like an address',
};

/** The targets of a column that fills no field. */
function otherTargets(
  column: string,
  columnByField: ReadonlyMap<string, string>,
  { filled }: ProposalInput,
  cells: readonly string[],
): Pick<ProposedColumn, 'targets' | 'reason'> {
  const name = normalizeHeader(column);
  if (unsentNames.has(name.replace(/\d+/g, ''))) return { targets: [], reason: 'is only a label' };
  const field = findAddressType(name, cells);
  if (field === undefined) return { targets: [`data.${column}`] };
  const other = columnByField.get(field) ?? filled.get(field);
  const otherText = other === undefined ? '' : `; ${field} is filled from ${other}`;
  return { targets: [], reason: `${descriptions[field]}${otherText}` };
}

// Recognizes columns with addresses and phone numbers. Such a column must not become custom data, where no message would
// be sent to it.

const emailPattern = /^\S+@\S+\.\S+$/;
const datePattern = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b/;
const internationalPhone = /^(?:\+|00)\s?\d[\d\s()./-]{5,}$/;
const groupedPhone = /^\(?\d{2,5}\)?[\s/-]\d[\d\s/-]*$/;
const minGroupedDigits = 10;
const minDigits = 6;

const countDigits = (cell: string) => cell.replace(/\D/g, '').length;

/** A rough test: the checks of the service are stricter. */
export const looksLikeEmail = (cell: string) => emailPattern.test(cell);
const isPhone = (cell: string) =>
  internationalPhone.test(cell) ||
  (groupedPhone.test(cell) && !datePattern.test(cell) && countDigits(cell) >= minGroupedDigits);

const namesPhone = /phone|mobile|mobil|cell(?!ation)|^tel|handy|fax|sms|whatsapp|rufnummer|^pager/;
const namesEmail = /mail/;
const namesPostal = /address|adresse|anschrift|street|stra(ss|ß)e/;
/** Columns about addresses that do not contain one, such as `Email Opt Out`. */
const namesAttribute =
  /opt|domain|date|datum|status|label|type|typ$|count|open|click|bounce|unsub|valid|confirm|subscri|prefer|quality|reason|source|verified|sent|deliver|owner|ipaddress|country|land$|city|ort$|state|region|zip|plz|postal|code$/;

/** The content of a column; undefined if it is neither an address nor a phone number. */
export function findAddressType(
  normalizedName: string,
  cells: readonly string[],
): 'email' | 'phone' | 'postal' | undefined {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const isMost = (test: (cell: string) => boolean) =>
    filled.filter(test).length * 2 >= Math.max(1, filled.length);
  if (isMost(looksLikeEmail)) return 'email';
  if (isMost(isPhone)) return 'phone';
  if (namesAttribute.test(normalizedName)) return undefined;
  if (namesEmail.test(normalizedName) && filled.length === 0) return 'email';
  if (
    namesPhone.test(normalizedName) &&
    (filled.length === 0 || isMost((cell) => countDigits(cell) >= minDigits))
  )
    return 'phone';
  if (namesEmail.test(normalizedName) && filled.some(looksLikeEmail)) return 'email';
  return namesPostal.test(normalizedName) ? 'postal' : undefined;
}

// Column names in the exports of other products, and the fields that they fill. If several columns of a file can fill a
// field, the first one in this table is proposed.

/** `data` is custom data; `none` is not sent, because the value has no meaning on its own. */
export type HeaderTarget =
  | 'subscriberId'
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'phone'
  | 'avatar'
  | 'locale'
  | 'timezone'
  | 'data'
  | 'none';

export interface ExportHeader {
  product: string;
  header: string;
  target: HeaderTarget;
  /** The proposal applies only if the file also has this column. */
  onlyWith?: string;
}

const table: Record<string, Partial<Record<HeaderTarget, readonly string[]>>> = {
  HubSpot: {
    subscriberId: ['Record ID', 'Contact ID', 'VID', 'hs_object_id'],
    email: ['Email Address'],
    phone: ['Mobile Phone Number', 'WhatsApp Phone Number', 'Phone Number'],
    locale: ['Preferred language', 'hs_language'],
    data: [
      'Company name',
      'Associated Company',
      'Country/Region',
      'Lifecycle Stage',
      'Lead Status',
    ],
  },
  Salesforce: {
    subscriberId: ['Contact ID', 'Lead ID', 'Case Safe ID', 'Contact ID 18', 'Person Account ID'],
    email: ['Person Account: Email', 'Contact: Email'],
    phone: ['Mobile Phone', 'Mobile', 'Contact: Mobile', 'Business Phone', 'Home Phone'],
    locale: ['Language Locale Key', 'Locale Sid Key'],
    timezone: ['Time Zone Sid Key'],
    data: ['Account Name', 'Account ID', 'Company / Account', 'Mailing Country', 'Billing Country'],
  },
  Mailchimp: {
    subscriberId: ['Unique Email ID', 'EUID', 'LEID'],
    email: ['Email Address'],
    firstName: ['FNAME'],
    lastName: ['LNAME'],
    phone: ['SMS Phone Number', 'Phone Number'],
    locale: ['Language'],
    data: ['Company', 'CC', 'Region', 'Tags', 'MEMBER_RATING'],
  },
  Segment: {
    subscriberId: ['user_id'],
    firstName: ['traits.first_name', 'context_traits_first_name'],
    lastName: ['traits.last_name', 'context_traits_last_name'],
    email: ['traits.email', 'context_traits_email'],
    phone: ['traits.phone', 'context_traits_phone'],
    avatar: ['traits.avatar', 'avatar_url'],
    locale: ['context_locale'],
    timezone: ['context_timezone'],
    data: ['traits.company', 'company_name', 'context_ip'],
  },
  'Customer.io': {
    subscriberId: ['id', 'cio_id'],
    email: ['email_address'],
    phone: ['phone_number', 'mobile_number'],
    data: ['company_name', 'country', 'created_at', 'unsubscribed'],
  },
  'Google Contacts': {
    firstName: ['Given Name'],
    lastName: ['Family Name'],
    email: ['E-mail 1 - Value', 'E-mail 2 - Value'],
    phone: ['Phone 1 - Value', 'Phone 2 - Value'],
    avatar: ['Photo'],
    data: ['Organization Name', 'Organization 1 - Name', 'Address 1 - Country', 'Labels'],
    none: ['E-mail 1 - Label', 'E-mail 1 - Type', 'Phone 1 - Label', 'Phone 1 - Type'],
  },
  'Excel (English)': {
    subscriberId: [
      ...['External ID', 'User ID', 'Customer ID', 'Customer Number', 'Customer No', 'Client ID'],
      ...['Member ID', 'Account Number', 'UID', 'UUID', 'ID'],
    ],
    firstName: ['Forename', 'Given Name', 'First'],
    lastName: ['Surname', 'Family Name', 'Last'],
    email: ['E-mail Address', 'Mail', 'Work Email', 'Primary Email', 'Email 1'],
    phone: [
      ...['Mobile Number', 'Cell Phone', 'Cell', 'Mobile No', 'Telephone', 'Telephone Number'],
      ...['Tel', 'Phone No', 'Primary Phone', 'Contact Number'],
    ],
    avatar: ['Photo URL', 'Picture', 'Image URL'],
    locale: ['Language'],
    timezone: ['TZ'],
    data: ['Company', 'Organisation', 'Organization', 'Account', 'Country'],
  },
  'Excel (German)': {
    subscriberId: [
      ...['Externe ID', 'Benutzer-ID', 'Kundennummer', 'Kunden-Nr.', 'Kunden-ID', 'Kd.-Nr.'],
      ...['Mitgliedsnummer', 'Mitglieds-Nr.', 'Personalnummer', 'Kontonummer'],
    ],
    firstName: ['Vorname'],
    lastName: ['Nachname', 'Familienname', 'Zuname'],
    email: ['E-Mail-Adresse', 'Mailadresse', 'E-Mail geschäftlich', 'E-Mail privat'],
    phone: [
      ...['Mobiltelefon', 'Mobilnummer', 'Mobil', 'Handynummer', 'Handy', 'Telefonnummer'],
      ...['Telefon', 'Telefon (mobil)', 'Telefon geschäftlich', 'Telefon privat', 'Rufnummer'],
    ],
    avatar: ['Bild', 'Foto'],
    locale: ['Sprache'],
    timezone: ['Zeitzone'],
    data: ['Firma', 'Firmenname', 'Unternehmen', 'Konto', 'Land'],
  },
};

/** Lower case without anything but letters and digits. */
export const normalizeHeader = (header: string) =>
  header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** In German lists, `Name` beside `Vorname` is the last name. */
const conditional: readonly ExportHeader[] = [
  { product: 'Excel (German)', header: 'Name', target: 'lastName', onlyWith: 'Vorname' },
];

export const exportHeaders: readonly ExportHeader[] = [
  ...Object.entries(table).flatMap(([product, targets]) =>
    Object.entries(targets).flatMap(([target, headers]) =>
      headers.map((header) => ({ product, header, target: target as HeaderTarget })),
    ),
  ),
  ...conditional,
];

const knownNames = new Set(exportHeaders.map(({ header }) => normalizeHeader(header)));

const unsentNames = new Set(
  exportHeaders
    .filter(({ target }) => target === 'none')
    .map(({ header }) => normalizeHeader(header).replace(/\d+/g, '')),
);
