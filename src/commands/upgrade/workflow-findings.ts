// Workflows that get another status when they are saved after an upgrade: each is saved in a sandbox of both versions.

import type { Context } from '../../app/context.ts';
import { asObject, type JsonObject } from '../../core/objects.ts';
import { shellWord } from '../../core/text.ts';
import type { NormalWorkflow } from '../../environment/normal-form.ts';
import { issueRows } from '../../environment/push-types.ts';
import { type FoundResource, toSettings } from '../../environment/remote.ts';
import type { WorkflowStep } from '../../service/schemas/workflows.ts';
import { type SandboxVersion, sandboxesOf } from '../../service/versions.ts';
import type { Upgrade } from './check.ts';
import type { Found } from './environment-findings.ts';
import { rejectionText } from './request-findings.ts';

interface Problem {
  /** The service rejects the workflow; otherwise it stores it with the status ERROR. */
  isRefused: boolean;
  text: string;
}

export async function workflowFindings(
  context: Context,
  { from, to }: Upgrade,
  resources: readonly FoundResource[],
): Promise<Found[]> {
  const { before, after } = sandboxesOf(from, to);
  const old = await findProblems(context, before, resources);
  const now = await findProblems(context, after, resources);
  return resources.flatMap(({ resource: { kind, id }, response: { status } }): Found[] => {
    const problem = now.get(id);
    if (kind !== 'workflow' || problem === undefined || status === 'ERROR') return [];
    const earlier = old.get(id);
    const isNew = earlier === undefined || (problem.isRefused && !earlier.isRefused);
    const outcome = problem.isRefused
      ? `it ${isNew ? '' : 'still '}cannot be saved`
      : `it gets the status ERROR ${isNew ? 'when it is saved' : 'also when it is activated'}`;
    return [
      {
        severity: isNew ? 'should' : 'note',
        thing: `workflow ${id}`,
        message: `On ${to}, ${outcome}: ${problem.text}`,
        next: `svc workflows get ${shellWord(id)}`,
      },
    ];
  });
}

/** Saves each workflow in an empty sandbox. Returns why workflows get the status ERROR or are refused. */
async function findProblems(
  context: Context,
  service: SandboxVersion,
  resources: readonly FoundResource[],
): Promise<Map<string, Problem>> {
  const { createSandbox, openStore } = await context.sandbox();
  const { clock } = context.host;
  const layouts = resources.flatMap(({ resource: { kind, id: layoutId } }) =>
    kind === 'layout' ? [{ layoutId, name: layoutId }] : [],
  );
  const environments = [{ name: 'Development', layouts }];
  const store = await openStore({ clock, service, seed: { version: 1, environments } });
  const handle = createSandbox({ store, clock });
  const headers = { authorization: `ApiKey ${store.key}`, 'content-type': 'application/json' };
  const problems = new Map<string, Problem>();
  try {
    for (const [index, { resource }] of resources.entries()) {
      if (resource.kind !== 'workflow') continue;
      const body = toBody(resource.value, index);
      const request = new Request('http://localhost/v2/workflows', {
        method: 'POST',
        headers,
        body,
      });
      const problem = readProblem(asObject(await (await handle(request)).json()));
      if (problem) problems.set(resource.id, problem);
    }
    return problems;
  } finally {
    store.close();
  }
}

/** With an id of its own, because a workflow that exists keeps an id that the service no longer accepts. */
const toBody = (workflow: NormalWorkflow, index: number) =>
  JSON.stringify({
    workflowId: `workflow-${index}`,
    ...toSettings(workflow),
    steps: workflow.steps,
  });

function readProblem(response: JsonObject): Problem | undefined {
  const { data } = response;
  if (data === undefined) return { isRefused: true, text: rejectionText(response) };
  const { status, steps = [] } = asObject(data);
  const texts = (steps as WorkflowStep[])
    .flatMap(({ stepId, issues }) => issueRows({ stepId, issues: { controls: issues?.controls } }))
    .map(({ step, field, message }) => `step ${step}, ${field}: ${message}`);
  if (status !== 'ERROR' || texts.length === 0) return undefined;
  return { isRefused: false, text: texts.join('; ') };
}
