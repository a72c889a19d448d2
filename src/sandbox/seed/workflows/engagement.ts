// Seeded engagement workflows: in-app and e-mail steps, a digest, a delay, a weekly report, a code-first one.
import type { SeedWorkflow } from './definition.ts';

export const engagementWorkflows: readonly SeedWorkflow[] = [
  {
    identifier: 'welcome',
    name: 'Welcome',
    description: 'Greets a new subscriber.',
    tags: ['onboarding'],
    payloadExample: { product: 'Example' },
    steps: [
      {
        name: 'Welcome inbox',
        type: 'in_app',
        controls: {
          subject: 'Welcome, {{subscriber.firstName}}!',
          body: 'Good to have you at {{payload.product}}.',
          avatar: '/images/wave.png',
          primaryAction: {
            label: 'Look around',
            redirect: { url: 'https://example.com/start', target: '_blank' },
          },
        },
      },
      {
        name: 'Welcome email',
        type: 'email',
        controls: {
          subject: 'Welcome to {{payload.product}}',
          body: '<p>Hello {{subscriber.firstName}},</p><p>good to have you here.</p>',
          editorType: 'html',
        },
      },
    ],
  },
  {
    identifier: 'comment-digest',
    name: 'Comment digest',
    description: 'Collects comments on a post for ten minutes.',
    tags: ['social', 'digest'],
    severity: 'low',
    payloadExample: { post: { id: 'p1', title: 'Hello' }, comment: 'Nice!', author: 'Bruno' },
    steps: [
      {
        name: 'Collect comments',
        type: 'digest',
        controls: {
          type: 'regular',
          amount: 10,
          unit: 'minutes',
          digestKey: '{{payload.post.id}}',
        },
      },
      {
        name: 'Comments inbox',
        type: 'in_app',
        controls: {
          subject: '{{steps.collect-comments.eventCount}} new comments',
          body: "On {{payload.post.title}}: {{steps.collect-comments.events | map: 'payload' | map: 'author' | join: ', '}}",
        },
      },
      {
        name: 'Comments email',
        type: 'email',
        controls: {
          subject: 'New comments on {{payload.post.title}}',
          body: '<ul>{% for event in steps.collect-comments.events %}<li>{{event.payload.author}}: {{event.payload.comment}}</li>{% endfor %}</ul>',
          editorType: 'html',
        },
      },
    ],
  },
  {
    identifier: 'trial-ending',
    name: 'Trial ending',
    description: 'Sends a reminder three days after the event.',
    tags: ['onboarding', 'billing'],
    severity: 'medium',
    payloadExample: { plan: 'pro' },
    steps: [
      {
        name: 'Wait three days',
        type: 'delay',
        controls: { type: 'regular', amount: 3, unit: 'days', extendToSchedule: true },
      },
      {
        name: 'Trial email',
        type: 'email',
        controls: {
          subject: 'Your trial ends soon',
          body: '<p>Keep {{payload.plan}} with one click.</p>',
          editorType: 'html',
          skip: { '==': [{ var: 'subscriber.data.plan' }, 'team'] },
        },
      },
    ],
  },
  {
    identifier: 'weekly-report',
    name: 'Weekly report',
    description: 'Collects events for a week and reports on Monday at nine.',
    tags: ['report', 'digest'],
    severity: 'low',
    payloadExample: { views: 12 },
    steps: [
      {
        name: 'Collect week',
        type: 'digest',
        controls: { type: 'timed', cron: '0 9 * * 1' },
      },
      {
        name: 'Report email',
        type: 'email',
        controls: {
          subject: 'Your week in numbers',
          body: '<p>{{steps.collect-week.eventCount}} things happened.</p>',
          editorType: 'html',
        },
      },
    ],
  },
  {
    identifier: 'partner-sync',
    name: 'Partner sync',
    description: 'Defined in the code of another system.',
    tags: ['partners'],
    origin: 'external',
    payloadExample: { partner: 'Globex' },
    steps: [
      {
        name: 'Enrich',
        type: 'custom',
        controls: { custom: { source: 'partner-api' } },
      },
      {
        name: 'Partner inbox',
        type: 'in_app',
        controls: { subject: '{{payload.partner}}', body: '{{payload.partner}} was synchronized.' },
      },
    ],
  },
];
