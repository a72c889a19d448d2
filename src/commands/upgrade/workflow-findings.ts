// Workflows that get another status when they are saved after an upgrade: each is saved in a sandbox of both versions.

import type { Context } from '../../app/context.ts';
import { asObject, type JsonObject } from '../../core/objects.ts';
import { shellWord } from '../../core/text.ts';
import { type GivenWorkflow, toNormalWorkflow } from '../../environment/normal-form.ts';
import { issueRows } from '../../environment/push-types.ts';
import { type FoundResource, toSettings } from '../../environment/remote.ts';
import { toLayoutState } from '../../environment/sandbox-state.ts';
import type { SandboxState } from '../../sandbox/index.ts';
import { editableOrigin } from '../../service/schemas/vocabulary.ts';
import type { WorkflowStep } from '../../service/schemas/workflows.ts';
import { type SandboxVersion, sandboxesOf } from '../../service/versions.ts';
import { toWorkflowState } from '../../state-files/resources.ts';
import type { Upgrade } from './check.ts';
import type { Found } from './environment-findings.ts';

export async function workflowFindings(
  context: Context,
  { from, to }: Upgrade,
  resources: readonly FoundResource[],
): Promise<Found[]> {
  const { before, after } = sandboxesOf(from, to);
  const state = await toState(context, resources);
  const old = await findProblems(context, before, state);
  const now = await findProblems(context, after, state);
  return resources.flatMap(({ resource: { kind, id }, response }): Found[] => {
    const problem = now.get(id);
    if (kind !== 'workflow' || problem === undefined || response.status === 'ERROR') return [];
    const earlier = old.get(id);
    const isNew = earlier === undefined || (problem.isRefused && !earlier.isRefused);
    const outcome = problem.isRefused
      ? 'it cannot be saved'
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

/** Without integrations, because only the content of steps is compared. */
async function toState(context: Context, resources: readonly FoundResource[]) {
  const { stateItemError } = await context.sandbox();
  const workflows = resources.flatMap(({ resource, response }) =>
    resource.kind === 'workflow' ? [toWorkflowState(response)] : [],
  );
  const layouts = resources.flatMap(({ resource, isPermanent }) =>
    resource.kind === 'layout' ? [toLayoutState(resource.value, isPermanent === true)] : [],
  );
  const development = {
    name: 'Development',
    layouts: layouts.filter((item) => stateItemError('layouts', item) === undefined),
    workflows: workflows.filter((item) => stateItemError('workflows', item) === undefined),
  };
  return { version: 1, environments: [development] } as SandboxState;
}

interface Problem {
  /** The service rejects the workflow; otherwise it stores it with the status ERROR. */
  isRefused: boolean;
  text: string;
}

/** Saves each workflow as it is, as the dashboard does. Returns why workflows get the status ERROR or are refused. */
async function findProblems(
  context: Context,
  service: SandboxVersion,
  state: SandboxState,
): Promise<Map<string, Problem>> {
  const { createSandbox, openStore } = await context.sandbox();
  const { clock } = context.host;
  const store = await openStore({ clock, service, seed: state });
  const handle = createSandbox({ store, clock });
  const headers = { authorization: `ApiKey ${store.key}`, 'content-type': 'application/json' };
  const send = async (id: string, init: { method?: string; body?: string } = {}) => {
    const url = `http://localhost/v2/workflows/${encodeURIComponent(id)}`;
    const response = await handle(new Request(url, { ...init, headers }));
    return asObject(await response.json());
  };
  const problems = new Map<string, Problem>();
  try {
    for (const { workflowId } of state.environments[0]?.workflows ?? []) {
      const { data } = await send(workflowId);
      const body = JSON.stringify(toBody(asObject(data)));
      const { data: saved, message } = await send(workflowId, { method: 'PUT', body });
      const { status, steps = [] } = asObject(saved);
      const issues = (steps as WorkflowStep[])
        .flatMap(({ stepId, issues }) =>
          issueRows({ stepId, issues: { controls: issues?.controls } }),
        )
        .map(({ step, field, message }) => `step ${step}, ${field}: ${message}`);
      if (saved === undefined) problems.set(workflowId, { isRefused: true, text: String(message) });
      else if (status === 'ERROR' && issues.length > 0)
        problems.set(workflowId, { isRefused: false, text: issues.join('; ') });
    }
    return problems;
  } finally {
    store.close();
  }
}

function toBody(response: JsonObject): object {
  const normal = toNormalWorkflow(response as unknown as GivenWorkflow);
  const responseSteps = response.steps as { _id: string }[];
  const steps = normal.steps.map((step, index) => ({ _id: responseSteps[index]?._id, ...step }));
  return { ...toSettings(normal), origin: editableOrigin, steps };
}
