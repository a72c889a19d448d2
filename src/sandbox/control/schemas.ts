// The schemas of the control routes: parameters, request bodies and response bodies. The OpenAPI document and the types
// of the control client are derived from them.

import { z } from 'zod';
import { channelCauses, stepOutcomes } from '../../service/job-outcomes.ts';
import { modes } from '../../service/mode.ts';
import { allChannels } from '../../service/schemas/vocabulary.ts';
import { sandboxVersions } from '../../service/versions.ts';
import { sandboxState } from '../state/schema.ts';
import { faultSettings, faultState } from './fault-settings.ts';

const count = z.int().min(0);

/** A whole number in a query. */
function whole(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(error).int(error).min(min, error).max(max, error);
}

/** `true` or `false` in a query. */
const flag = z.enum(['true', 'false'], 'must be true or false').default('false');
const time = z.string().describe('ISO 8601 time in UTC');
const compat = z.enum(modes);
const service = z.enum(sandboxVersions);

const notEmulatedRoute = z.object({
  method: z.string(),
  path: z.string().describe('With parameters as in /v1/channel-endpoints/{identifier}'),
  requests: z.int().min(1),
});

const status = z.object({
  name: z.literal('svc-sandbox'),
  pid: z.int().optional().describe('Absent if the sandbox runs in the process of its caller'),
  processStart: z
    .string()
    .optional()
    .describe(
      'Together with the pid, it identifies the process on every machine; absent if the system does not provide it',
    ),
  startedAt: time,
  storage: z.string().describe('The data directory, or `memory`'),
  seed: z.string().describe('Identifies the seed that the sandbox was started with'),
  compat: compat.describe('The mode: as the service runs, or as its specification says'),
  service: service.describe('The version of the service that the sandbox behaves like'),
  envelope: z.boolean().describe('Whether responses of the service are wrapped in {"data": …}'),
  page: z
    .string()
    .nullable()
    .describe('The address of the page; null if the sandbox does not listen on loopback only'),
  environments: count,
  subscribers: count,
  topics: count,
  workflows: count,
  events: count,
  pendingJobs: count.describe(
    'Number of jobs that wait for their time, such as delays and digests',
  ),
  nextJobAt: time.nullable().describe('When the next pending job is due, by the sandbox clock'),
  notEmulated: z
    .array(notEmulatedRoute)
    .describe(
      'The routes of the service that the sandbox does not have and that were requested since the start or the last reset',
    ),
  bridgeProblem: z
    .string()
    .optional()
    .describe(
      'Why the workflows of the endpoint of --bridge could not be read; absent if they were',
    ),
});

const stopped = z.object({
  stopping: z.boolean().describe('false if the caller of the sandbox must stop it'),
});

export const resetBody = z.object({
  compat: compat.optional().describe('Changes the mode; by default it stays'),
  service: service.optional().describe('Changes the version; by default it stays'),
});

const reset = z.object({ reset: z.literal(true) });

const clock = z.object({
  now: time,
  frozen: z.boolean(),
  offset: z.number().describe('Milliseconds ahead of the clock of the machine'),
});

const advanceError = 'must be a number of milliseconds, 0 or more';
export const clockBody = z
  .object({
    advance: z.number(advanceError).min(0, advanceError).optional().describe('Milliseconds'),
    set: z.string().optional().describe('ISO time, or `now` for the time of the machine'),
  })
  .refine(
    ({ advance, set }) => (advance === undefined) !== (set === undefined),
    'give either advance (milliseconds) or set (an ISO time or now)',
  )
  .describe('Either advance or set');

const clockMove = clock.extend({
  jobsRun: count.describe('Number of jobs that came due and ran'),
  movedMs: z.number().describe('Milliseconds the clock moved; negative if it moved back'),
});

const templateVariables = z.array(
  z.object({
    template: z.string().describe('The control value that contains it, or layout'),
    variable: z.string().describe('As in the template: payload.name'),
  }),
);

