// Reads workflows and layouts from the active environment and writes them to another one.

import type { Context } from '../../app/context.ts';
import { raceAbort } from '../../core/async.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { listText } from '../../core/text.ts';
import type { PlanFile } from '../../environment-files/plan-file.ts';
import { environmentName } from '../shared/environments.ts';
import { type PlanTarget, planFields, textsIn } from '../shared/push/plan-options.ts';
import { pushResources } from '../shared/push/push-flow.ts';
import {
  createRemoteReader,
  type RemoteReader,
  type Separated,
} from '../shared/remote-workflows.ts';
import { readAllDefinitions, withLayouts } from './read-definitions.ts';

export interface PromoteRequest extends PlanTarget {
  /** Empty for all. */
  workflowIds: readonly string[];
  to: string;
  /** The plan to apply; it names the workflows. */
  reviewed?: PlanFile | undefined;
}

export async function promoteWorkflows(
  context: Context,
  { to, reviewed, ...request }: PromoteRequest,
) {
  const workflowIds = reviewed ? textsIn(reviewed.options.workflowIds) : request.workflowIds;
  const source = await context.connection.service();
  const target = await context.connection.service(to);
  if (source.client.baseUrl === target.client.baseUrl && source.apiKey === target.apiKey)
    throw usageError(`Profile ${to} is the active environment: nothing can be copied to itself.`, {
      hint: 'Select the source with --profile and the target with --to.',
    });
  const reader = createRemoteReader(source.client);
  const isAll = workflowIds.length === 0;
  const reading = isAll
    ? readAllDefinitions(reader)
    : readNamed(reader, [...new Set(workflowIds)], source.place);
  const { usable, skipped } = await raceAbort(reading, context.host.shutdownSignal);
  const [first] = skipped;
  if (first && !isAll)
    throw usageError(`${first.kind} ${first.id} cannot be copied: ${first.reason}.`);
  const mode = await reader.mode();
  const options = { to, ...(isAll ? { all: true } : {}) };
  return pushResources(context, {
    command: 'workflows promote',
    kinds: ['layout', 'workflow'],
    wanted: usable.map(({ resource }) => ({ path: resource.id, mode, resource })),
    skipped,
    target,
    deleteOthers: false,
    isCheck: false,
    source: environmentName(source.place),
    ...(await planFields(context, request, { workflowIds, ...options }, reviewed)),
    run: { args: { workflowIds }, options },
  });
}

/** The workflows and the layouts that they use. */
async function readNamed(
  reader: RemoteReader,
  ids: readonly string[],
  place: string,
): Promise<Separated> {
  const workflows = await reader.findAll('workflow', ids);
  const missing = ids.filter((id) => !workflows.some(({ resource }) => resource.id === id));
  if (missing.length > 0)
    throw new SvcError(
      'notFound',
      `${missing.length === 1 ? 'Workflow' : 'Workflows'} ${listText(missing.map((id) => `\`${id}\``))} ${missing.length === 1 ? 'does' : 'do'} not exist ${place}.`,
      { next: ['svc workflows list'] },
    );
  return withLayouts(reader, workflows);
}
