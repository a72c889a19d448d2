// Recipients, workflows and activities for the tests of `--canary`.
import { expect } from 'vitest';
import { openRig, type Rig, type RigOptions, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

export const recipients = Array.from({ length: 30 }, (_unused, index) => `r${index + 1}`);
const csv = `subscriberId,email\n${recipients.map((id) => `${id},${id}@example.com\n`).join('')}`;

export async function openRecipients(options: RigOptions = {}) {
  const rig = await openRig(options);
  const file = writeInput(rig, 'users.csv', csv);
  return { rig, file };
}

export const trigger = (file: string, ...options: string[]) => [
  ...['events', 'trigger', 'welcome', '--recipients', file, '--update-subscribers'],
  ...['--yes', '--json', '--canary', ...options],
];

/** Makes the e-mail step of `welcome` fail, or work again. */
export async function setEmail(rig: Rig, action: 'enable' | 'disable') {
  const { stdout } = await rig.svc(
    words`integrations list --jq ${'.[] | select(.channel == "email") | ._id'}`,
  );
  for (const id of stdout.trim().split('\n')) await rig.svc(['integrations', action, id, '--yes']);
}

export const eventsPerRequest = (requests: { line: string; body: unknown }[]) =>
  requests
    .filter(({ line }) => line.startsWith('POST /v1/events'))
    .map(({ body }) => (body as { events: { to: { subscriberId: string }[] }[] }).events.length);

const details: Record<string, { status: string; detail: string; raw?: string }> = {
  failed: { status: 'Failed', detail: 'Template is broken' },
  skipped: { status: 'Success', detail: 'Step filtered by subscriber global preferences' },
  canceled: { status: 'Failed', detail: 'Subscriber missing email address' },
};

/** A response to the listing of the activity: the events with one e-mail job of this status. */
export const readActivity = (status: (id: string) => string | undefined) => (url: URL) => ({
  status: 200,
  body: {
    page: 0,
    pageSize: 50,
    hasMore: false,
    data: url.searchParams.getAll('transactionId').flatMap((transactionId) => {
      const jobStatus = status(transactionId);
      if (jobStatus === undefined) return [];
      const detail = details[jobStatus];
      const executionDetails = detail ? [{ _id: 'd', raw: null, ...detail }] : [];
      const job = { _id: 'j', type: 'email', status: jobStatus, executionDetails };
      return [{ _id: transactionId, transactionId, _subscriberId: 's', jobs: [job] }];
    }),
  },
});

export function answerActivity(rig: Rig, status: (id: string) => string | undefined) {
  const respond = readActivity(status);
  rig.answerBy(({ method, url }) =>
    method === 'GET' && url.pathname === '/v1/notifications' ? respond(url) : undefined,
  );
}

/** Answers with these jobs for every event, by type, and then one that waits. */
export function answerJobs(rig: Rig, statuses: Record<string, string>, waiting: string) {
  const jobs = [...Object.entries(statuses), [waiting, 'delayed'] as const].map(
    ([type, status], index) => ({ _id: `${index}`, type, status, executionDetails: [] }),
  );
  rig.answerBy(({ method, url }) => {
    if (method !== 'GET' || url.pathname !== '/v1/notifications') return undefined;
    const data = url.searchParams
      .getAll('transactionId')
      .map((id) => ({ _id: id, transactionId: id, _subscriberId: 's', jobs }));
    return { status: 200, body: { page: 0, pageSize: 50, hasMore: false, data } };
  });
}

export const inApp = {
  name: 'Inbox',
  stepId: 'inbox',
  type: 'in_app',
  controlValues: { body: 'New' },
};
export const digest = {
  ...{ name: 'Digest', stepId: 'digest', type: 'digest' },
  controlValues: { type: 'regular', amount: 10, unit: 'minutes' },
};
export const email = (body: string) => ({
  ...{ name: 'Mail', stepId: 'mail', type: 'email' },
  controlValues: { subject: 'News', body, editorType: 'html' },
});

/** Creates the workflow `campaign`. */
export async function addWorkflow(rig: Rig, steps: object[]) {
  const body = { workflowId: 'campaign', name: 'Campaign', active: true, steps };
  const { code, stderr } = await rig.svc(
    words`api POST /v2/workflows --body ${JSON.stringify(body)}`,
  );
  expect(stderr).toBe('');
  expect(code).toBe(0);
}
