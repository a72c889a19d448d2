import type { Context } from '../../app/context.ts';
import { withStatusHint } from '../../app/status-hints.ts';
import { command } from '../../cli/command.ts';
import { SvcError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import { findingLines } from '../../output/wrap.ts';
import { type Check, type Finding, machineChecks, serviceChecks } from './checks.ts';
import { confirmProbe, probe, probedEvent, probeOptions } from './probe.ts';

const fields = ['name', 'status', 'message', 'fix'];

export const doctor = command({
  summary: 'Check configuration, key, network and service, and suggest fixes',
  details:
    'svc doctor first checks the configuration file and its permissions, the folders, the settings, the address and the key. Then it sends two requests to check reachability, certificates, proxy, clock, environment and the version of the server, which it stores with the profile. It changes nothing in the service and sends the key only to the service that the key belongs to.\n\nWith --probe, it also triggers one event, which notifies the subscriber, and reports how long the service took to create and to finish its jobs. It does not wait for delays and digests. If no job is created within 30 seconds, or if the message is not delivered, it exits with 9.',
  options: probeOptions,
  output:
    'One line per check: ok, warning, problem or skipped, with a message and how to fix it; as JSON, [{name, status, message, fix}].',
  examples: [
    { line: 'svc doctor', description: 'Find out why svc does not work', isRead: true },
    {
      line: 'svc doctor --probe --workflow welcome --to u1 --yes',
      description: 'Also trigger an event and check that its jobs finish',
    },
    {
      line: 'svc doctor --jq \'.[] | select(.status == "problem")\'',
      description: 'Show problems only',
      isRead: true,
    },
  ],
  fields,
  operations: ['listEnvironments', 'getSubscriberPreferences', 'triggerEvents', 'listActivity'],
  exitCodes: ['notFound', 'undelivered'],
  writes: ({ options }) => options.probe === true,
  tool: 'read',
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
    const width = stdout.isTty ? stdout.columns : 80;
    const problem = findings.find(({ status }) => status === 'problem');
    return result.report({
      value: findings.map(({ exitReason: _exitReason, ...finding }) => finding),
      lines: findings.flatMap(({ name, status, message, fix }) =>
        findingLines(`${status.padEnd(8)}  ${name.padEnd(13)}  `, { message, fix }, width),
      ),
      columns: result.fieldColumns(fields),
      ids: findings.map(({ name }) => name),
      ...(problem
        ? { end: result.exit(problem.exitReason ?? 'local', { message: problemsText(findings) }) }
        : {}),
    });
  },
});

function problemsText(findings: readonly Finding[]): string {
  const names = findings.filter(({ status }) => status === 'problem').map(({ name }) => name);
  return `${names.length === 1 ? 'Problem' : 'Problems'} found: ${names.join(', ')}.`;
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
    const commands = next.map((line) => context.followUps.line(line)).join(' or ');
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
