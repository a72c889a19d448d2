// The commands that show more about a verdict, or fix its cause.
import { shellWord } from '../core/text.ts';
import type { ChannelCause } from '../service/job-outcomes.ts';
import { type Subject, workflowIdentifier } from './subject.ts';
import type { StepVerdict } from './verdict.ts';

interface Names {
  subscriber: string;
  workflow: string | undefined;
  transaction: string;
  verdict: StepVerdict;
}

const preferences = ({ subscriber }: Names) => [`svc subscribers preferences get ${subscriber}`];
const workflow = (names: Names) =>
  names.workflow === undefined ? timeline(names) : [`svc workflows get ${names.workflow}`];
const timeline = ({ transaction }: Names) => [`svc activity get ${transaction}`];
const follow = ({ transaction }: Names) => [`svc activity get ${transaction} --follow`];
const integrations = () => ['svc integrations list'];

const commands: Record<ChannelCause, (names: Names) => string[]> = {
  workflow_preference: preferences,
  global_preference: preferences,
  workflow_default: workflow,
  schedule: preferences,
  condition: workflow,
  missing_email: ({ subscriber }) => [`svc subscribers update ${subscriber} --email ADDRESS`],
  missing_phone: ({ subscriber }) => [`svc subscribers update ${subscriber} --phone NUMBER`],
  missing_channel: ({ subscriber, verdict }) => [
    verdict.channel === 'push'
      ? `svc subscribers credentials set ${subscriber} --provider fcm --device-token TOKEN`
      : `svc subscribers credentials set ${subscriber} --provider slack --webhook-url URL`,
  ],
  no_integration: integrations,
  inactive_integration: integrations,
  no_primary_integration: ({ verdict: { integrationId } }) =>
    integrationId === undefined
      ? integrations()
      : [`svc integrations set-primary ${shellWord(integrationId)}`],
  no_active_integration: integrations,
  provider_error: timeline,
  template_error: (names) => [...workflow(names), ...timeline(names)],
  digest_waiting: follow,
  digest_merged: timeline,
  delayed_until: follow,
  canceled: timeline,
  throttled: workflow,
  halted: timeline,
  http_request_failed: (names) => [...workflow(names), ...timeline(names)],
  response_invalid: (names) => [...workflow(names), ...timeline(names)],
};

export function nextCommands({ subscriberId, item }: Subject, verdict: StepVerdict): string[] {
  const identifier = workflowIdentifier(item);
  const names: Names = {
    subscriber: shellWord(subscriberId),
    workflow: identifier === undefined ? undefined : shellWord(identifier),
    transaction: shellWord(item.transactionId),
    verdict,
  };
  if (verdict.digest && verdict.verdict !== 'delivered')
    return [
      `svc activity explain ${names.subscriber} --transaction ${shellWord(verdict.digest.transactionId)}`,
    ];
  if (verdict.cause !== null) return commands[verdict.cause](names);
  return verdict.verdict === 'waiting' ? follow(names) : [];
}
