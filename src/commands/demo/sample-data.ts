// Generates sample subscribers for `svc demo`. The data is the same each time.

const firstNames = [
  'Ada',
  'Grace',
  'Alan',
  'Edsger',
  'Barbara',
  'Donald',
  'Radia',
  'Ken',
  'Frances',
  'Tim',
];
const lastNames = [
  'Okafor',
  'Lindqvist',
  'Moreau',
  'Tanaka',
  'Silva',
  'Novak',
  'Haddad',
  'Kim',
  'Rossi',
  'Berg',
];
const timeZones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Tokyo',
  'Africa/Lagos',
  'America/Sao_Paulo',
];
const locales = ['de', 'en-US', 'ja', 'en', 'pt-BR'];
const plans = ['free', 'pro', 'team'];

const pick = (values: readonly string[], index: number) => values[index % values.length] ?? '';

const header = 'Subscriber ID,First Name,Last Name,Email,Timezone,Locale,data.plan';

/** Returns a CSV file of subscribers that looks like the export of a user table. */
export function subscribersCsv(count: number): string {
  const lines = Array.from({ length: count }, (_unused, index) => {
    const number = String(index + 1).padStart(5, '0');
    const first = pick(firstNames, index);
    const last = pick(lastNames, Math.floor(index / firstNames.length));
    const email = `${first}.${last}.${number}@example.com`.toLowerCase();
    return [
      `user-${number}`,
      first,
      last,
      email,
      pick(timeZones, index),
      pick(locales, index),
      pick(plans, index),
    ].join(',');
  });
  return `${[header, ...lines].join('\n')}\n`;
}

/** Returns a CSV file with seven rows, four of them valid. */
export function partlyInvalidCsv(): string {
  const rows = [
    'team-1,Mira,Costa,mira@example.com,Europe/Lisbon,pt,pro',
    'team-2,Jon,Aker,jon.at.example.com,Europe/Oslo,no,free',
    'team-3,"Lee, Jr.",Park,lee@example.com,Asia/Seoul,ko,team',
    ',Lena,Fabre,lena@example.com,Europe/Paris,fr,free',
    'team-4,Sena,Demir,sena@example.com,Europe/Atlantis,tr,pro',
    'team-5,Olu,Ade,olu@example.com,Africa/Lagos,en,free',
    'team-6,Ines,Roy,ines@example.com,America/Toronto,fr-CA,team',
  ];
  return `${[header, ...rows].join('\n')}\n`;
}

/** Fixes the three invalid rows of `mixedRowsCsv` in a file of rejected rows. */
export const fixRejects = (rejects: string): string =>
  rejects
    .replace('jon.at.example.com', 'jon@example.com')
    .replace(',,Lena,', ',team-7,Lena,')
    .replace('Europe/Atlantis', 'Europe/Istanbul');

/** The first line that differs, before and after. */
export function describeChange(before: string, after: string): string {
  const fixed = after.split('\n');
  const rows = before.split('\n').map((row, index): [string, string] => [row, fixed[index] ?? '']);
  const [old, changed] = rows.find(([row, other]) => row !== other) ?? ['', ''];
  return `- ${old}\n+ ${changed}\n`;
}
