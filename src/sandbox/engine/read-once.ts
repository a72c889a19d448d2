// The workflows, integrations and layouts that the engine reads. It does not change them, so within a scope, which
// lasts for one request, each is read once, and a workflow is marked as triggered once.
import { activeIntegrations, queuedIntegrations } from '../store/integrations.ts';
import { findDefaultLayout, findLayout } from '../store/layouts.ts';
import type { Scope } from '../store/scope.ts';
import { findWorkflow, recordTriggered } from '../store/workflows.ts';

const known = new WeakMap<Scope, Map<string, unknown>>();

/** Calls `read` for the first use of a key in a scope. Later uses get the same value. */
function once<Value>(scope: Scope, key: string, read: () => Value): Value {
  const values = known.get(scope) ?? new Map<string, unknown>();
  known.set(scope, values);
  if (!values.has(key)) values.set(key, read());
  return values.get(key) as Value;
}

export const readWorkflow = (scope: Scope, by: 'id' | 'identifier', value: string) =>
  once(scope, `workflow ${by} ${value}`, () => findWorkflow(scope, by, value));

export const readIntegrations = (scope: Scope, channel: string) =>
  once(scope, `integrations ${channel}`, () => activeIntegrations(scope, channel));

export const defaultIntegrations = (scope: Scope) =>
  once(scope, 'default integrations', () => queuedIntegrations(scope));

export const layoutNamed = (scope: Scope, id: string) =>
  once(scope, `layout ${id}`, () => findLayout(scope, id));

export const defaultLayout = (scope: Scope) =>
  once(scope, 'default layout', () => findDefaultLayout(scope));

export const markTriggered = (scope: Scope, workflow: string) =>
  once(scope, `triggered ${workflow}`, () => recordTriggered(scope, workflow));
