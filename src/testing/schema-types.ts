// The public types of data: of the state of a sandbox, and of what it captured. The build adds them to the package's type
// declarations, so this file imports nothing. Generated from the schemas of state files and control routes by npm run
// docs.

/** A channel of messages. */
export type Channel = IntegrationState['channel'];

export interface SandboxState {
  version: 1;
  /** The mode of the sandbox or server that the state was made for. */
  compat?: 'novu' | 'specification' | undefined;
  /** The version of the service that the state was made for, in quotes. */
  service?: '3.11' | '3.19' | undefined;
  /** One of them must be Development. */
  environments: EnvironmentState[];
}

export interface EnvironmentState {
  name: string;
  identifier?: string | undefined;
  type?: 'dev' | 'prod' | undefined;
  color?: string | undefined;
  parent?: string | undefined;
  /** Default: in Development, one active integration for each channel. An empty list means none. */
  integrations?: IntegrationState[] | undefined;
  layouts?: LayoutState[] | undefined;
  workflows?: WorkflowState[] | undefined;
  subscribers?: SubscriberState[] | undefined;
  topics?: TopicState[] | undefined;
  contexts?: ContextState[] | undefined;
  /** Past events, which are triggered when the state is loaded. */
  events?: EventState[] | undefined;
}

export interface EventState {
  name: string;
  payload?: Record<string, unknown> | undefined;
  overrides?: Record<string, unknown> | undefined;
  to?: string | Record<string, unknown> | (string | Record<string, unknown>)[] | undefined;
  transactionId?: string | undefined;
  actor?: string | Record<string, unknown> | undefined;
  tenant?: string | Record<string, unknown> | undefined;
  context?: Record<string, string | Record<string, unknown>> | undefined;
  /** How long before the loading it was triggered. */
  ago: string;
  /** When its transaction was canceled, from the event on. */
  cancelAfter?: string | undefined;
  /** The mark of its in-app messages, set when the state is loaded. */
  markAs?: 'read' | 'seen' | 'unread' | 'unseen' | undefined;
}

export interface ContextState {
  type: string;
  id: string;
  data?: Record<string, unknown> | undefined;
}

export interface TopicState {
  key: string;
  name?: string | null | undefined;
  /** Ids of subscribers of the same environment. */
  subscribers?: string[] | undefined;
  /** Further subscriptions, with what the plain ones above do not have. Versions before 3.12 have only their subscribers. */
  subscriptions?: SubscriptionState[] | undefined;
}

export interface SubscriptionState {
  subscriberId: string;
  /** Unique in the environment; by default made of the topic, the subscriber and the contexts. */
  identifier?: string | undefined;
  name?: string | undefined;
  contextKeys?: string[] | undefined;
  /** Which workflows reach the subscriber through it, always or if a condition in JSON logic is met. */
  preferences?: PreferenceState[] | undefined;
}

export interface PreferenceState {
  workflowId: string;
  enabled?: boolean | undefined;
  condition?: Record<string, unknown> | boolean | undefined;
}

export interface SubscriberState {
  subscriberId: string;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  avatar?: string | null | undefined;
  locale?: string | null | undefined;
  timezone?: string | null | undefined;
  data?: Record<string, unknown> | null | undefined;
  credentials?: Record<string, Record<string, unknown>> | undefined;
  preferences?: Record<string, unknown> | undefined;
}

export interface WorkflowState {
  workflowId: string;
  name?: string | undefined;
  description?: string | null | undefined;
  tags?: string[] | null | undefined;
  active?: boolean | undefined;
  validatePayload?: boolean | undefined;
  payloadSchema?: Record<string, unknown> | null | undefined;
  isTranslationEnabled?: boolean | undefined;
  origin?: 'novu-cloud' | 'novu-cloud-v1' | 'external' | undefined;
  severity?: 'high' | 'medium' | 'low' | 'none' | undefined;
  payloadExample?: Record<string, unknown> | null | undefined;
  preferences?: Record<string, unknown> | undefined;
  steps?: StepState[] | undefined;
}

