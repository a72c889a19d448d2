// Reads an environment, or its workflows and layouts alone, and writes them to a folder.

import type { Context } from '../app/context.ts';
import { usageError } from '../core/errors.ts';
import type { JsonObject } from '../core/objects.ts';
import { counted, listText, shellWord } from '../core/text.ts';
import * as result from '../output/result.ts';
import { createAccess, isNotLater, noteLost, noteMissing, readAllKinds } from './access.ts';
import {
  type CredentialTypes,
  credentialTypes,
  type GivenCredentials,
  inAppChannel,
  isReference,
  requiredReferences,
  secretReference,
  toFileCredentials,
} from './credentials.ts';
import { environmentName } from './environments.ts';
import { type EnvironmentFolder, openEnvironmentFolder } from './folder.ts';
import {
  applyChanges,
  type FolderChange,
  findChanges,
  type PulledFolder,
  readPrevious,
} from './folder-changes.ts';
import { listFileName } from './list-files.ts';
import { noteUnknown } from './read-definitions.ts';
import {
  createRemoteReader,
  type FoundDefinition,
  type FoundResource,
  type RemoteReader,
  readAllDefinitions,
  type Separated,
  type SkippedResource,
  skippedEnd,
  skippedHint,
  withLayouts,
} from './remote.ts';
import {
  credentialsOf,
  keyText,
  type NormalIntegration,
  type Resource,
  readKinds,
  resourceKinds,
} from './resource.ts';
import { invalidFilesError, openSafeFolder } from './safe-folder.ts';

interface PullRequest {
  dir: string;
  deleteOthers: boolean;
}

interface EnvironmentPull extends PullRequest {
  /** The kinds to pull; undefined for all. */
  only: readonly string[] | undefined;
  /** Whether a workflow that is defined elsewhere makes the command exit with 3. */
  isStrict: boolean;
}

/** Writes all that files can contain to the folder of an environment. */
export async function pullEnvironment(
  context: Context,
  { dir, only, deleteOthers, isStrict }: EnvironmentPull,
) {
  const wanted = readKinds(only);
  const kinds = resourceKinds.filter((kind) => wanted?.includes(kind) ?? true);
  const folder = openEnvironmentFolder(dir, context.host.cwd);
  // Refuses an unsafe folder before the first request.
  folder.root.names();
  folder.workflows.names();
  const service = await context.connection.service();
  const reader = createRemoteReader(service.client);
  const access = createAccess(service, reader);
  const { usable, skipped, missing } = await readAllKinds(access, kinds, wanted !== undefined);
  const isKept = folder.root.kindOf(listFileName('variable')) !== 'absent';
  noteMissing(context, 'pulled', isKept ? missing : missing.filter(isNotLater));
  noteLost(context, usable);
  const agents = access.integration.leftOut?.() ?? [];
  if (agents.length > 0)
    context.note(`Not pulled, because files have no agents: ${listText(agents)}.`);
  const { resources, reasons, isHidden } = withReferences(usable, folder, await credentialTypes());
  if (isHidden)
    context.note(
      'The service shows no credentials. Those in integrations.yaml are kept; new integrations refer to a variable for each credential that their provider requires.',
    );
  const { others, report } = await writeFiles(context, {
    folder,
    dir,
    skipped,
    reasons,
    isStrict,
    input: {
      kinds: kinds.filter((kind) => !missing.includes(kind)),
      resources,
      deleteOthers,
      mode: await reader.mode(),
    },
  });
  if (!deleteOthers && others.length > 0)
    context.note(
      `Not in the environment: ${others.join(', ')}. To remove them: ${context.propose(`svc environments pull ${shellWord(dir)} --delete`)}`,
    );
  return report;
}

interface WorkflowPull extends PullRequest {
  /** Empty for all workflows and layouts. */
  workflowIds: readonly string[];
  /** Throws the error for a workflow that does not exist. */
  requireWorkflow(id: string): Promise<unknown>;
}

