// Synchronizes the workflows that code of an application defines. They were read from its endpoint before.
import { registerWorkflows } from '../bridge/register.ts';
import { changeEnvironment, findEnvironment } from '../store/environments.ts';
import { allWorkflows } from '../store/workflows.ts';
import { badRequest } from '../values/http-error.ts';
import type { Handler } from './handler.ts';
import { serializeWorkflowV1 } from './workflows-v1.ts';

/** Removes the workflows that the code does not define any more. */
export const syncBridge: Handler<'syncBridge'> = ({ body: { bridgeUrl }, prepared, scope }) => {
  const registered = registerWorkflows(scope, prepared?.workflows ?? [], true);
  const environment = findEnvironment(scope.sql, scope.environmentId);
  if (environment && bridgeUrl !== undefined)
    changeEnvironment(scope, environment, { bridge: { url: bridgeUrl } });
  return registered.map((workflow) => serializeWorkflowV1(scope, workflow));
};

export const diffBridge: Handler<'diffBridge'> = ({ body, scope }) => {
  const url = findEnvironment(scope.sql, scope.environmentId)?.bridge?.url;
  if (typeof url !== 'string') throw badRequest('Bridge URL not found');
  const workflows = allWorkflows(scope).filter(({ origin }) => origin === 'external');
  const current = workflows.map(({ discovered }) => discovered);
  return { current: { workflows: current, bridgeUrl: url }, new: body };
};

export const validateBridge: Handler<'validateBridge'> = ({ prepared }) =>
  prepared?.health ?? { isValid: false };
