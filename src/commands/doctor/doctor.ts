// `svc doctor`

import type { Context } from '../../app/context.ts';
import { statusHints } from '../../app/status-hints.ts';
import { command } from '../../cli/command.ts';
import { SvcError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import type { Check, Finding } from './finding.ts';
import { findingLines } from './lines.ts';
import { machineChecks } from './machine.ts';
import { serviceChecks } from './service.ts';

export const doctor = command({
  summary: 'Check configuration, key, network and service, and suggest fixes',
  details:
    'Looks at the configuration file and who can read it, the folders, the settings, the address and the key, then asks the service: reachability, certificates, proxy, clock, environment. Reads only; the key is sent to its service alone.',
  output:
    'One line for each check: ok, warning, problem or skipped, with what was found and what to do; as data, [{check, state, found, remedy}].',
  exitCodes: ['local'],
  examples: [
    { line: 'svc doctor', description: 'When something does not work' },
    {
      line: 'svc doctor --jq \'.[] | select(.state == "problem")\'',
      description: 'Problems alone',
    },
  ],
  fields: ['check', 'state', 'found', 'remedy'],
  operations: ['listEnvironments'],
  writes: false,
  allowInvalidConfig: true,
  async run(context) {
    const findings: Finding[] = [];
    for (const check of machineChecks) findings.push(await carriedOut(check, context));
    for (const check of serviceChecks()) {
      const blocked = findings.find(
        ({ state, check: name }) => state === 'problem' && name !== 'sandbox',
      );
      findings.push(blocked ? skipped(check, blocked) : await carriedOut(check, context));
    }
    const { stdout } = context.host;
    const width = stdout.isTty ? stdout.columns : 80;
    const problem = findings.find(({ state }) => state === 'problem');
    return result.report({
      value: findings.map(({ exitReason: _ending, ...finding }) => finding),
      lines: findings.flatMap((finding) => findingLines(finding, width)),
      columns: ['check', 'state', 'found', 'remedy'].map((field) => ({
        field,
        header: field,
      })) as never,
      ids: findings.map(({ check }) => check),
      ...(problem
        ? { exitReason: problem.exitReason ?? 'local', failure: { message: problemsOf(findings) } }
        : {}),
    });
  },
});

function problemsOf(findings: readonly Finding[]): string {
  const checks = findings.filter(({ state }) => state === 'problem').map(({ check }) => check);
  return `There ${checks.length === 1 ? 'is a problem' : 'are problems'}: ${checks.join(', ')}.`;
}

async function carriedOut({ name, look }: Check, context: Context): Promise<Finding> {
  try {
    const { state = 'ok', found, remedy = null } = await look(context);
    return { check: name, state, found, remedy };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { hint, status, next = [] } = error.details;
    const advice = hint ?? (status === undefined ? undefined : statusHints[status]);
    const remedy = [advice, next.join(' or ')].filter(Boolean).join(' ') || null;
    return {
      check: name,
      state: 'problem',
      found: error.message,
      remedy,
      exitReason: error.exitReason,
    };
  }
}

const skipped = ({ name }: Check, { check }: Finding): Finding => ({
  check: name,
  state: 'skipped',
  found: `waits for ${check}`,
  remedy: null,
});
