// Reads workflows with the layouts that they use, or all workflows and layouts.
import { layoutReferences } from '../../workflow-files/normal-form.ts';
import {
  type FoundDefinition,
  type RemoteReader,
  readAll,
  type Separated,
  separate,
} from '../shared/remote-workflows.ts';

/** Layouts first, because workflows refer to them. */
export async function readAllDefinitions(reader: RemoteReader): Promise<Separated> {
  const layouts = await readAll(reader, 'layout');
  const workflows = await readAll(reader, 'workflow');
  return {
    usable: [...layouts.usable, ...workflows.usable],
    skipped: [...layouts.skipped, ...workflows.skipped],
  };
}

/** The workflows after the layouts that they use. */
export async function withLayouts(
  reader: RemoteReader,
  workflows: readonly FoundDefinition[],
): Promise<Separated> {
  const layoutIds = workflows.flatMap(({ resource }) =>
    resource.kind === 'workflow'
      ? layoutReferences(resource.value).map(({ layoutId }) => layoutId)
      : [],
  );
  return separate([...(await reader.findAll('layout', [...new Set(layoutIds)])), ...workflows]);
}
