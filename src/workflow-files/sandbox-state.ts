// Turns a folder of workflow files into the state of a sandbox: the workflows and layouts in an environment that is
// otherwise empty, with an inbox and one active integration for each other channel, so that every message is captured.
import { usageError } from '../core/errors.ts';
import type { EnvironmentState, LayoutState, SandboxState } from '../sandbox/state/schema.ts';
import type { NormalLayout, NormalWorkflow } from './normal-form.ts';
import { type ResourceFile, readFolder } from './read-folder.ts';
import { openSafeFolder } from './safe-folder.ts';

/** One for each channel. The credentials are fake: a sandbox sends nothing. */
export const integrations: NonNullable<EnvironmentState['integrations']> = [
  { identifier: 'in-app', name: 'In-app inbox', providerId: 'svc', channel: 'in_app' },
  {
    ...{ identifier: 'email', name: 'SendGrid', providerId: 'sendgrid', channel: 'email' },
    credentials: { apiKey: 'sandbox-only', from: 'hello@example.com', senderName: 'Example' },
    primary: true,
  },
  {
    ...{ identifier: 'sms', name: 'Twilio', providerId: 'twilio', channel: 'sms' },
    credentials: { accountSid: 'sandbox-only', token: 'sandbox-only', from: '+15550100' },
    primary: true,
  },
  {
    ...{ identifier: 'chat', name: 'Slack', providerId: 'slack', channel: 'chat' },
    credentials: { applicationId: 'sandbox-only', clientId: '1.2', secretKey: 'sandbox-only' },
  },
  {
    ...{ identifier: 'push', name: 'Firebase Cloud Messaging', providerId: 'fcm', channel: 'push' },
    credentials: { serviceAccount: '{"project_id":"sandbox-only"}' },
  },
];

/** Throws a usage error if a file is not valid, or if the files come from servers that behave differently. */
export function readSandboxState(folder: string, cwd: string): SandboxState {
  const { files, ignored } = readFolder(openSafeFolder(folder, cwd, folder), folder);
  const [first] = files;
  if (!first && ignored.length > 0)
    throw usageError(`${folder} contains no workflow files. Ignored: ${ignored.join(', ')}.`, {
      hint: 'The first line of a workflow file must be: # svc workflow, format 1, compat novu',
    });
  if (!first)
    throw usageError(`${folder} contains no workflow files.`, {
      hint: 'Create them with `svc workflows pull`, or name a state file.',
    });
  const other = files.find(({ mode }) => mode !== first.mode);
  if (other)
    throw usageError(
      `${folder} mixes files of Novu and of a server that follows the specification: ${first.path}, ${other.path}.`,
      { hint: 'Skip conditions differ between them. Pull all files from the same server.' },
    );
  return {
    version: 1,
    ...(first.mode === 'novu' ? { compat: 'novu' as const } : {}),
    environments: [{ name: 'Development', integrations, ...resourcesOf(files) }],
  };
}

function resourcesOf(
  files: readonly ResourceFile[],
): Pick<EnvironmentState, 'layouts' | 'workflows'> {
  const layouts = files.flatMap(({ resource }) =>
    resource.kind === 'layout' ? [resource.value] : [],
  );
  const workflows = files.flatMap(({ resource }) =>
    resource.kind === 'workflow' ? [resource.value] : [],
  );
  return {
    // The service makes the first layout the default one.
    layouts: layouts.map((layout, index) => toLayoutState(layout, index === 0)),
    workflows: workflows.map(toWorkflowState),
  };
}

function toLayoutState(
  { layoutId, name, isTranslationEnabled, controlValues }: NormalLayout,
  isDefault: boolean,
): LayoutState {
  const { body, editorType } = (controlValues.email ?? {}) as Pick<
    LayoutState,
    'body' | 'editorType'
  >;
  return {
    ...{ layoutId, name, isDefault, isTranslationEnabled },
    ...(editorType === undefined ? {} : { editorType }),
    ...(body === undefined ? {} : { body }),
  };
}

const toWorkflowState = (
  workflow: NormalWorkflow,
): NonNullable<EnvironmentState['workflows']>[number] => workflow as never;
