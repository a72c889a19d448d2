// The choices of people as rows, in the format of `svc subscribers preferences import`.
import type { Client } from '../../../api/client.ts';
import { mapConcurrently } from '../../../core/async.ts';
import { ifExists } from '../../../core/errors.ts';
import type { JsonObject } from '../../../core/objects.ts';
import { createRemoteReader } from '../../../environment/remote.ts';
import { type Column, fieldColumns } from '../../../output/result.ts';
import type { Schedule } from '../../../service/schemas/preferences.ts';
import { allChannels } from '../../../service/schemas/vocabulary.ts';
import type { WorkflowSwitches } from '../../../state-files/own-preferences.ts';
import { concurrentRequests } from '../view.ts';

type PreferenceRow = {
  subscriberId: string;
  /** Absent for the global preferences. */
  workflow?: string;
  schedule?: Schedule;
} & { [Name in (typeof allChannels)[number]]?: 'on' | 'off' };

export const preferenceColumns: readonly Column<PreferenceRow>[] = fieldColumns([
  'subscriberId',
  'workflow',
  ...allChannels,
  'schedule',
]);

/** Returns a function that reads the choices of subscribers. Those who have deleted themselves meanwhile have none. */
export async function createPreferenceReader(client: Client) {
  const findSwitches = await readSwitches(client);
  const { ownPreferences } = await import('../../../state-files/own-preferences.ts');
  const read = async ({ subscriberId }: { subscriberId: string }) => {
    const preferences = await ifExists(
      client.call('getSubscriberPreferences', {
        path: { subscriberId },
        query: { criticality: 'all' },
      }),
    );
    const own = preferences && ownPreferences(preferences, findSwitches, allChannels);
    return own ? toRows(subscriberId, own) : [];
  };
  return async (subscribers: readonly { subscriberId: string }[]): Promise<PreferenceRow[]> => {
    const rows: PreferenceRow[] = [];
    for await (const some of mapConcurrently(subscribers, concurrentRequests, read))
      rows.push(...some);
    return rows;
  };
}

type Own = NonNullable<
  ReturnType<typeof import('../../../state-files/own-preferences.ts').ownPreferences>
>;

/** The global choices first, because they reset those for single workflows. */
function toRows(subscriberId: string, { global, workflows = {} }: Own): PreferenceRow[] {
  return [
    ...(global
      ? [
          {
            subscriberId,
            ...switchTexts(global.channels),
            ...(global.schedule ? { schedule: global.schedule as Schedule } : {}),
          },
        ]
      : []),
    ...Object.entries(workflows).map(([workflow, { channels }]) => ({
      subscriberId,
      workflow,
      ...switchTexts(channels),
    })),
  ];
}

const switchTexts = (
  channels: { [Name in (typeof allChannels)[number]]?: boolean | null | undefined } = {},
) =>
  Object.fromEntries(
    allChannels.flatMap((channel) => {
      const isOn = channels[channel];
      return isOn === undefined ? [] : [[channel, isOn ? 'on' : 'off']];
    }),
  ) as { [Name in (typeof allChannels)[number]]?: 'on' | 'off' };

// The channels that each workflow uses for people without preferences.

/** By identifier; undefined for a critical workflow, which ignores preferences. */
type SwitchesOf = (workflowId: string) => WorkflowSwitches;

async function readSwitches(client: Client): Promise<SwitchesOf> {
  const reader = createRemoteReader(client);
  const workflows = await reader.findAll('workflow', await reader.ids('workflow'));
  const toSwitches = await loadSwitches();
  const switches = new Map(
    workflows.map(({ resource, response }) => [resource.id, toSwitches(response)]),
  );
  return (workflowId) => switches.get(workflowId);
}

/** Returns the function that reads the switches from a response. */
export async function loadSwitches(): Promise<(response: JsonObject) => WorkflowSwitches> {
  const { workflowSwitches } = await import('../../../state-files/own-preferences.ts');
  return (response) => workflowSwitches(response as never);
}
