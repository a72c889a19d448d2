// The workflows of the application, as code.
import { workflow } from '@novu/framework';

/** One e-mail about all comments within ten minutes. A message in the inbox only if there is a single one. */
export const comments = workflow(
  'comments',
  async ({ step, payload }) => {
    const { events } = await step.digest('collect', async () => ({ amount: 10, unit: 'minutes' }));
    await step.email('mail', async () => ({
      subject: `${events.length} new comments`,
      body: events.map((event) => `<p>${event.payload.text}</p>`).join(''),
    }));
    await step.inApp('inbox', async () => ({ body: `New comment: ${payload.text}` }), {
      skip: () => events.length > 1,
    });
  },
  {
    payloadSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
);

/** A reminder one day before a trial ends. */
export const trial = workflow('trial', async ({ step }) => {
  await step.delay('wait', async () => ({ amount: 13, unit: 'days' }));
  await step.email('mail', async () => ({
    subject: 'Your trial ends tomorrow',
    body: '<p>Choose a plan.</p>',
  }));
});