/** Writes workflows and layouts to a folder: all, or those named with the layouts that they use. */
export async function pullWorkflows(
  context: Context,
  { workflowIds, dir, deleteOthers, requireWorkflow }: WorkflowPull,
) {
  const isAll = workflowIds.length === 0;
  if (deleteOthers && !isAll)
    throw usageError('--delete cannot be combined with workflow ids.', {
      hint: '--delete compares the whole folder with the environment. Omit the workflow ids.',
    });
  const workflows = openSafeFolder(dir, context.host.cwd, dir);
  workflows.names();
  const reader = createRemoteReader(await context.client());
  const { usable, skipped } = isAll
    ? await readAllDefinitions(reader)
    : await findNamed(reader, workflowIds, requireWorkflow);
  const { others, report } = await writeFiles(context, {
    folder: { shownAs: dir, root: undefined, workflows },
    dir,
    skipped,
    isStrict: true,
    input: {
      kinds: ['workflow', 'layout'],
      resources: usable.map(({ resource }) => resource),
      deleteOthers,
      mode: await reader.mode(),
    },
  });
  if (!deleteOthers && isAll && others.length > 0)
    context.note(
      `${counted(others.length, 'file')} in ${dir} ${others.length === 1 ? 'is' : 'are'} not in the environment: ${others.join(', ')}. To remove such files: ${context.propose('svc workflows pull --delete')}`,
    );
  return report;
}

interface Files {
  folder: PulledFolder;
  dir: string;
  input: Parameters<typeof findChanges>[1];
  skipped: readonly SkippedResource[];
  isStrict: boolean;
  /** The facts that are unknown of new integrations, by id. */
  reasons?: ReadonlyMap<string, string>;
}

/** Asks before files are removed, and writes the files. */
async function writeFiles(
  context: Context,
  { folder, dir, input, skipped, isStrict, reasons }: Files,
) {
  noteUnknown(context, input.resources);
  const found = findChanges(folder, input);
  const { others, removals, lacksGitAttributes } = found;
  const changes = found.changes.map((change) => {
    const reason = change.kind === 'integration' ? reasons?.get(change.id) : undefined;
    return reason === undefined ? change : { ...change, reason };
  });
  const deleted = changes.filter(({ result: outcome }) => outcome === 'deleted');
  // A workflow can have several files. In a whole environment, a file can have several resources.
  const count = folder.root
    ? counted(deleted.length, 'resource')
    : counted(removals.length, 'file');
  if (deleted.length > 0)
    await context.confirm(
      `Remove ${count} from ${dir}, because ${listText(deleted.map(keyText))} ${deleted.length === 1 ? 'does' : 'do'} not exist ${context.connection.place()}`,
    );
  if (context.globals.dryRun === undefined) applyChanges(found);
  if (lacksGitAttributes)
    context.note(
      `${dir}/.gitattributes lacks the line \`* -text\`, so Git may change line breaks.`,
    );
  return { others, report: pullReport(context, { changes, skipped, isStrict, dir }) };
}

/**
 * Integrations and variables with references in the place of secrets; those that the file has are kept. A service that shows no
 * credentials changes nothing in the file. `reasons`: what is not known of new integrations, by id.
 */
function withReferences(
  resources: readonly FoundResource[],
  folder: EnvironmentFolder,
  types: CredentialTypes,
): { resources: Resource[]; reasons: ReadonlyMap<string, string>; isHidden: boolean } {
  const file = readPrevious(folder, 'integration');
  const variableFile = readPrevious(folder, 'variable');
  const previous = new Map(
    [...file.resources, ...variableFile.resources].map((resource) => [
      keyText(resource),
      credentialsOf(resource) ?? {},
    ]),
  );
  const used = new Set(
    [...previous.values()].flatMap((credentials) =>
      Object.values(credentials).flatMap((value) => (isReference(value) ? [value.$env] : [])),
    ),
  );
  const reasons = new Map<string, string>();
  let isHidden = false;
  let hasSecrets = false;
  const toCredentials = ({ resource, response }: FoundResource): GivenCredentials => {
    const { id, value } = resource;
    const kept = previous.get(keyText(resource));
    if (response.credentials !== undefined)
      return toFileCredentials(id, response.credentials as JsonObject, { kept, types, used });
    if (id !== inAppChannel) isHidden = true;
    if (kept) return kept;
    const { providerId = '' } = value as NormalIntegration;
    const required = requiredReferences(id, providerId, { types, used });
    const names = Object.values(required).map(({ $env }) => $env);
    if (names.length > 0)
      reasons.set(id, `its credentials are not readable; it refers to ${listText(names)}`);
    return required;
  };
  const all = resources
    .toSorted(({ resource: a }, { resource: b }) => (a.id < b.id ? -1 : 1))
    .map((found): Resource => {
      const { resource } = found;
      if (resource.kind === 'variable' && resource.value.isSecret) {
        hasSecrets = true;
        const value = previous.get(keyText(resource))?.value ?? secretReference(resource.id, used);
        return { ...resource, credentials: { value } };
      }
      if (resource.kind !== 'integration') return resource;
      return { ...resource, credentials: toCredentials(found) };
    });
  // A file with mistakes may have references that would be lost.
  const problems = [
    ...(isHidden ? file.problems : []),
    ...(hasSecrets ? variableFile.problems : []),
  ];
  if (problems.length > 0) throw invalidFilesError(folder.shownAs, problems);
  return { resources: all, reasons, isHidden };
}