export interface StepState {
  stepId: string;
  name?: string | undefined;
  type:
    | 'in_app'
    | 'email'
    | 'sms'
    | 'chat'
    | 'push'
    | 'digest'
    | 'trigger'
    | 'delay'
    | 'throttle'
    | 'custom'
    | 'http_request'
    | 'tool';
  active?: boolean | undefined;
  controlValues?: Record<string, unknown> | undefined;
  /** The issues that the step is meant to have. Without them, an error in the step is rejected. */
  issues?: Record<string, unknown> | undefined;
  filters?: Record<string, unknown>[] | undefined;
  shouldStopOnFail?: boolean | undefined;
}

export interface LayoutState {
  layoutId: string;
  name?: string | undefined;
  isDefault?: boolean | undefined;
  isTranslationEnabled?: boolean | undefined;
  editorType?: 'block' | 'html' | undefined;
  /** HTML with Liquid, or a block document as JSON text; both contain the variable `content`. */
  body?: string | undefined;
}

export interface IntegrationState {
  identifier: string;
  name: string;
  providerId: string;
  channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push' | 'tool';
  active?: boolean | undefined;
  primary?: boolean | undefined;
  credentials?: Record<string, unknown> | undefined;
  configurations?: Record<string, unknown> | undefined;
  conditions?: Record<string, unknown>[] | undefined;
}

export interface ClockState {
  /** ISO 8601 time in UTC. */
  now: string;
  frozen: boolean;
  /** Milliseconds ahead of the clock of the machine. */
  offset: number;
}

export interface ClockMove {
  /** ISO 8601 time in UTC. */
  now: string;
  frozen: boolean;
  /** Milliseconds ahead of the clock of the machine. */
  offset: number;
  /** Number of jobs that came due and ran. */
  jobsRun: number;
  /** Milliseconds the clock moved; negative if it moved back. */
  movedMs: number;
}

export interface CapturedMessage {
  _id: string;
  /** ISO 8601 time in UTC. */
  createdAt: string;
  channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push' | 'tool';
  subscriberId: string;
  /** The address; null if the subscriber has none for the channel. */
  recipient: string | null;
  provider: string;
  /** A service would deliver messages with the status sent. error: the provider rejects it, for one of its addresses at least; warning: the subscriber has no address. */
  status: 'sent' | 'error' | 'warning';
  errorText?: string | undefined;
  /** Which of several addresses the message did not reach, as text; then it was sent. */
  missedAddresses?: string | undefined;
  /** The address or number of the sender (e-mail, SMS). */
  from?: string | undefined;
  senderName?: string | undefined;
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  replyTo?: string | undefined;
  /** Of an e-mail, without their content. */
  attachments?: Attachment[] | undefined;
  subject?: string | undefined;
  title?: string | undefined;
  /** The rendered content. */
  body: string;
  /** The content as plain text; in a list only with the parameter text=true. */
  text?: string | undefined;
  /** The links in the body, in order, then the redirect and the buttons of an in-app message; text is empty for an address in plain text and for the redirect. */
  links: MessageLink[];
  /** The variables of its templates that were missing or null and have no default. */
  missingVariables?: TemplateVariable[] | undefined;
  /** The variables of its templates that were printed as an object or a list. */
  objectVariables?: TemplateVariable[] | undefined;
  deviceTokens?: string[] | undefined;
  /** Redirect and buttons (in-app). */
  cta?: Record<string, unknown> | undefined;
  read?: boolean | undefined;
  seen?: boolean | undefined;
  archived?: boolean | undefined;
  snoozedUntil?: string | undefined;
  /** The identifier of the workflow. */
  workflow: string;
  transactionId: string;
  payload: Record<string, unknown>;
  overrides: Record<string, unknown>;
}

export interface TemplateVariable {
  /** The control value that contains it, or layout. */
  template: string;
  /** As in the template: payload.name. */
  variable: string;
}

export interface MessageLink {
  url: string;
  text: string;
}

export interface Attachment {
  name: string;
  /** The media type; null if the event does not say it. */
  type: string | null;
  /** In bytes. */
  size: number;
}

