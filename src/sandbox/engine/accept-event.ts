// From a submitted event to stored runs: judges it as the service does, then writes one run per
// subscriber, carried out until it waits or ends.
import type { z } from 'zod';
import { type TriggerResult, triggerEvent } from '../../api/schemas/events.ts';
import { ensureContext, findContext } from '../store/contexts.ts';
import { insertEvent, isTransactionUsed } from '../store/events.ts';
import type { Scope } from '../store/scope.ts';
import { findWorkflow, recordTriggered, type StoredWorkflow } from '../store/workflows.ts';
import { isCritical } from './channel-preferences.ts';
import { payloadComplaints } from './payload-schema.ts';
import { actorId, addressees, readRecipients, saveAddressee } from './recipients.ts';
import { jobsFor, type RunFacts, startRun } from './start-run.ts';

const eventFacts = triggerEvent.omit({ to: true });
export type EventFacts = z.output<typeof eventFacts>;

type Status =
  | 'trigger_not_active'
  | 'no_workflow_steps_defined'
  | 'no_workflow_active_steps_defined'
  | 'no_tenant_found'
  | 'invalid_recipients';

const failed = (error: string[]): TriggerResult => ({ acknowledged: true, status: 'error', error });
const not = (status: Status): TriggerResult => ({ acknowledged: true, status });

export function acceptEvent(scope: Scope, submitted: unknown): TriggerResult {
  if (typeof submitted !== 'object' || submitted === null)
    return failed(['event is not an object']);
  const { to, ...rest } = submitted as { to?: unknown };
  const facts = eventFacts.safeParse(rest);
  if (!facts.success) return failed(facts.error.issues.map(complaint));
  const recipients = readRecipients(to);
  if ('errors' in recipients) return failed(recipients.errors);

  const event = facts.data;
  const workflow = findWorkflow(scope, 'identifier', event.name);
  if (!workflow) return failed(['workflow_not_found']);
  const complaints = payloadComplaints(workflow, event.payload ?? {});
  if (complaints.length > 0) return failed(complaints);
  const obstacle = obstacleFor(scope, event, workflow);
  if (obstacle) return not(obstacle);
  if ('invalid' in recipients) return not('invalid_recipients');

  const transactionId = event.transactionId ?? scope.ids.transactionId();
  // As the service does it: accepted to all appearance, and dropped.
  if (!isTransactionUsed(scope, transactionId)) {
    insertEvent(scope, { transactionId, workflow: workflow.id, event: submitted });
    startRuns(scope, { event, workflow, transactionId }, recipients.all);
  }
  return { acknowledged: true, status: 'processed', transactionId };
}

function obstacleFor(
  scope: Scope,
  { tenant }: EventFacts,
  { active, steps }: StoredWorkflow,
): Status | undefined {
  if (tenant !== undefined) {
    const identifier = typeof tenant === 'string' ? tenant : tenant.identifier;
    // Tenants are contexts of the type `tenant`: the specification has no other place for them.
    if (!findContext(scope, 'tenant', identifier)) return 'no_tenant_found';
  }
  if (!active) return 'trigger_not_active';
  if (steps.length === 0) return 'no_workflow_steps_defined';
  return steps.some((step) => step.active) ? undefined : 'no_workflow_active_steps_defined';
}

interface Accepted {
  event: EventFacts;
  workflow: StoredWorkflow;
  transactionId: string;
}

function startRuns(
  scope: Scope,
  { event, workflow, transactionId }: Accepted,
  recipients: Parameters<typeof addressees>[1],
): void {
  recordTriggered(scope, workflow.id);
  const actor = actorId(scope, event.actor);
  const facts: RunFacts = {
    workflow,
    transactionId,
    jobs: jobsFor(scope, workflow),
    contextKeys: saveContexts(scope, event.context ?? {}),
    critical: isCritical(workflow),
    payload: event.payload ?? {},
    overrides: event.overrides ?? {},
    ...(actor === undefined ? {} : { actor }),
  };
  for (const addressee of addressees(scope, recipients, actor)) {
    startRun(scope, facts, addressee, saveAddressee(scope, addressee));
  }
}

/** Creates the contexts that are missing; gives the keys of all. */
function saveContexts(scope: Scope, contexts: NonNullable<EventFacts['context']>): string[] {
  return Object.entries(contexts).map(([type, value]) => {
    const { id, data = {} } = typeof value === 'string' ? { id: value } : value;
    ensureContext(scope, type, id, data);
    return `${type}:${id}`;
  });
}

const complaint = ({ path, message }: z.core.$ZodIssue) =>
  [path.join('.'), message].filter(Boolean).join(' ');
