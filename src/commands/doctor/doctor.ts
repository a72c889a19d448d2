import type { Context } from '../../app/context.ts';
import { withStatusHint } from '../../app/status-hints.ts';
import { newTransactionId, requireOwnResult } from '../../bulk/operations/transaction-ids.ts';
import { command, type Values } from '../../cli/command.ts';
import { flag, text } from '../../cli/options.ts';
import { pollUntil } from '../../core/async.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { joinSentences, shellWord } from '../../core/text.ts';
import { judgeDelivery } from '../../deliveries/outcome.ts';
import { outcomeSpan } from '../../deliveries/outcome-tokens.ts';
import { readActivity } from '../../deliveries/watch.ts';
import * as result from '../../output/result.ts';
import { findingLines } from '../../output/wrap.ts';
import { isFinished } from '../../service/job-outcomes.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { type Check, type Finding, machineChecks, serviceChecks } from './checks.ts';

/** An assistant cannot confirm the event, because the tool only reads. */
const tool = false;

const probeOptions = {
  probe: flag('--probe', 'Also trigger one event and check its jobs; needs --workflow and --to', {
    tool,
  }),
  workflow: text(
    '--workflow <workflow-id>',
    'The workflow that --probe triggers, without payload',
    { complete: 'workflows', tool },
  ),
  to: text('--to <subscriber-id>', 'The subscriber that --probe notifies', {
    complete: 'subscribers',
    tool,
  }),
};

const fields = ['name', 'status', 'message', 'fix'];

export const doctor = command({
  summary: 'Check configuration, key, network and service, and suggest fixes',
  details:
    'svc doctor first checks the configuration file and its permissions, the folders, the settings, the address and the key. Then it sends two requests to check reachability, certificates, proxy, clock, environment and the version of the server, which it stores with the profile. It changes nothing in the service and sends the key only to the service that the key belongs to.\n\nWith --probe, it also triggers one event, which notifies the subscriber, and reports how long the service took to create and to finish its jobs. It does not wait for delays and digests. If no job is created within 30 seconds, or if the message is not delivered, it exits with 9.',
  options: probeOptions,
  output:
    'One line per check: ok, warning, problem or skipped, with a message and how to fix it; as JSON, [{name, status, message, fix}].',
  examples: {
    'svc doctor': 'Find out why svc does not work',
    'svc doctor --probe --workflow welcome --to u1 --yes':
      'Also trigger an event and check that its jobs finish',
    'svc doctor --jq \'.[] | select(.status == "problem")\'': 'Show problems only',
  },
  readExamples: ['svc doctor', 'svc doctor --jq \'.[] | select(.status == "problem")\''],
  fields,
  operations: ['listEnvironments', 'getSubscriberPreferences', 'triggerEvents', 'listActivity'],
  exitCodes: ['notFound', 'undelivered'],
  writes: ({ options }) => options.probe === true,
  tool: 'rare',
  allowInvalidConfig: true,
  async run(context, { options }) {
    const event = probedEvent(options);
    if (event) await confirmProbe(context, event);
    const findings: Finding[] = [];
    for (const check of [...machineChecks, ...serviceChecks(), ...(event ? [probe(event)] : [])]) {
      const blocker = findings.find(blocks(check));
      findings.push(blocker ? skippedFinding(check, blocker) : await runCheck(check, context));
    }
    const { stdout } = context.host;
    const { unicode } = context.settings;
    const width = stdout.isTty ? stdout.columns : 80;
    const problem = findings.find(({ status }) => status === 'problem');
    return result.report({
      value: findings.map(({ exitReason: _exitReason, ...finding }) => finding),
      lines: [
        ...findings.flatMap(({ name, status, message, fix }) => {
          const head = [statusSpan(status, status.padEnd(9), unicode), { text: name.padEnd(15) }];
          return findingLines(head, { message, fix }, width);
        }),
        [statusSpan(problem ? 'problem' : 'ok', verdict(findings), unicode)],
      ],
      columns: result.fieldColumns(fields),
      ids: findings.map(({ name }) => name),
      ...(problem
        ? { end: result.exit(problem.exitReason ?? 'local', { message: verdict(findings) }) }
        : {}),
    });
  },
});

const outcomes = { ok: 'delivered', problem: 'failed', skipped: 'skipped' } as const;

/** A text after the sign of its status. */
const statusSpan = (status: Finding['status'], text: string, unicode: boolean): result.Span =>
  status === 'warning'
    ? { text: `! ${text}`, tone: 'warn' }
    : outcomeSpan(outcomes[status], text, unicode);

function verdict(findings: readonly Finding[]): string {
  const named = (wanted: Finding['status'], noun: string) => {
    const names = findings.filter(({ status }) => status === wanted).map(({ name }) => name);
    const title = names.length === 1 ? noun : `${noun}s`;
    return names.length === 0 ? [] : [`${title} found: ${names.join(', ')}.`];
  };
  const [problems = 'No problems found.'] = named('problem', 'Problem');
  return joinSentences([problems, ...named('warning', 'Warning')]);
}

const blocks =
  ({ needs }: Check) =>
  ({ name, status }: Finding) =>
    status === 'problem' && (needs === 'all' ? name !== 'sandbox' : name === needs);

