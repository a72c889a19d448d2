// The public types of a state: the data of a sandbox. The build adds them to the package's type declarations, so this
// file imports nothing. Generated from the schema of state files by npm run docs.

/** A channel of messages. */
export type Channel = IntegrationState['channel'];

export interface SandboxState {
  version: 1;
  /** The mode of the sandbox or server that the state was made for. */
  compat?: 'novu' | 'specification' | undefined;
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
  context?: Record<string, unknown> | undefined;
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
  credentials?: Record<string, unknown> | undefined;
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
  channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push';
  active?: boolean | undefined;
  primary?: boolean | undefined;
  credentials?: Record<string, unknown> | undefined;
  configurations?: Record<string, unknown> | undefined;
  conditions?: Record<string, unknown>[] | undefined;
}
