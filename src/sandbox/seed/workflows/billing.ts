// Seeded billing workflows: one with a payload schema, one with issues, one without steps.
import type { SeedWorkflow } from './definition.ts';

const invoice = {
  type: 'object',
  properties: {
    invoiceId: { type: 'string', minLength: 1 },
    amount: { type: 'number', exclusiveMinimum: 0 },
    currency: { type: 'string', enum: ['EUR', 'USD'] },
  },
  required: ['invoiceId', 'amount', 'currency'],
  additionalProperties: false,
};

export const billingWorkflows: readonly SeedWorkflow[] = [
  {
    identifier: 'invoice-paid',
    name: 'Invoice paid',
    description: 'Confirms a payment. The payload is validated.',
    tags: ['billing'],
    payloadSchema: invoice,
    payloadExample: { invoiceId: 'INV-1', amount: 49.5, currency: 'EUR' },
    steps: [
      {
        name: 'Paid inbox',
        type: 'in_app',
        controls: {
          subject: 'Payment received',
          body: '{{payload.amount}} {{payload.currency}} for {{payload.invoiceId}}. Thank you!',
        },
      },
      {
        name: 'Paid email',
        type: 'email',
        controls: {
          subject: 'Receipt for {{payload.invoiceId}}',
          body: '<p>We received {{payload.amount}} {{payload.currency}}.</p>',
          editorType: 'html',
        },
      },
    ],
  },
  {
    identifier: 'broken-invoice',
    name: 'Broken invoice',
    description: 'Has an e-mail without a subject and a chat step without an integration.',
    tags: ['billing'],
    payloadExample: { invoiceId: 'INV-2' },
    steps: [
      {
        name: 'Invoice email',
        type: 'email',
        controls: { subject: '', body: '<p>{{payload.invoiceId}}</p>', editorType: 'html' },
        issues: {
          controls: {
            subject: [{ issueType: 'MISSING_VALUE', message: 'Subject is required' }],
          },
        },
      },
      {
        name: 'Invoice chat',
        type: 'chat',
        controls: { body: 'Invoice {{payload.invoiceId}}' },
        issues: {
          integration: {
            chat: [
              {
                issueType: 'MISSING_INTEGRATION',
                message: 'No active integration delivers this channel',
              },
            ],
          },
        },
      },
    ],
  },
  {
    identifier: 'draft',
    name: 'Draft',
    description: 'Has no steps yet.',
    steps: [],
  },
];