export interface TriggeredEvent {
  transactionId: string;
  /** ISO 8601 time in UTC. */
  createdAt: string;
  /** The identifier of the workflow; empty if it was deleted. */
  workflow: string;
  /** The recipient; empty if it was deleted. */
  subscriberId: string;
  /** The channel steps, in order. */
  steps: StepResult[];
}

export interface StepResult {
  channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push' | 'tool';
  verdict: 'delivered' | 'failed' | 'skipped' | 'waiting';
  /** Why it was not delivered, for programs. */
  cause:
    | 'workflow_preference'
    | 'global_preference'
    | 'workflow_default'
    | 'schedule'
    | 'condition'
    | 'missing_email'
    | 'missing_phone'
    | 'missing_channel'
    | 'no_integration'
    | 'inactive_integration'
    | 'no_primary_integration'
    | 'no_active_integration'
    | 'provider_error'
    | 'template_error'
    | 'digest_waiting'
    | 'digest_merged'
    | 'delayed_until'
    | 'canceled'
    | 'throttled'
    | 'halted'
    | 'http_request_failed'
    | 'response_invalid'
    | null;
  /** The result and its cause, as a sentence. */
  message: string;
  /** The execution detail that the cause is read from. */
  detail: string | null;
}

export interface RecordedRequest {
  /** The number of the request since the start or the last reset. */
  id: number;
  /** ISO 8601 time in UTC. */
  time: string;
  method: string;
  /** Without the query. */
  path: string;
  query: Record<string, string>;
  /** The JSON, or the members of a form, with masked secrets; null without a body. */
  body: unknown;
  /** There was a body, but it is too large, or neither JSON nor a form. */
  isBodyOmitted?: true | undefined;
  /** null if a fault closed the connection. */
  status: number | null;
  /** Why the request failed. */
  error?: string | undefined;
  /** The route exists in the service, not in the sandbox. */
  notEmulated?: true | undefined;
}

/** Rates are from 0 to 1. */
export interface FaultState {
  /** Delay of every request in milliseconds. */
  latency?: number | undefined;
  /** The number of requests that fail next with `status` and change nothing; each one lowers it. */
  failNext?: number | undefined;
  /** Rate of requests that fail with `status` and change nothing. */
  fail?: number | undefined;
  /** The status of failed requests; default: 503. */
  status?: number | undefined;
  /** The plan whose rate limits and activity retention apply. */
  rateLimit?: 'free' | 'pro' | 'team' | 'enterprise' | undefined;
  /** Rate of requests whose connection is closed before they are processed. */
  reset?: number | undefined;
  /** Rate of responses whose connection is closed in the middle of the body. */
  truncate?: number | undefined;
  /** Rate of writes that are made, but respond with `status` or a closed connection. */
  afterCommit?: number | undefined;
  /** Steps that send a request get a response with this status, and send nothing. */
  httpStep?: number | undefined;
  /** Rate of jobs that get lost: they are not created, never run, or wait forever. */
  loseJobs?: number | undefined;
  /** Rate of events that are processed twice for a recipient, so that messages repeat. */
  repeatEvents?: number | undefined;
  /** The same seed and the same requests produce the same faults; default: 0. */
  faultSeed?: number | undefined;
  /** The faults of channels and providers. */
  deliveries?: DeliveryFault[] | undefined;
}

export interface DeliveryFault {
  /** Fails deliveries of this channel instead of requests, with failNext or fail. */
  channel?: 'email' | 'sms' | 'chat' | 'push' | 'tool' | undefined;
  /** Fails deliveries through this provider, such as sendgrid, instead of requests. */
  provider?: string | undefined;
  /** The error of the provider that the message and the activity show. */
  error?: string | undefined;
  /** The number of requests that fail next with `status` and change nothing; each one lowers it. */
  failNext?: number | undefined;
  /** Rate of requests that fail with `status` and change nothing. */
  fail?: number | undefined;
  /** The same seed and the same requests produce the same faults; default: 0. */
  faultSeed?: number | undefined;
}
