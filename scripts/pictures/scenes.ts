// The scenes of the pictures of a terminal: the commands, the files that they read, and the exit codes they must have.

export interface Line {
  command: string;
  /** The expected exit code; 0 by default. */
  code?: number;
  /** The picture shows the live screen when this text is on it. */
  until?: RegExp;
}

export interface Scene {
  name: string;
  files?: Record<string, string>;
  /** Commands that run before and are not in the picture. */
  before?: string[];
  lines: Line[];
}

const crm = [
  'Record ID,First Name,Last Name,Email,Phone Number,Lifecycle Stage',
  '101,Ada,Lovelace,ada@example.com,030 1234567,customer',
  '102,Grace,Hopper,grace@example,+1 202 555 0123,lead',
  '103,Alan,Turing,alan@example.com,,lead',
];

/** A provider rejects addresses in the domain `.invalid`. */
const people = Array.from({ length: 300 }, (_unused, index) => {
  const domain = index % 3 === 0 ? 'old.invalid' : 'example.com';
  return `p${index},p${index}@${domain},Tea`;
});

const offer = {
  name: 'Offer',
  workflowId: 'offer',
  steps: [
    { name: 'Mail', type: 'email', controlValues: { subject: 'Tea', body: 'Tea is cheaper.' } },
    { name: 'Inbox', type: 'in_app', controlValues: { subject: 'Tea', body: 'Tea is cheaper.' } },
    {
      name: 'Wait',
      type: 'delay',
      controlValues: {
        ...{ type: 'regular', amount: 3, unit: 'days' },
        skip: { '==': [{ var: 'payload.plan' }, 'pro'] },
      },
    },
    { name: 'Text', type: 'sms', controlValues: { body: 'Tea is cheaper until tonight.' } },
  ],
};

const customers = Array.from({ length: 1_000 }, (_unused, index) => {
  const domain = index % 8 === 0 ? 'old.invalid' : 'example.com';
  const phone = index % 3 === 0 ? '' : `+4930${1_000_000 + index}`;
  return `p${index},p${index}@${domain},${phone},${index % 4 === 0 ? 'pro' : 'free'}`;
});

export const scenes: Scene[] = [
  {
    name: 'import',
    files: { 'crm.csv': `${crm.join('\n')}\n` },
    lines: [
      {
        command:
          'svc subscribers bulk-import crm.csv --yes --phone-region DE \\\n    --rejects rejects.csv',
        code: 3,
      },
    ],
  },
  {
    name: 'canary',
    files: { 'people.csv': `subscriberId,email,payload.product\n${people.join('\n')}\n` },
    lines: [
      {
        command:
          'svc events trigger welcome --recipients people.csv --update-subscribers \\\n    --canary 9 --yes --no-input',
        code: 9,
      },
    ],
  },
  {
    name: 'watch',
    files: {
      'offer.json': JSON.stringify(offer),
      'people.csv': `subscriberId,email,phone,payload.plan\n${customers.join('\n')}\n`,
    },
    before: [
      'svc api POST /v2/workflows --body "$(cat offer.json)"',
      'svc events trigger offer --recipients people.csv --update-subscribers --yes --rate 100 >sent 2>&1 &',
      'until svc runs show last >/dev/null 2>&1; do sleep 0.2; done',
    ],
    lines: [{ command: 'svc runs watch last', until: / [1-9]\d*\/s [▁-█]{4} {2}ETA / }],
  },
  { name: 'explain', lines: [{ command: 'svc activity explain u2 --workflow welcome', code: 9 }] },
  { name: 'story', lines: [{ command: 'svc subscribers story u2 --since 30d' }] },
  { name: 'stats', lines: [{ command: 'svc activity stats --since 10d' }] },
  {
    name: 'plan',
    before: [
      'svc workflows pull welcome',
      "sed -i 's/^name: .*/name: Welcome aboard/; s/Welcome to/Welcome aboard, this is/' workflows/welcome.yaml",
    ],
    lines: [{ command: 'svc workflows push --check', code: 10 }],
  },
  {
    name: 'replay',
    before: [
      'svc workflows pull welcome',
      "sed -i 's/Welcome to/Welcome aboard, this is/' workflows/welcome.yaml",
    ],
    lines: [
      { command: 'svc workflows replay workflows/ --since 30d --workflow welcome --show-content' },
    ],
  },
];
