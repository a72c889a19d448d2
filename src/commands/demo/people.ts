// Made-up people for the tour, always the same ones.

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
const zones = [
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

/** A CSV file of subscribers, as an export of some user table would look. */
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
      pick(zones, index),
      pick(locales, index),
      pick(plans, index),
    ].join(',');
  });
  return `${[header, ...lines].join('\n')}\n`;
}

/** Seven rows, of which four are right. */
export function badRowsCsv(): string {
  const rows = [
    'team-1,Mira,Costa,mira@example.com,Europe/Lisbon,pt,pro',
    'team-2,Jon,Aker,jon.at.example.com,Europe/Oslo,no,free',
    'team-3,"Lee, Jr.",Park,lee@example.com,Asia/Seoul,ko,team',
    ',Nobody,Anonymous,nobody@example.com,Europe/Paris,fr,free',
    'team-4,Sena,Demir,sena@example.com,Europe/Atlantis,tr,pro',
    'team-5,Olu,Ade,olu@example.com,Africa/Lagos,en,free',
    'team-6,Ines,Roy,ines@example.com,America/Toronto,fr-CA,team',
  ];
  return `${[header, ...rows].join('\n')}\n`;
}

/** What a person would make of the bad ones. */
export const mended = (rejects: string): string =>
  rejects
    .replace('jon.at.example.com', 'jon@example.com')
    .replace(',,Nobody,', ',team-7,Nobody,')
    .replace('Europe/Atlantis', 'Europe/Istanbul');
