// Renders the control values of a step into the content properties of a message.
import type { MessageCta } from '../../api/schemas/message.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Channel } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { renderDeep } from './templates.ts';
import type { Variables } from './variables.ts';

export interface Content {
  content: string;
  subject?: string;
  title?: string;
  avatar?: string;
  cta: MessageCta;
  data?: Record<string, unknown>;
}

/** Returns the error of a template that cannot be rendered. */
export function renderContent(
  { now }: Scope,
  { step }: StoredJob,
  channel: Channel,
  variables: () => Variables,
): Content | { error: string } {
  const { skip: _, ...controls } = step.controlVariables ?? {};
  try {
    const rendered = renderDeep(controls, variables(), now) as Record<string, unknown>;
    return channel === 'in_app' ? inAppContent(rendered) : plainContent(channel, rendered);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function plainContent(channel: Channel, controls: Record<string, unknown>): Content {
  const subject = stringOrUndefined(controls.subject);
  return {
    content: stringOrUndefined(controls.body) ?? '',
    ...(subject === undefined ? {} : { subject }),
    ...(channel === 'push' && subject !== undefined ? { title: subject } : {}),
    cta: {},
  };
}

function inAppContent(controls: Record<string, unknown>): Content {
  const { body, redirect, primaryAction, secondaryAction, data } = controls;
  const buttons = [
    ...toButtons('primary', primaryAction),
    ...toButtons('secondary', secondaryAction),
  ];
  const url = stringOrUndefined(property(redirect, 'url')) ?? buttons[0]?.url;
  const subject = stringOrUndefined(controls.subject);
  const avatar = stringOrUndefined(controls.avatar);
  return {
    content: stringOrUndefined(body) ?? '',
    ...(subject ? { subject } : {}),
    ...(avatar ? { avatar } : {}),
    ...(isObject(data) ? { data } : {}),
    cta: {
      ...(url === undefined ? {} : { type: 'redirect' as const, data: { url } }),
      ...(buttons.length === 0
        ? {}
        : {
            action: {
              status: 'pending' as const,
              buttons: buttons.map(({ type, content }) => ({ type, content })),
            },
          }),
    },
  };
}

function toButtons(type: 'primary' | 'secondary', action: unknown) {
  const content = stringOrUndefined(property(action, 'label'));
  if (!content) return [];
  return [{ type, content, url: stringOrUndefined(property(property(action, 'redirect'), 'url')) }];
}

const stringOrUndefined = (value: unknown) => (typeof value === 'string' ? value : undefined);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const property = (value: unknown, name: string) => (isObject(value) ? value[name] : undefined);
