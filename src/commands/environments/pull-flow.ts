// Reads an environment and writes all that files can contain to a folder.

import type { Context } from '../../app/context.ts';
import type { JsonObject } from '../../core/objects.ts';
import { listText } from '../../core/text.ts';
import {
  type CredentialTypes,
  type GivenCredentials,
  inAppChannel,
  isReference,
  requiredReferences,
  toFileCredentials,
} from '../../environment-files/credentials.ts';
import {
  type EnvironmentFolder,
  openEnvironmentFolder,
} from '../../environment-files/environment-folder.ts';
import { applyPull, planPull, readPrevious } from '../../environment-files/pull-plan.ts';
import {
  type NormalIntegration,
  type Resource,
  resourceKinds,
} from '../../environment-files/resource.ts';
import { invalidFilesError } from '../../workflow-files/file-problem.ts';
import { credentialTypes } from '../shared/credential-types.ts';
import { readKinds } from '../shared/kinds.ts';
import { confirmRemovals, pullReport } from '../shared/pull-report.ts';
import { createAccess } from '../shared/push/access.ts';
import { noteMissing, noteUnknown, readAllKinds } from '../shared/read-kinds.ts';
import { createRemoteReader, type FoundResource } from '../shared/remote-workflows.ts';

interface PullRequest {
  dir: string;
  only: readonly string[] | undefined;
  deleteOthers: boolean;
}

export async function pullEnvironment(context: Context, { dir, only, deleteOthers }: PullRequest) {
  const given = readKinds(only);
  const kinds = resourceKinds.filter((kind) => given === undefined || given.includes(kind));
  const folder = openEnvironmentFolder(dir, context.host.cwd);
  // Refuses an unsafe folder before the first request.
  folder.root.names();
  folder.workflows.names();
  const service = await context.connection.service();
  const reader = createRemoteReader(service.client);
  const access = createAccess(service, reader);
  const { usable, skipped, missing } = await readAllKinds(access, kinds, given !== undefined);
  noteMissing(context, 'pulled', missing);
  const agents = access.integration.leftOut?.() ?? [];
  if (agents.length > 0)
    context.note(`Not pulled, because files have no agents: ${listText(agents)}.`);
  const { resources, reasons, isHidden } = withReferences(usable, folder, await credentialTypes());
  noteUnknown(context, resources);
  if (isHidden)
    context.note(
      'The service shows no credentials. Those in integrations.yaml are kept; new integrations refer to a variable for each credential that their provider requires.',
    );
  const plan = planPull(folder, {
    kinds: kinds.filter((kind) => !missing.includes(kind)),
    resources,
    mode: await reader.mode(),
    deleteOthers,
  });
  const changes = plan.changes.map((change) => {
    const reason = change.kind === 'integration' ? reasons.get(change.id) : undefined;
    return reason === undefined ? change : { ...change, reason };
  });
  const count = changes.filter(({ result }) => result === 'deleted').length;
  await confirmRemovals(context, { changes, dir }, { count, noun: 'resource' });
  if (context.globals.dryRun === undefined) applyPull(folder, plan);
  if (!deleteOthers && plan.others.length > 0)
    context.note(
      `Not in the environment: ${plan.others.join(', ')}. To remove them: svc environments pull ${dir} --delete`,
    );
  return pullReport(context, { changes, skipped, dir });
}

/**
 * Integrations with references in the place of secrets; those that the file has are kept. A service that shows no
 * credentials changes nothing in the file. `reasons`: what is not known of new integrations, by id.
 */
function withReferences(
  resources: readonly FoundResource[],
  folder: EnvironmentFolder,
  types: CredentialTypes,
): { resources: Resource[]; reasons: ReadonlyMap<string, string>; isHidden: boolean } {
  const file = readPrevious(folder, 'integration');
  const previous = new Map(
    file.resources.flatMap((resource) =>
      resource.kind === 'integration' ? [[resource.id, resource.credentials ?? {}] as const] : [],
    ),
  );
  const used = new Set(
    [...previous.values()].flatMap((credentials) =>
      Object.values(credentials).flatMap((value) => (isReference(value) ? [value.$env] : [])),
    ),
  );
  const reasons = new Map<string, string>();
  let isHidden = false;
  const toCredentials = ({ resource: { id, value }, given }: FoundResource): GivenCredentials => {
    const kept = previous.get(id);
    if (given.credentials !== undefined)
      return toFileCredentials(id, given.credentials as JsonObject, { kept, types, used });
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
      if (resource.kind !== 'integration') return resource;
      return { ...resource, credentials: toCredentials(found) };
    });
  if (isHidden && file.problems.length > 0) throw invalidFilesError(folder.shownAs, file.problems);
  return { resources: all, reasons, isHidden };
}
