// Parts of bodies that several tests of the wire format use, typed from the API specification.

/** The fields of a record that name its environment and organization. */
export const owner = {
  _environmentId: '65a000000000000000000001',
  _organizationId: '65c000000000000000000001',
};

/** When a record was created and last changed. */
export const times = {
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
};

/** The fields of a subscriber that the service sets. */
export const subscriberRecord = {
  ...owner,
  deleted: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-15T12:00:00.000Z',
};

/** The text fields of a subscriber, except its id. */
export const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+15550100',
  avatar: 'https://example.com/ada.png',
  locale: 'en_GB',
  timezone: 'Europe/London',
};

/** The channel of a recipient that does not exist yet. */
export const slackChannel = {
  providerId: 'slack',
  integrationIdentifier: 'slack-chat',
  credentials: { webhookUrl: 'https://hooks.slack.test/services/1' },
};

/** A group of filters with one filter. */
export const proPlan = {
  isNegated: false,
  type: 'GROUP',
  value: 'AND',
  children: [{ field: 'plan', value: 'pro', operator: 'EQUAL', on: 'payload' }],
};

/** One day of a weekly schedule. */
export const day = (start: string, end: string) => ({ isEnabled: true, hours: [{ start, end }] });
export const workday = day('09:00 AM', '05:00 PM');
export const dayOff = { isEnabled: false };

/** The trigger of the workflow `comment-digest`. */
export const commentTrigger = {
  type: 'event',
  identifier: 'comment-digest',
  variables: [{ name: 'postId' }],
  subscriberVariables: [{ name: 'email' }],
};

/** The names and times of a workflow. */
export const workflowRecord = (number: number, name: string, workflowId: string) => ({
  name,
  updatedAt: '2026-01-10T00:00:00.000Z',
  createdAt: '2026-01-01T00:00:00.000Z',
  _id: `66000000000000000000000${number}`,
  workflowId,
  slug: `${workflowId}_wf_${number}`,
});

/** The names of step `number` of a workflow. */
export const stepRecord = (
  number: number,
  type: string,
  names: { stepId?: string; name?: string } = {},
) => {
  const stepId = names.stepId ?? type;
  const name = names.name ?? `${stepId.charAt(0).toUpperCase()}${stepId.slice(1)}`;
  return {
    stepId,
    _id: `66900000000000000000000${number}`,
    name,
    slug: `${stepId}_st_${number}`,
    type,
  };
};

/** An event for one subscriber. */
export const eventFor = (subscriberId: string, name: string, transactionId?: string) => ({
  name,
  to: [{ subscriberId }],
  ...(transactionId === undefined ? {} : { transactionId }),
});
