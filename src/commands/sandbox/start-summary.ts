// The output of `svc sandbox start`, and the page that it opens.
import type { Context } from '../../app/context.ts';
import { isLoopback } from '../../core/loopback.ts';
import type { Seed } from '../../environment/sandbox-state.ts';
import { outputShape } from '../../output/printer.ts';
import type { Line, ReportEnd } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import { openSecretLink } from '../../platform/open-browser.ts';
import { connectControl, linkLifetimeMs } from '../../sandbox/control/client.ts';
import type { Mode } from '../../service/mode.ts';
import type { SandboxVersion } from '../../service/versions.ts';
import { givenMode } from './open-server.ts';
import { reportUnmarkedConditions } from './seed-files.ts';
import type { StartOptions } from './start-options.ts';

export interface StartedSandbox {
  baseUrl: string;
  key: string;
  /** Null with --no-profile. */
  profile: string | null;
  pid: number | null;
  /** The mode. */
  compat: Mode;
  /** The version of the service that it behaves like. */
  service: SandboxVersion;
  /** The address of the page. Null if the sandbox does not listen on loopback only. */
  page: string | null;
}

interface Summary {
  heading: string;
  /** The lines below those of the connection. */
  footer?: readonly string[];
  /** Whether to open the page. */
  open: boolean | undefined;
  /** Runs after the output is printed. */
  work?: Extract<ReportEnd, { type: 'work' }>['run'];
}

/** The report of a running sandbox. On a terminal it contains a link to the page that works once. */
export async function startedReport(
  context: Context,
  value: StartedSandbox,
  { heading, footer = [], open = false, work = async () => 'ok' }: Summary,
) {
  const isForPerson = outputShape(context) === 'table';
  const url = isForPerson || open ? await createPageLink(context, value) : null;
  const completed = open ? { ...value, url } : value;
  return result.report({
    value: completed,
    lines: [heading, ...connectionLines(context, value, url), ...footer],
    ids: [value.baseUrl],
    tsv: connectionTsv(completed),
    end: {
      type: 'work',
      run: async () => {
        if (open) await openPage(context, value);
        return work();
      },
    },
  });
}

/** Opens the page with a link of its own, so that the printed one still works. */
async function openPage(context: Context, value: StartedSandbox): Promise<void> {
  const link = await createPageLink(context, value);
  if (link === null)
    return context.warn(
      'The page cannot be opened: the sandbox does not listen on loopback only, or svc cannot reach it.',
    );
  if (await openSecretLink(context.host, link, linkLifetimeMs)) return;
  context.warn('No browser could be started. Open the link above in a browser within a minute.');
}

/** Null if the sandbox has no page, or a proxy keeps svc from it: the sandbox still runs. */
async function createPageLink(
  { connection }: Context,
  { baseUrl, key, page }: StartedSandbox,
): Promise<string | null> {
  if (page === null) return null;
  const client = await connection.clientFor(baseUrl, key, { retries: 0 });
  const link = await connectControl(client)
    .createPageLink()
    .catch(() => undefined);
  return link?.url ?? null;
}

/** Returns lines with the version, the mode, the page, the key, the profile and the command that selects the sandbox. */
function connectionLines(
  { configuration }: Context,
  { baseUrl, key, profile, compat, service, page }: StartedSandbox,
  link: string | null,
): Line[] {
  const later = `${openCommand(profile)}${profile === null ? ' (with these variables set)' : ''}`;
  const facts = [
    `Service  ${service}`,
    ...(compat === 'novu' ? [] : [`Mode     ${compat}`]),
    ...(page === null
      ? []
      : link === null
        ? [`Page     ${later}`]
        : [`Page     ${link}`, `         works once, within a minute; then: ${later}`]),
  ];
  const isCurrent = profile !== null && configuration.read().current === profile;
  const use =
    profile === null
      ? [`Use it   export SVC_BASE_URL=${baseUrl} SVC_API_KEY=${key}`]
      : [
          `Profile  ${profile}${isCurrent ? ' (current)' : ''}`,
          `Use it   export SVC_PROFILE=${profile}`,
        ];
  return [...facts, `Key      ${key}`, ...use].map((text) => [{ text }]);
}

const openCommand = (profile: string | null) =>
  `svc sandbox open${profile === null ? '' : ` -p ${profile}`}`;

/** The lines in a pipe: the value, with the command that opens the page instead of its address. */
const connectionTsv = (value: StartedSandbox): string =>
  Object.entries({ ...value, page: value.page === null ? null : openCommand(value.profile) })
    .map(([name, text]) => `${name}\t${text ?? ''}`)
    .join('\n');

/** Unless the mode is given: notes that the sandbox got its mode from --seed, or warns that conditions in it name none. */
export async function noteSeedMode(
  context: Context,
  { compat, seed: file = '' }: StartOptions,
  seed: Seed | undefined,
  mode: Mode,
): Promise<void> {
  if (!seed || givenMode(context, compat) !== undefined) return;
  if (seed.state.compat === 'specification')
    context.note(`${file} has the mark \`${seed.markOf(mode)}\`, so the sandbox has that mode.`);
  await reportUnmarkedConditions(context, seed, file, mode);
}

/** Warns if other machines can reach the sandbox. */
export function noteOtherMachines(context: Context, { host }: StartOptions): void {
  if (host === undefined || isLoopback(host)) return;
  context.note(
    `Warning: other machines can reach a sandbox that listens on ${host}. Requests need its key and are not encrypted.`,
  );
}

/** Prints a note if the next command would use another service than the sandbox. */
export function noteOtherTarget(
  { configuration, note, host }: Context,
  profile: string | null,
): void {
  if (profile === null) return;
  const { SVC_BASE_URL, SVC_PROFILE } = host.env;
  const { current } = configuration.read();
  const use = `use --profile ${profile}`;
  if (SVC_BASE_URL) note(`SVC_BASE_URL is set to ${SVC_BASE_URL}: ${use}, or unset it`);
  else if (SVC_PROFILE) {
    if (SVC_PROFILE !== profile) note(`SVC_PROFILE is set to ${SVC_PROFILE}: ${use}, or unset it`);
  } else if (current !== undefined && current !== profile) {
    note(`Profile ${current} is still current: ${use}, or \`svc profiles use ${profile}\``);
  }
}