/** The named workflows and the layouts that they use. */
async function findNamed(
  reader: RemoteReader,
  ids: readonly string[],
  requireWorkflow: WorkflowPull['requireWorkflow'],
): Promise<Separated> {
  const workflows = new Map<string, FoundDefinition>();
  for (const id of ids) {
    const workflow = await reader.find('workflow', id);
    if (!workflow) await requireWorkflow(id);
    else workflows.set(workflow.resource.id, workflow);
  }
  return withLayouts(reader, [...workflows.values()]);
}

// The report of a pull.

interface PulledFile extends Omit<FolderChange, 'result' | 'file'> {
  result: FolderChange['result'] | 'skipped';
  /** Null if it was skipped. */
  file: string | null;
  reason: string | null;
}

interface Pulled {
  changes: readonly (FolderChange & { reason?: string })[];
  skipped: readonly SkippedResource[];
  isStrict: boolean;
  dir: string;
}

function pullReport(context: Context, { changes, skipped, isStrict, dir }: Pulled) {
  const failing = skipped.filter(({ isElsewhere }) => isStrict || !isElsewhere);
  const rows: PulledFile[] = [
    ...changes.map((change) => ({ ...change, reason: change.reason ?? null })),
    ...skipped.map(({ isElsewhere: _isElsewhere, ...item }) => ({
      ...item,
      result: 'skipped' as const,
      file: null,
    })),
  ];
  const count = (outcome: PulledFile['result']) =>
    rows.filter((row) => row.result === outcome).length;
  const counts = (['created', 'updated', 'deleted', 'unchanged', 'skipped'] as const)
    .filter((outcome) => count(outcome) > 0)
    .map((outcome) => `${count(outcome)} ${outcome}`);
  const marks = { created: '+', updated: '~', deleted: '-' } as const;
  const tones = { created: 'good', updated: 'warn', deleted: 'bad' } as const;
  const changed = rows.flatMap((row) =>
    row.result === 'unchanged' || row.result === 'skipped'
      ? []
      : [
          [
            { text: `${marks[row.result]} `, tone: tones[row.result] },
            { text: `${dir}/${row.file}${inList(row) ? `: ${row.id}` : ''}` },
            ...(row.reason === null ? [] : [{ text: `: ${row.reason}` }]),
          ],
        ],
  );
  const verb = context.globals.dryRun === undefined ? 'Pulled' : 'Would pull';
  return result.report({
    value: rows,
    lines: [
      ...changed,
      ...skipped.map(({ kind, id, reason }) => `Skipped ${kind} ${id}: ${reason}.`),
      ...(failing.length > 0 ? [skippedHint(context.propose)] : []),
      `${verb} from ${environmentName(context.connection.place())} to ${dir}: ${counts.join(', ') || 'nothing'}.`,
    ],
    ids: rows.map(({ id }) => id),
    columns: result.fieldColumns(['kind', 'id', 'result', 'file', 'reason']),
    ...(failing.length > 0 ? { end: skippedEnd(context.propose, failing) } : {}),
  });
}

/** Whether the file contains several resources. */
const inList = ({ kind }: PulledFile) => kind !== 'workflow' && kind !== 'layout';