const message = z.object({
  _id: z.string(),
  createdAt: time,
  channel: z.enum(allChannels),
  subscriberId: z.string(),
  recipient: z
    .string()
    .nullable()
    .describe('The address; null if the subscriber has none for the channel'),
  provider: z.string(),
  status: z
    .enum(['sent', 'error', 'warning'])
    .describe(
      'A service would deliver messages with the status sent. error: the provider rejects it, for one of its addresses at least; warning: the subscriber has no address',
    ),
  errorText: z.string().optional(),
  missedAddresses: z
    .string()
    .optional()
    .describe('Which of several addresses the message did not reach, as text; then it was sent'),
  from: z.string().optional().describe('The address or number of the sender (e-mail, SMS)'),
  senderName: z.string().optional(),
  cc: z.array(z.string()).optional(),
  bcc: z.array(z.string()).optional(),
  replyTo: z.string().optional(),
  attachments: z
    .array(
      z.object({
        name: z.string(),
        type: z.string().nullable().describe('The media type; null if the event does not say it'),
        size: count.describe('In bytes'),
      }),
    )
    .optional()
    .describe('Of an e-mail, without their content'),
  subject: z.string().optional(),
  title: z.string().optional(),
  body: z.string().describe('The rendered content'),
  text: z
    .string()
    .optional()
    .describe('The content as plain text; in a list only with the parameter text=true'),
  links: z
    .array(z.object({ url: z.string(), text: z.string() }))
    .describe(
      'The links in the body, in order, then the redirect and the buttons of an in-app message; text is empty for an address in plain text and for the redirect',
    ),
  missingVariables: templateVariables
    .optional()
    .describe('The variables of its templates that were missing or null and have no default'),
  objectVariables: templateVariables
    .optional()
    .describe('The variables of its templates that were printed as an object or a list'),
  deviceTokens: z.array(z.string()).optional(),
  cta: z.record(z.string(), z.unknown()).optional().describe('Redirect and buttons (in-app)'),
  read: z.boolean().optional(),
  seen: z.boolean().optional(),
  archived: z.boolean().optional(),
  snoozedUntil: z.string().optional(),
  workflow: z.string().describe('The identifier of the workflow'),
  transactionId: z.string(),
  payload: z.record(z.string(), z.unknown()),
  overrides: z.record(z.string(), z.unknown()),
});

const knownWorkflows = z
  .array(z.string())
  .optional()
  .describe('The identifiers of all workflows; present only if the requested one does not exist');

const messagePage = z.object({
  data: z.array(message).describe('Newest first'),
  hasMore: z.boolean(),
  pageSize: count.describe('Number of messages on this page'),
  page: count,
  knownWorkflows,
});

const event = z.object({
  transactionId: z.string(),
  createdAt: time,
  workflow: z.string().describe('The identifier of the workflow; empty if it was deleted'),
  subscriberId: z.string().describe('The recipient; empty if it was deleted'),
  steps: z
    .array(
      z.object({
        channel: z.enum(allChannels),
        verdict: z.enum(stepOutcomes),
        cause: z.enum(channelCauses).nullable().describe('Why it was not delivered, for programs'),
        message: z.string().describe('The result and its cause, as a sentence'),
        detail: z.string().nullable().describe('The execution detail that the cause is read from'),
      }),
    )
    .describe('The channel steps, in order'),
});

const activityPage = z.object({
  data: z.array(event).describe('Newest first'),
  hasMore: z.boolean(),
  pageSize: count.describe('Number of events on this page'),
  page: count,
  knownWorkflows,
  rejectedTriggers: z
    .array(z.object({ workflow: z.string().nullable(), error: z.string() }))
    .optional()
    .describe(
      'The last triggers that were rejected since the start or the last reset, newest first; present only if no event matches',
    ),
});

const request = z.object({
  id: z.int().describe('The number of the request since the start or the last reset'),
  time,
  method: z.string(),
  path: z.string().describe('Without the query'),
  query: z.record(z.string(), z.string()),
  body: z
    .unknown()
    .describe('The JSON, or the members of a form, with masked secrets; null without a body'),
  isBodyOmitted: z
    .literal(true)
    .optional()
    .describe('There was a body, but it is too large, or neither JSON nor a form'),
  status: z.int().nullable().describe('null if a fault closed the connection'),
  error: z.string().optional().describe('Why the request failed'),
  notEmulated: z
    .literal(true)
    .optional()
    .describe('The route exists in the service, not in the sandbox'),
});

export const requestOutcomes = ['failed', 'notEmulated'] as const;

const requestPage = z.object({
  data: z.array(request).describe('Newest first'),
  hasMore: z.boolean(),
  pageSize: count.describe('Number of requests on this page'),
  page: count,
});

const seeded = z.object({ seeded: z.literal(true), environments: count });

const copiedEnvironment = z.object({
  environmentId: z.string(),
  name: z.string(),
  key: z.string().describe('The API key of the environment'),
  applicationIdentifier: z.string().describe('Identifies it to the clients of the inbox'),
});

const snapshotName = z.string().regex(
  // A URL path cannot contain . and ..
  /^(?!\.{1,2}$)[\w.-]{1,64}$/,
  'must have 1 to 64 letters, digits, dots, dashes or underscores, and not be . or ..',
);
export const snapshotBody = z.object({ name: snapshotName });

const snapshot = z.object({
  name: z.string(),
  createdAt: time.describe('When it was made, by the clock of the machine'),
  time: time.describe('The time in the sandbox'),
  events: count,
  messages: count,
});

