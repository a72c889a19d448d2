// Workflows that get another status when they are saved after an upgrade: each is saved in a sandbox of both versions.

import type { Context } from '../../app/context.ts';
import { asObject, type JsonObject } from '../../core/objects.ts';
import { shellWord } from '../../core/text.ts';
import { toSettings } from '../../environment/definition-access.ts';
import { type GivenWorkflow, toNormalWorkflow } from '../../environment/normal-form.ts';
import type { FoundResource } from '../../environment/remote.ts';
import { issueRows } from '../../environment/workflow-issues.ts';
import type { SandboxState } from '../../sandbox/index.ts';
import { fromServiceId } from '../../service/providers.ts';
import type { Integration } from '../../service/schemas/integrations.ts';
import { editableOrigin } from '../../service/schemas/vocabulary.ts';
import type { WorkflowStep } from '../../service/schemas/workflows.ts';
import { type SandboxVersion, sandboxesOf } from '../../service/versions.ts';
import { toIntegrationState, toLayoutState, toWorkflowState } from '../../state-files/resources.ts';
import type { Upgrade } from './check.ts';
import type { Found } from './environment-findings.ts';

export async function workflowFindings(
  context: Context,
  { from, to }: Upgrade,
  resources: readonly FoundResource[],
): Promise<Found[]> {
  const { before, after } = sandboxesOf(from, to);
  const state = await toState(context, resources);
  const [old, saved] = [
    await saveAll(context, before, state),
    await saveAll(context, after, state),
  ];
  return resources.flatMap(({ resource: { id }, given }): Found[] => {
    const workflow = saved.get(id);
    if (!workflow || given.status === 'ERROR') return [];
    const { error, status, issues } = workflow;
    const isRefused = error !== undefined && old.get(id)?.error === undefined;
    if (!isRefused && status !== 'ERROR') return [];
    const effect = isRefused ? 'Its next change is refused' : 'It gets the status ERROR';
    return [
      {
        severity: 'should',
        thing: `workflow ${id}`,
        message: `${effect} when it is saved on ${to}: ${error ?? issues.join('; ')}`,
        next: `svc workflows get ${shellWord(id)}`,
      },
    ];
  });
}

async function toState(
  context: Context,
  resources: readonly FoundResource[],
): Promise<SandboxState> {
  const { missingCredentials, stateItemError } = await context.sandbox();
  const convert = ({ resource, given, isPermanent }: FoundResource) => {
    if (resource.kind === 'workflow') return toWorkflowState(given);
    if (resource.kind === 'layout') return toLayoutState(resource.value, isPermanent === true);
    const integration = given as unknown as Integration;
    return toIntegrationState(
      integration,
      missingCredentials(fromServiceId(integration.providerId), {}),
    );
  };
  const section = (kind: 'integration' | 'layout' | 'workflow') =>
    resources
      .filter(({ resource }) => resource.kind === kind)
      .map(convert)
      .filter((item) => stateItemError(`${kind}s`, item) === undefined);
  const development = {
    name: 'Development',
    integrations: section('integration'),
    layouts: section('layout'),
    workflows: section('workflow'),
  };
  return { version: 1, environments: [development] } as unknown as SandboxState;
}

interface Saved {
  status?: unknown;
  issues: string[];
  /** Why the service refuses to save it. */
  error?: string;
}

/** Saves each workflow as it is, as the dashboard does. */
async function saveAll(
  context: Context,
  service: SandboxVersion,
  state: SandboxState,
): Promise<Map<string, Saved>> {
  const { createSandbox, openStore } = await context.sandbox();
  const { clock } = context.host;
  const store = await openStore({ clock, service, seed: state });
  const handle = createSandbox({ store, clock });
  const send = async (method: string, id: string, body?: object) => {
    const headers = { authorization: `ApiKey ${store.key}`, 'content-type': 'application/json' };
    const url = `http://localhost/v2/workflows/${encodeURIComponent(id)}`;
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await handle(new Request(url, init));
    const answer = asObject(await response.json());
    return { isRefused: !response.ok, answer, data: asObject(answer.data) };
  };
  try {
    const all = new Map<string, Saved>();
    for (const { workflowId } of state.environments[0]?.workflows ?? []) {
      const { data } = await send('GET', workflowId);
      const { isRefused, answer, data: saved } = await send('PUT', workflowId, toBody(data));
      const steps = (saved.steps ?? []) as WorkflowStep[];
      const issues = steps
        .flatMap(issueRows)
        .map(({ step, field, message }) => `step ${step}, ${field}: ${message}`);
      all.set(workflowId, {
        status: saved.status,
        issues,
        ...(isRefused ? { error: String(answer.message) } : {}),
      });
    }
    return all;
  } finally {
    store.close();
  }
}

function toBody(given: JsonObject): object {
  const normal = toNormalWorkflow(given as unknown as GivenWorkflow);
  const known = (given.steps ?? []) as { _id: string }[];
  const steps = normal.steps.map((step, index) => ({ _id: known[index]?._id, ...step }));
  return { ...toSettings(normal), origin: editableOrigin, steps };
}
