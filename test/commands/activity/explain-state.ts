// The state of a sandbox with one workflow for each cause. Events happen when the state is loaded.
import type { SandboxState } from '../../support/sandbox-311.ts';

type Environment = SandboxState['environments'][number];
type Workflow = NonNullable<Environment['workflows']>[number];

const email = {
  stepId: 'mail',
  type: 'email',
  controlValues: { subject: 'Hi', body: 'Hello' },
} as const;
const sms = { stepId: 'text', type: 'sms', controlValues: { body: 'Hello' } } as const;
const inbox = { stepId: 'inbox', type: 'in_app', controlValues: { body: 'Hello' } } as const;

const on = { enabled: true };
const preferences = (email: boolean, readOnly = false) => ({
  default: {
    all: { enabled: true, readOnly },
    channels: { email: { enabled: email }, sms: on, in_app: on, chat: on, push: on },
  },
});

const workflows: Workflow[] = [
  { workflowId: 'news', name: 'News', steps: [email] },
  { workflowId: 'inbox', name: 'Inbox', steps: [inbox] },
  { workflowId: 'texts', name: 'Texts', steps: [sms] },
  {
    workflowId: 'alert',
    name: 'Alert',
    steps: [{ stepId: 'push', type: 'push', controlValues: { subject: 'Hi', body: 'Hello' } }],
  },
  { workflowId: 'quiet', name: 'Quiet', preferences: preferences(false), steps: [email] },
  {
    workflowId: 'critical',
    name: 'Critical',
    preferences: preferences(true, true),
    steps: [email],
  },
  {
    workflowId: 'conditional',
    name: 'Conditional',
    steps: [{ ...email, controlValues: { ...email.controlValues, skip: { '==': [1, 2] } } }],
  },
  {
    workflowId: 'digest',
    name: 'Digest',
    steps: [
      {
        stepId: 'collect',
        type: 'digest',
        controlValues: { type: 'regular', amount: 10, unit: 'minutes' },
      },
      email,
    ],
  },
  {
    workflowId: 'delay',
    name: 'Delay',
    steps: [
      {
        stepId: 'wait',
        type: 'delay',
        controlValues: { type: 'regular', amount: 3, unit: 'days' },
      },
      email,
    ],
  },
  {
    workflowId: 'throttle',
    name: 'Throttle',
    steps: [
      {
        stepId: 'limit',
        type: 'throttle',
        controlValues: { type: 'fixed', amount: 1, unit: 'hours', threshold: 1 },
      },
      email,
    ],
  },
  {
    workflowId: 'stops',
    name: 'Stops',
    steps: [{ ...sms, shouldStopOnFail: true, controlValues: { body: '{{' } }, email],
  },
  {
    workflowId: 'unfinished-template',
    name: 'Unfinished template',
    steps: [{ ...email, controlValues: { subject: 'Hi', body: '{{ payload.x' } }],
  },
  { workflowId: 'inactive', name: 'Inactive', active: false, steps: [email] },
];

const closedToday = {
  isEnabled: true,
  weeklySchedule: {
    saturday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
  },
};

const smtp = { apiKey: 'SG.x', from: 'hello@example.com', senderName: 'Example' };
const sendgrid = {
  identifier: 'sendgrid-email',
  name: 'SendGrid',
  providerId: 'sendgrid',
  channel: 'email',
  credentials: smtp,
} as const;

export interface StateOptions {
  /** The e-mail integration; none if null. */
  mail?: { active?: boolean; primary?: boolean } | null;
}

export const explainState = ({ mail = { primary: true } }: StateOptions): SandboxState => ({
  version: 1,
  environments: [
    {
      name: 'Development',
      type: 'dev',
      integrations: [
        { identifier: 'in-app', name: 'Inbox', providerId: 'svc', channel: 'in_app' },
        ...(mail === null ? [] : [{ ...sendgrid, ...mail }]),
        {
          identifier: 'twilio-sms',
          name: 'Twilio',
          providerId: 'twilio',
          channel: 'sms',
          primary: true,
          credentials: { accountSid: 'AC', token: 't', from: '+15550100' },
        },
      ],
      workflows,
      subscribers: [
        { subscriberId: 'u1', email: 'ada@example.com', phone: '+15550101' },
        { subscriberId: 'u2', email: 'bruno@example.com' },
        { subscriberId: 'bare', firstName: 'Bare' },
        { subscriberId: 'bounces', email: 'iris@mail.invalid' },
        {
          subscriberId: 'no-news',
          email: 'c@example.com',
          preferences: { workflows: { news: { channels: { email: false } } } },
        },
        {
          subscriberId: 'no-mail',
          email: 'd@example.com',
          preferences: { global: { channels: { email: false } } },
        },
        {
          subscriberId: 'weekend',
          email: 'e@example.com',
          timezone: 'Europe/Berlin',
          preferences: { global: { channels: {}, schedule: closedToday } },
        },
      ],
      topics: [
        { key: 'announcements', name: 'Announcements', subscribers: ['u1'] },
        { key: 'unused', name: 'Unused' },
      ],
    },
    // The listing of integrations contains those of all environments.
    {
      name: 'Production',
      type: 'prod',
      integrations: [{ ...sendgrid, identifier: 'production-email', primary: true }],
    },
  ],
});
