import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { choice, flag, severalOf, text } from '../../cli/options.ts';
import { type ExitReason, exitCodes, usageError } from '../../core/errors.ts';
import { keysOf } from '../../core/objects.ts';
import { counted } from '../../core/text.ts';
import { environmentName, listedEnvironments } from '../../environment/environments.ts';
import * as result from '../../output/result.ts';
import { findingLines } from '../../output/wrap.ts';
import type { ChangeId } from '../../service/servers.ts';
import { isBefore, releases } from '../../service/versions.ts';
import { readServiceVersion } from '../shared/server-facts.ts';

/** `must`: before the upgrade. `should`: with it, or soon after. */
const severityTones = { must: 'bad', should: 'warn', note: 'muted' } as const;
type Severity = keyof typeof severityTones;
const severities = keysOf(severityTones);

/** The severity that a finding has by default. */
const defaultSeverities = {
  'own-environment': 'should',
  'hidden-credentials': 'must',
  'private-bridge': 'must',
  'subscription-identifiers': 'should',
  'workflow-status': 'should',
  'deprecated-route': 'should',
  'refused-route': 'must',
  'failed-command': 'must',
  'other-status': 'should',
  'other-shape': 'should',
} as const satisfies Record<ChangeId, Severity> & Record<string, Severity>;

export interface Finding {
  id: keyof typeof defaultSeverities;
  severity?: Severity;
  /** The thing it is about, such as `integration sendgrid`. */
  thing: string;
  message: string;
  /** The command that helps; by default `svc help upgrade`. */
  next?: string;
}

export interface Upgrade {
  /** The present version, such as 3.11.0. */
  from: string;
  to: string;
}

const fields = ['id', 'severity', 'thing', 'message', 'next'];

export const check = command({
  summary: 'List what to do before the server is upgraded, and change nothing',
  details:
    'svc reads the environment of the API key, and lists what an upgrade of its server affects: integrations whose credentials no key can read afterwards, keys of environments that no profile has, bridges at private addresses, subscriptions of topics that need a migration, and workflows whose status changes. `must` is to be done before the upgrade, `should` with it or soon after. `svc help upgrade` describes each finding.\n\nWith --dir, credentials do not count that the folder of `svc environments pull` has, or refers to by variables with the same values. With --requests, svc reads a log with one request in a line, as JSON with method and path or as `"GET /v1/… HTTP/1.1"`, and lists the routes that the new version advises against. With --run, svc runs the command after `--`, such as the tests of an application, in a sandbox of the present version and in one of the new version, and lists the requests whose responses differ in status or shape. The command gets the variables of `svc sandbox exec`; its output goes to standard error. With --requests or --run, no service is required.',
  arguments: {
    command: {
      syntax: '[command...]',
      summary: 'Command for --run with its arguments, after --',
      complete: 'files',
      tool: false,
    },
  },
  options: {
    to: choice('--to <version>', releases.slice(1), 'Version to upgrade to', {
      defaultText: '3.19',
    }),
    from: choice('--from <version>', releases, 'Present version', {
      defaultText: 'the version that the server reports',
    }),
    dir: text('--dir <folder>', 'Folder of `svc environments pull` that keeps the credentials', {
      complete: 'files',
    }),
    envFile: text('--env-file <file>', 'Read the values of its references from NAME=value lines', {
      complete: 'files',
      tool: false,
    }),
    requests: text('--requests <file>', 'Log of requests; - reads standard input', {
      complete: 'files',
    }),
    run: flag('--run', 'Run the command after -- in a sandbox of each version', { tool: false }),
    seed: text(
      '--seed <file|folder>',
      'Initial data of both sandboxes, as for `svc sandbox exec`',
      { complete: 'files', tool: false },
    ),
    skip: severalOf(
      '--skip <finding>',
      keysOf(defaultSeverities),
      'Leave out findings with this id',
    ),
  },
  output:
    'The findings, the most urgent first; as JSON, [{id, severity, thing, message, next}] with the severity must, should or note. The exit code is 10 if something must be done before the upgrade.',
  fields,
  exitCodes: ['different', 'notExecutable', 'commandNotFound'],
  examples: {
    'svc upgrade check --to 3.19': 'Check the active environment',
    'svc upgrade check --requests requests.ndjson':
      'Also find deprecated routes in a log of requests',
    'svc upgrade check --from 3.11 --run -- svc topics list':
      'Also compare the responses that a command gets from both versions',
  },
  operations: [
    ...(['listEnvironments', 'listIntegrations', 'listLayouts', 'getLayout'] as const),
    ...(['listWorkflows', 'getWorkflow', 'listTopics', 'listTopicSubscriptions'] as const),
  ],
  skipsMissingOperations: true,
  writes: false,
  tool: 'rare',
  gracefulShutdown: ({ options }) => options.run === true,
  async run(context, { args, options }) {
    const { to = '3.19', requests, seed, dir, envFile, skip = [] } = options;
    const [file, ...rest] = (args.command as string[] | undefined) ?? [];
    if (options.run ? file === undefined : file !== undefined)
      throw usageError('--run and a command after -- belong together.', {
        next: ['svc upgrade check --help'],
      });
    if (seed !== undefined && !options.run) throw usageError('--seed is only for --run.');
    if (envFile !== undefined && dir === undefined)
      throw usageError('--env-file is only for --dir.');
    const isChecked = hasService(context, requests !== undefined || options.run === true);
    // Shows a key that is rejected; the version is read without one.
    if (isChecked) await listedEnvironments(context);
    const from = options.from ?? (isChecked ? await presentVersion(context) : undefined);
    if (from === undefined && (isChecked || options.run))
      throw usageError('The present version is unknown.', {
        hint: 'Pass it with --from.',
        next: ['svc upgrade check --from 3.11'],
      });
    if (from !== undefined && isBefore(to, from))
      throw usageError(`The present version, ${from}, is newer than ${to}.`, {
        hint: 'Pass a newer version with --to.',
      });
    const upgrade = { from: from ?? to, to };
    const findings: Finding[] = [];
    if (isChecked) {
      const { environmentFindings } = await import('./environment-findings.ts');
      findings.push(...(await environmentFindings(context, upgrade, { dir, envFile, skip })));
    }
    if (requests !== undefined) {
      const { loggedRequests, routeFindings } = await import('./request-findings.ts');
      findings.push(...(await routeFindings(loggedRequests(context, requests), to)));
    }
    if (file !== undefined) {
      const { runFindings } = await import('./run-findings.ts');
      findings.push(...(await runFindings(context, [file, ...rest], upgrade, seed)));
      const { aborted, reason } = context.host.shutdownSignal;
      if (aborted) return { type: 'none', exitCode: exitCodes[reason as ExitReason].code };
    }
    const kept = findings.filter(({ id }) => !skip.includes(id));
    const title = [
      isChecked ? environmentName(context.connection.place()) : 'No environment was checked',
      from === undefined ? `to ${to}` : `from ${from} to ${to}`,
    ].join(', ');
    return report(context, kept, title);
  },
});

