// Reads an environment part by part, in the form of a state file.
import type { Context, Service } from '../app/context.ts';
import { createRemoteReader } from '../environment/remote.ts';
import { type Mode, modeMark } from '../service/mode.ts';
import { createPersonalDataFilter } from './personal-data.ts';
import { createPseudonyms, type Pseudonyms } from './pseudonyms.ts';
import { pullSubscribers, pullTopics, type Selection } from './pull-recipients.ts';
import {
  addPlainLayouts,
  createPullRun,
  type PullRun,
  pullContexts,
  pullIntegrations,
  pullLayouts,
  pullWorkflows,
} from './pull-resources.ts';
import type { StateWriter } from './state-writer.ts';

export interface EnvironmentSelection extends Selection {
  keepData?: boolean | undefined;
  withPersonalData?: boolean | undefined;
  /** Only workflows and layouts. */
  definitionsOnly?: boolean | undefined;
  /** Leave out the topics and their subscriptions. */
  noTopics?: boolean | undefined;
  /** How personal data is replaced; by default in a way that only this call knows. */
  pseudonyms?: Pseudonyms | undefined;
}

interface Receiver {
  /** Called before the first request, with the counts that grow while the environment is read. */
  onStart?: (run: PullRun) => void;
  /** Called before the first item. The mark names the mode if a workflow has a `skip` condition. */
  onHead?: (mark: Mode | undefined) => void;
  add: StateWriter['add'];
}

export async function readEnvironment(
  context: Pick<Context, 'sandbox' | 'host' | 'propose'>,
  service: Service,
  selection: EnvironmentSelection,
  { onStart, onHead, add }: Receiver,
): Promise<{ run: PullRun; mode: Mode; mark: Mode | undefined }> {
  const { withPersonalData = false, keepData = false, pseudonyms } = selection;
  const { missingCredentials, stateItemError } = await context.sandbox();
  const filter = createPersonalDataFilter({
    pseudonyms: withPersonalData
      ? undefined
      : (pseudonyms ?? createPseudonyms(context.host.newId())),
    keepData: keepData || withPersonalData,
  });
  // Items before the head is known.
  const first: Parameters<StateWriter['add']>[] = [];
  let isBegun = false;
  const run = createPullRun({
    service,
    filter,
    itemError: stateItemError,
    propose: context.propose,
    write: (section, item) => (isBegun ? add(section, item) : first.push([section, item])),
  });
  onStart?.(run);
  const reader = createRemoteReader(service.client);
  const mode = await reader.mode();
  if (!selection.definitionsOnly)
    await pullIntegrations(run, (providerId) => missingCredentials(providerId, {}));
  const hasLayouts = await pullLayouts(run, reader);
  const { switches, layoutIds, hasSkip } = await pullWorkflows(run, reader);
  if (!hasLayouts) addPlainLayouts(run, layoutIds);
  const mark = modeMark(mode, hasSkip);
  onHead?.(mark);
  isBegun = true;
  for (const [section, item] of first) add(section, item);
  if (selection.definitionsOnly) return { run, mode, mark };
  const selected = await pullSubscribers(run, selection, switches);
  if (!selection.noTopics) await pullTopics(run, selected);
  await pullContexts(run);
  return { run, mode, mark };
}
