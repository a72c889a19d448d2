// Resources in their normal form, as a file or an environment has them.
import type { GivenCredentials } from '../../src/environment/credentials.ts';
import { toNormalLayout, toNormalWorkflow } from '../../src/environment/normal-form.ts';
import type { PlannedItem } from '../../src/environment/push-types.ts';
import type { FoundResource } from '../../src/environment/remote.ts';
import {
  type GivenIntegration,
  type Resource,
  toContext,
  toIntegration,
  toTopic,
} from '../../src/environment/resource.ts';

export const topic = (key: string, name: string | null = 'Name') => toTopic({ key, name });

export const context = (id: string, data = {}) => toContext({ type: 'tenant', id, data });

export const layout = (id: string, name = id): Resource => ({
  kind: 'layout',
  id,
  value: toNormalLayout({ layoutId: id, name }),
});

/** With one e-mail for each layout. */
export const workflow = (id: string, layoutIds: readonly string[] = [], name = id): Resource => ({
  kind: 'workflow',
  id,
  value: toNormalWorkflow({
    ...{ workflowId: id, name },
    steps: layoutIds.map((layoutId) => ({
      ...{ stepId: `mail-${layoutId}`, type: 'email' },
      controlValues: { subject: 'Hi', body: 'Hi', editorType: 'html', layoutId },
    })),
  }),
});

/** Sends e-mails with SendGrid. */
export function integration(
  id: string,
  more: Partial<GivenIntegration> = {},
  credentials?: GivenCredentials,
) {
  const given = { identifier: id, providerId: 'sendgrid', channel: 'email', name: id };
  return { ...toIntegration({ ...given, ...more }), ...(credentials ? { credentials } : {}) };
}

/** As an environment has it. */
export const found = (resource: Resource, more: Partial<FoundResource> = {}): FoundResource => ({
  ...{ resource, response: {}, updatedAt: 'now', origin: 'novu-cloud', isPermanent: false },
  ...more,
});

/** Items of a plan; `before`: as the environment has it. */
export const creation = (wanted: Resource): PlannedItem => ({
  ...{ kind: wanted.kind, id: wanted.id, action: 'create', changes: [], wanted },
});
export const update = (
  before: Resource,
  wanted: Resource,
  ...paths: readonly string[]
): PlannedItem => ({
  ...{ kind: wanted.kind, id: wanted.id, action: 'update', wanted, current: found(before) },
  changes: paths.map((path) => ({ path })),
});
export const unchanged = (resource: Resource): PlannedItem => ({
  ...update(resource, resource),
  action: 'unchanged',
});
export const deletion = (before: Resource): PlannedItem => ({
  ...{ kind: before.kind, id: before.id, action: 'delete', changes: [], current: found(before) },
});