/** Without a service, only requests are checked. Throws if there is nothing else to check. */
function hasService({ connection, note }: Context, isOptional: boolean): boolean {
  if (!isOptional) return connection.target() !== undefined;
  const target = connection.findTarget();
  if (!target) note('No service is selected, so no environment is checked.');
  return target !== undefined;
}

const presentVersion = async (context: Context) =>
  (await readServiceVersion(await context.client())) ?? context.profile()?.profile.serviceVersion;

function report({ host: { stdout }, propose }: Context, found: readonly Finding[], title: string) {
  const all = found.map(({ id, thing, message, ...finding }) => {
    const { severity = defaultSeverities[id], next = 'svc help upgrade' } = finding;
    return { id, severity, thing, message, next: propose(next) };
  });
  const groups = severities.map((severity) => all.filter((one) => one.severity === severity));
  const [must = 0, should = 0, notes = 0] = groups.map(({ length }) => length);
  const findings = groups.flat();
  const total =
    findings.length === 0
      ? 'Nothing to do.'
      : `${must} must be done before the upgrade, ${should} should be done, ${counted(notes, 'note')}.`;
  const longest = Math.max(0, ...findings.map(({ id }) => id.length));
  const lines = findings.flatMap(({ id, severity, thing, message, next }) => {
    const tone = severityTones[severity];
    const head = [{ text: severity.padEnd(8), tone }, { text: `${id.padEnd(longest)}  ` }];
    const finding = { message: `${thing}: ${message}`, fix: next };
    return findingLines(head, finding, stdout.isTty ? stdout.columns : 80);
  });
  return result.report({
    value: findings,
    lines: [`${title}:`, ...lines, total],
    columns: result.fieldColumns(fields),
    ids: [...new Set(findings.map(({ id }) => id))],
    ...(must > 0 ? { end: result.exit('different') } : {}),
  });
}
