// The channels that each workflow uses for people without preferences.

import type { Client } from '../../../api/client.ts';
import type { JsonObject } from '../../../core/objects.ts';
import { createRemoteReader } from '../../../environment/remote.ts';
import type { WorkflowSwitches } from '../../../state-files/own-preferences.ts';

/** By identifier; undefined for a critical workflow, which ignores preferences. */
export type SwitchesOf = (workflowId: string) => WorkflowSwitches;

export async function readSwitches(client: Client): Promise<SwitchesOf> {
  const reader = createRemoteReader(client);
  const workflows = await reader.findAll('workflow', await reader.ids('workflow'));
  const toSwitches = await loadSwitches();
  const switches = new Map(
    workflows.map(({ resource, given }) => [resource.id, toSwitches(given)]),
  );
  return (workflowId) => switches.get(workflowId);
}

/** Returns the function that reads the switches from a response. */
export async function loadSwitches(): Promise<(given: JsonObject) => WorkflowSwitches> {
  const { workflowSwitches } = await import('../../../state-files/own-preferences.ts');
  return (given) => workflowSwitches(given as never);
}