const snapshotList = z.object({ snapshots: z.array(snapshot).describe('Oldest first') });
const restoredSnapshot = snapshot.extend({ restored: z.literal(true) });

const pageLink = z.object({ url: z.string().describe('Opens the page once, within a minute') });

const openApi = z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) });

const error = z
  .looseObject({ statusCode: z.int(), message: z.string(), path: z.string(), timestamp: time })
  .describe('The error format of the service');

/** Every request and response body, by its name in the OpenAPI document. */
export const controlSchemas = {
  Status: status,
  Stopped: stopped,
  ResetRequest: resetBody,
  Reset: reset,
  Clock: clock,
  ClockRequest: clockBody,
  ClockMove: clockMove,
  Message: message,
  MessagePage: messagePage,
  Event: event,
  ActivityPage: activityPage,
  Request: request,
  RequestPage: requestPage,
  Faults: faultState,
  FaultRequest: faultSettings,
  State: sandboxState,
  Seeded: seeded,
  CopiedEnvironment: copiedEnvironment,
  Removed: z.object({ removed: z.literal(true) }),
  Snapshot: snapshot,
  SnapshotRequest: snapshotBody,
  SnapshotList: snapshotList,
  RestoredSnapshot: restoredSnapshot,
  PageLink: pageLink,
  OpenApi: openApi,
  Error: error,
};

export type SchemaName = keyof typeof controlSchemas;

/** The query parameters of a list of messages. */
export const messageQuery = z.object({
  page: whole(0, 1e6).default(0).describe('Number of the page; the first is 0'),
  limit: whole(1, 100).default(10).describe('Messages on a page'),
  subscriberId: z.string().optional().describe('Only messages to this subscriber'),
  channel: z.enum(allChannels).optional().describe('Only messages of this channel'),
  workflow: z.string().optional().describe('Only messages of the workflow with this identifier'),
  transactionId: z.string().optional().describe('Only messages of this transaction'),
  delivered: flag.describe(
    'true: only messages that a service would deliver, to one of their addresses at least',
  ),
  text: flag.describe('true: messages have the member text; that takes longer for e-mails'),
  wait: z
    .string()
    .optional()
    .describe(
      'Wait until `count` messages match, at most this long, such as 4s; when the time is over, the status is 408',
    ),
  count: whole(1, 1e6)
    .optional()
    .describe('The number of messages to wait for, only with wait; by default 1'),
});

/** The query parameters of a list of activity. */
export const activityQuery = z.object({
  page: whole(0, 1e6).default(0).describe('Number of the page; the first is 0'),
  limit: whole(1, 100).default(10).describe('Events on a page'),
  subscriberId: z.string().optional().describe('Only events for this subscriber'),
  channel: z.enum(allChannels).optional().describe('Only steps of this channel'),
  workflow: z.string().optional().describe('Only events of the workflow with this identifier'),
  transactionId: z.string().optional().describe('Only events of this transaction'),
});

/** The query parameters of a list of requests. */
export const requestQuery = z.object({
  page: whole(0, 1e6).default(0).describe('Number of the page; the first is 0'),
  limit: whole(1, 100).default(10).describe('Requests on a page'),
  method: z.string().optional().describe('Only requests with this method'),
  path: z
    .string()
    .optional()
    .describe('Only requests with this path, without the query; * stands for any text'),
  status: whole(100, 599).optional().describe('Only requests with this status'),
  since: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('Only requests from this time on, by the clock of the sandbox'),
  outcome: z
    .enum(requestOutcomes)
    .optional()
    .describe('Only requests that failed, or whose routes the sandbox does not have'),
});

export const exportQuery = z.object({ reveal: flag.describe('Whether to include credentials') });

export type NotEmulatedRoute = z.output<typeof notEmulatedRoute>;
export type SandboxStatus = z.output<typeof status>;
export type ClockState = z.output<typeof clock>;
export type ClockMove = z.output<typeof clockMove>;
export type CapturedMessage = z.output<typeof message>;
export type MessagePage = z.output<typeof messagePage>;
export type TriggeredEvent = z.output<typeof event>;
export type ActivityPage = z.output<typeof activityPage>;
export type RecordedRequest = z.output<typeof request>;
export type RequestPage = z.output<typeof requestPage>;
export type RequestQuery = QueryOf<typeof requestQuery>;
export type CopiedEnvironment = z.output<typeof copiedEnvironment>;
export type PageLink = z.output<typeof pageLink>;
/** A member without a value does not filter. */
type QueryOf<Schema extends z.ZodObject> = {
  [Name in keyof z.output<Schema>]?: string | number | undefined;
};
export type MessageQuery = QueryOf<typeof messageQuery>;
