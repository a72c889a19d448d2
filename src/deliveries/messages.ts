// One sentence for each cause, for people. Times are ISO times.
import type { ChannelCause } from '../service/job-outcomes.ts';
import type { StepVerdict } from './verdict.ts';

const channelNames: Record<string, string> = {
  in_app: 'in-app notification',
  email: 'e-mail',
  sms: 'SMS',
  chat: 'chat message',
  push: 'push notification',
  tool: 'message to a tool',
};

export const channelName = (channel: string) =>
  (Object.hasOwn(channelNames, channel) ? channelNames[channel] : undefined) ?? channel;

const adjectives: Record<string, string> = { in_app: 'in-app', email: 'e-mail', sms: 'SMS' };

/** The channel before a noun: `e-mail integration`. */
export const channelAdjective = (channel: string) =>
  (Object.hasOwn(adjectives, channel) ? adjectives[channel] : undefined) ?? channel;

type Texts = Record<ChannelCause, (verdict: StepVerdict & { name: string }) => string>;

const because = (reason: string | undefined) => (reason === undefined ? '' : `: ${reason}`);
const until = (time: string | undefined) => (time === undefined ? '' : ` until ${time}`);

const texts: Texts = {
  workflow_preference: ({ name }) => `The subscriber turned off ${name} for this workflow`,
  global_preference: ({ name }) => `The subscriber turned off ${name} for all workflows`,
  workflow_default: ({ name }) => `The workflow had ${name} turned off`,
  schedule: ({ reason }) => `The step ran outside the subscriber's schedule${because(reason)}`,
  condition: () => 'The conditions of the step skipped it',
  missing_email: () => 'The subscriber had no e-mail address',
  missing_phone: () => 'The subscriber had no phone number',
  missing_channel: ({ channel }) =>
    channel === 'push'
      ? 'The subscriber had no device token for push'
      : `The subscriber had no ${channel} channel`,
  no_integration: ({ name }) => `No integration existed for ${name}`,
  inactive_integration: ({ name }) => `Every integration for ${name} was inactive`,
  no_primary_integration: ({ name }) => `No integration for ${name} was primary`,
  no_active_integration: ({ name, reason }) =>
    `No active integration could deliver ${name}${because(reason)}`,
  provider_error: ({ reason }) => `The provider returned an error${because(reason)}`,
  template_error: ({ reason }) => `The content could not be rendered${because(reason)}`,
  digest_waiting: (verdict) => `The event waits in a digest${until(verdict.until)}`,
  digest_merged: ({ reason }) =>
    `The event was merged into the digest of ${reason ?? 'an earlier event'}`,
  delayed_until: (verdict) => `The event waits in a delay${until(verdict.until)}`,
  canceled: () => 'The event was canceled before this step ran',
  throttled: (verdict) =>
    `The workflow is throttled${verdict.until === undefined ? '' : `: no more events pass until ${verdict.until}`}`,
  halted: ({ reason }) => `An earlier step failed and stopped the workflow${because(reason)}`,
  http_request_failed: ({ reason }) => `The HTTP request failed${because(reason)}`,
  response_invalid: ({ reason }) =>
    `The response to the HTTP request does not match the schema of the step${because(reason)}`,
};

/** The message of a verdict, as a sentence or two. */
export function verdictMessage(verdict: StepVerdict): string {
  const { digest } = verdict;
  if (digest === undefined) return ownMessage(verdict);
  const where = `In the digest of ${digest.at || digest.transactionId}`;
  if (verdict.verdict === 'waiting') return `${where}, waiting${until(verdict.until)}.`;
  const why = verdict.cause === null ? '' : ` ${ownMessage(verdict)}`;
  return `${where}, ${verdict.verdict}.${why}`;
}

function ownMessage(verdict: StepVerdict): string {
  const { cause, verdict: word, channel, reason } = verdict;
  if (cause !== null)
    return sentence(texts[cause]({ ...verdict, name: channelAdjective(channel) }));
  if (word === 'delivered') return `The ${channelName(channel)} was sent.`;
  return sentence(`The step has not run yet${reason === undefined ? '' : ` (${reason})`}`);
}

const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);
