// Reads an environment and writes all that files can contain to a folder.
import type { Context } from '../../app/context.ts';
import {
  type CredentialTypes,
  isReference,
  toFileCredentials,
} from '../../environment-files/credentials.ts';
import {
  type EnvironmentFolder,
  openEnvironmentFolder,
} from '../../environment-files/environment-folder.ts';
import { applyPull, planPull, readPrevious } from '../../environment-files/pull-plan.ts';
import { type Resource, resourceKinds } from '../../environment-files/resource.ts';
import type { JsonObject } from '../../workflow-files/normal-form.ts';
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
  noteUnknown(
    context,
    usable.map(({ resource }) => resource),
  );
  const plan = planPull(folder, {
    kinds: kinds.filter((kind) => !missing.includes(kind)),
    resources: withReferences(usable, folder, await credentialTypes()),
    mode: await reader.mode(),
    deleteOthers,
  });
  const { changes } = plan;
  const count = changes.filter(({ result }) => result === 'deleted').length;
  await confirmRemovals(context, { changes, dir }, { count, noun: 'resource' });
  if (context.globals.dryRun === undefined) applyPull(folder, plan);
  if (!deleteOthers && plan.others.length > 0)
    context.note(
      `Not in the environment: ${plan.others.join(', ')}. To remove them: svc environments pull ${dir} --delete`,
    );
  return pullReport(context, { changes, skipped, dir });
}

/** Integrations with references in the place of secrets; those that the file has are kept. */
function withReferences(
  resources: readonly FoundResource[],
  folder: EnvironmentFolder,
  types: CredentialTypes,
): Resource[] {
  const previous = new Map(
    readPrevious(folder, 'integration').resources.flatMap((resource) =>
      resource.kind === 'integration' ? [[resource.id, resource.credentials ?? {}] as const] : [],
    ),
  );
  const used = new Set(
    [...previous.values()].flatMap((credentials) =>
      Object.values(credentials).flatMap((value) => (isReference(value) ? [value.$env] : [])),
    ),
  );
  return resources
    .toSorted(({ resource: a }, { resource: b }) => (a.id < b.id ? -1 : 1))
    .map(({ resource, given }) => {
      if (resource.kind !== 'integration') return resource;
      const credentials = toFileCredentials(resource.id, (given.credentials ?? {}) as JsonObject, {
        kept: previous.get(resource.id),
        types,
        used,
      });
      return { ...resource, credentials };
    });
}