async function runCheck({ name, run }: Check, context: Context): Promise<Finding> {
  try {
    const { status = 'ok', message, fix = null } = await run(context);
    return { name, status, message, fix };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { hint = '', next = [] } = withStatusHint(error).details;
    const commands = next.map((line) => context.propose(line)).join(' or ');
    const fix = commands === '' ? hint : [hint.replace(/\.$/, ':'), commands].join(' ').trim();
    const { message, exitReason } = error;
    return { name, status: 'problem', message, fix: fix || null, exitReason };
  }
}

const skippedFinding = ({ name }: Check, blocker: Finding): Finding => ({
  name,
  status: 'skipped',
  message: `not checked because of the problem with ${blocker.name}`,
  fix: null,
});

interface ProbedEvent {
  workflow: string;
  subscriberId: string;
}

/** The event to trigger; undefined without --probe. */
function probedEvent({
  probe: isWanted,
  workflow,
  to: subscriberId,
}: Partial<Values<typeof probeOptions>>): ProbedEvent | undefined {
  if (isWanted) {
    if (workflow !== undefined && subscriberId !== undefined) return { workflow, subscriberId };
    const orPlaceholder = (value: string | undefined, name: string) =>
      value === undefined ? name : shellWord(value);
    throw usageError('--probe needs --workflow and --to.', {
      next: [
        `svc doctor --probe --workflow ${orPlaceholder(workflow, '<workflow-id>')} --to ${orPlaceholder(subscriberId, '<subscriber-id>')}`,
      ],
    });
  }
  const unused = workflow === undefined ? subscriberId && '--to' : '--workflow';
  if (unused) throw usageError(`${unused} is only for --probe.`);
  return undefined;
}

async function confirmProbe(
  context: Context,
  { workflow, subscriberId }: ProbedEvent,
): Promise<void> {
  try {
    context.connection.target();
  } catch {
    // The other checks report the problem, and the event is not triggered.
    return;
  }
  await context.confirm(`Trigger ${workflow} for ${subscriberId}`);
}

const polling = { firstMs: 100, maxMs: 1_000 };
/** For the first job, and then for the last one. */
const patienceMs = 30_000;

const probe = (event: ProbedEvent): Check => ({
  name: 'probe',
  needs: 'all',
  run: (context) => runProbe(context, event),
});

async function runProbe(context: Context, { workflow, subscriberId }: ProbedEvent) {
  const { clock, shutdownSignal } = context.host;
  const client = await context.client();
  // The service would create a subscriber that does not exist.
  await client.call('getSubscriberPreferences', { path: { subscriberId } });
  const transactionId = newTransactionId(context.host);
  const event = { name: workflow, to: [{ subscriberId }], payload: {}, transactionId };
  const startedAt = clock.ticks();
  const [accepted] = await client.call('triggerEvents', { body: { events: [event] } });
  requireOwnResult(transactionId, accepted);
  const what = `event ${workflow} for ${subscriberId} ${context.connection.place()}`;
  if (accepted?.status !== 'processed') {
    const reason = [accepted?.status, ...[accepted?.error ?? []].flat()].join(': ');
    throw new SvcError('refused', `${what}: not triggered: ${reason}`, {
      next: [`svc workflows get ${shellWord(workflow)}`],
    });
  }
  const elapsed = () => clock.ticks() - startedAt;
  const undelivered = (message: string, command: string) =>
    new SvcError('undelivered', `${what}: ${message}`, { next: [command] });
  const show = `svc activity get ${shellWord(transactionId)}`;
  const acceptedMs = elapsed();
  let createdMs: number | undefined;
  return pollUntil({ ...polling, clock, signal: shutdownSignal }, async () => {
    const [item] = await readActivity(context, transactionId);
    const jobs = item?.jobs ?? [];
    if (jobs.length > 0) createdMs ??= elapsed();
    const times = `accepted after ${seconds(acceptedMs)}, jobs created after ${seconds(createdMs ?? 0)}`;
    const waiting = jobs.find(({ status }) => status === 'delayed');
    if (waiting)
      return {
        message: `${what}: ${times}; the steps after its ${waiting.type} were not waited for`,
      };
    if (item && jobs.length > 0 && jobs.every(isFinished)) {
      const reasons = findFailure(item);
      const message = `${times}, finished after ${seconds(elapsed())}`;
      if (reasons === undefined) return { message: `${what}: ${message}, delivered` };
      const explain = `svc activity explain ${shellWord(subscriberId)} --transaction ${shellWord(transactionId)}`;
      throw undelivered(`${message}, not delivered: ${reasons}`, explain);
    }
    if (elapsed() > (createdMs ?? 0) + patienceMs) {
      const job = jobs.find((candidate) => !isFinished(candidate));
      const state =
        job === undefined
          ? `accepted, but no job after ${patienceMs / 1_000} s`
          : `${times}, but ${job.type} is ${job.status} after ${patienceMs / 1_000} s`;
      throw undelivered(`${state}: is the worker running?`, show);
    }
    return undefined;
  });
}

/** Why the message was not delivered; undefined if it was. */
function findFailure(item: ActivityItem): string | undefined {
  const { outcome, reasons } = judgeDelivery(item, { goal: 'settled', required: [] });
  return outcome === 'undelivered' ? reasons.join('; ') || 'no step sent a message' : undefined;
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
