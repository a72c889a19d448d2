// The public types of a state: the data of a sandbox. The build adds them to the package's type declarations, so this
// file imports nothing.

/** A channel of messages. */
export type Channel = 'in_app' | 'email' | 'sms' | 'chat' | 'push';

/** The data of a sandbox. `svc schema state` prints its JSON Schema. */
export interface SandboxState {
  version: 1;
  /** The mode of the sandbox or server that the state was made for. */
  compat?: 'novu' | 'specification' | undefined;
  /** One of them must be Development. */
  environments: EnvironmentState[];
}

export interface EnvironmentState {
  name: string;
  /** Default: in Development, one active integration for each channel. An empty list means none. */
  integrations?: IntegrationState[] | undefined;
  layouts?: Record<string, unknown>[] | undefined;
  workflows?: WorkflowState[] | undefined;
  subscribers?: SubscriberState[] | undefined;
  topics?: TopicState[] | undefined;
  contexts?: ContextState[] | undefined;
  /** Past events, which are triggered when the state is loaded. */
  events?: Record<string, unknown>[] | undefined;
  [member: string]: unknown;
}

export interface IntegrationState {
  identifier: string;
  name: string;
  providerId: string;
  channel: Channel;
  active?: boolean | undefined;
  primary?: boolean | undefined;
  [member: string]: unknown;
}

export interface WorkflowState {
  workflowId: string;
  name?: string | undefined;
  active?: boolean | undefined;
  steps?: StepState[] | undefined;
  [member: string]: unknown;
}

export interface StepState {
  stepId: string;
  type: Channel | 'digest' | 'trigger' | 'delay' | 'throttle' | 'custom';
  name?: string | undefined;
  controlValues?: Record<string, unknown> | undefined;
  /** The issues that the step is meant to have. Without them, an error in the step is rejected. */
  issues?: Record<string, unknown> | undefined;
  [member: string]: unknown;
}

export interface SubscriberState {
  subscriberId: string;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  locale?: string | null | undefined;
  timezone?: string | null | undefined;
  data?: Record<string, unknown> | null | undefined;
  [member: string]: unknown;
}

export interface TopicState {
  key: string;
  name?: string | null | undefined;
  /** Ids of subscribers of the same environment. */
  subscribers?: string[] | undefined;
}

export interface ContextState {
  type: string;
  id: string;
  data?: Record<string, unknown> | undefined;
}
