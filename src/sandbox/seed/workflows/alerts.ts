// Seeded alert workflows: SMS, push and chat steps, a throttle, a critical and an inactive workflow.
import type { SeedWorkflow } from './definition.ts';

export const alertWorkflows: readonly SeedWorkflow[] = [
  {
    identifier: 'one-time-code',
    name: 'One-time code',
    description: 'Sends a code to sign in with. Subscribers cannot switch it off.',
    tags: ['security'],
    severity: 'high',
    critical: true,
    payloadExample: { code: '123456' },
    steps: [
      {
        name: 'Code email',
        type: 'email',
        controls: {
          subject: 'Your code is {{payload.code}}',
          body: '<p>Your code: <b>{{payload.code}}</b></p>',
          editorType: 'html',
        },
      },
      {
        name: 'Code SMS',
        type: 'sms',
        controls: { body: '{{payload.code}} is your code.' },
      },
    ],
  },
  {
    identifier: 'price-alert',
    name: 'Price alert',
    description: 'Pushes a price, at most once an hour.',
    tags: ['alerts'],
    severity: 'medium',
    payloadExample: { product: 'Lamp', price: 19.9 },
    steps: [
      {
        name: 'Once an hour',
        type: 'throttle',
        controls: { type: 'fixed', amount: 1, unit: 'hours', threshold: 1 },
      },
      {
        name: 'Price push',
        type: 'push',
        controls: {
          subject: '{{payload.product}}',
          body: 'Now {{payload.price}}.',
        },
      },
    ],
  },
  {
    identifier: 'order-update',
    name: 'Order update',
    description: 'Reports the state of an order by chat, push and SMS.',
    tags: ['orders'],
    payloadExample: { order: 'A-100', state: 'shipped' },
    steps: [
      {
        name: 'Order chat',
        type: 'chat',
        controls: { body: 'Order {{payload.order}}: {{payload.state}}' },
      },
      {
        name: 'Order push',
        type: 'push',
        controls: { subject: 'Order {{payload.order}}', body: 'It is {{payload.state}}.' },
      },
      {
        name: 'Order SMS',
        type: 'sms',
        controls: { body: 'Order {{payload.order}} is {{payload.state}}.' },
      },
    ],
  },
  {
    identifier: 'legacy-newsletter',
    name: 'Legacy newsletter',
    description: 'Inactive.',
    tags: ['marketing'],
    origin: 'novu-cloud-v1',
    inactive: true,
    steps: [
      {
        name: 'News email',
        type: 'email',
        controls: { subject: 'News', body: '<p>{{payload.news}}</p>', editorType: 'html' },
      },
    ],
  },
];
