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
