// Reads workflows and layouts from the active environment and writes them to another one.
import type { Context } from '../../app/context.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { layoutReferences } from '../../workflow-files/normal-form.ts';
import { environmentName } from '../shared/environment-name.ts';
import { createRemoteReader, skipReason } from '../shared/remote-workflows.ts';
import { pushResources } from './push-flow.ts';

export interface PromoteRequest {
  /** Empty for all. */
  workflowIds: readonly string[];
  to: string;
}

export async function promoteWorkflows(context: Context, { workflowIds, to }: PromoteRequest) {
  const source = await context.service();
  const target = await context.service(to);
  if (source.client.baseUrl === target.client.baseUrl && source.apiKey === target.apiKey)
    throw usageError(`Profile ${to} is the active environment: nothing can be copied to itself.`, {
      hint: 'Select the source with --profile and the target with --to.',
    });
  const reader = createRemoteReader(source.client);
  const isAll = workflowIds.length === 0;
  const ids = isAll ? await reader.ids('workflow') : [...new Set(workflowIds)];
  const workflows = await reader.findAll('workflow', ids);
  const missing = ids.filter((id) => !workflows.some(({ resource }) => resource.id === id));
  if (missing.length > 0 && !isAll)
    throw new SvcError(
      'notFound',
      `Workflow ${missing.map((id) => `\`${id}\``).join(', ')} does not exist ${source.place}.`,
      { next: ['svc workflows list'] },
    );
  const layoutIds = isAll
    ? await reader.ids('layout')
    : workflows.flatMap(({ resource }) =>
        resource.kind === 'workflow'
          ? layoutReferences(resource.value).map(({ layoutId }) => layoutId)
          : [],
      );
  const found = [...(await reader.findAll('layout', [...new Set(layoutIds)])), ...workflows];
  const skipped = found.flatMap((one) => {
    const reason = skipReason(one);
    return reason === undefined ? [] : [{ ...one.resource, reason }];
  });
  if (skipped.length > 0 && !isAll) {
    const [first] = skipped;
    throw usageError(`${first?.kind} ${first?.id} cannot be copied: ${first?.reason}.`);
  }
  const mode = await reader.mode();
  return pushResources(context, {
    wanted: found
      .filter((one) => skipReason(one) === undefined)
      .map(({ resource }) => ({ path: resource.id, mode, resource })),
    skipped,
    target,
    deleteOthers: false,
    isCheck: false,
    source: environmentName(source.place),
    run: {
      command: 'workflows promote',
      args: { workflowIds },
      options: { to, ...(isAll ? { all: true } : {}) },
    },
  });
}
