// What a message says: the control values of its step, rendered, as members of the message.
import type { MessageCta } from '../../api/schemas/message.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Channel } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { renderDeep } from './content.ts';
import type { Variables } from './variables.ts';

export interface Content {
  content: string;
  subject?: string;
  title?: string;
  avatar?: string;
  cta: MessageCta;
  data?: Record<string, unknown>;
}

/** Or what is wrong with the templates. */
export function contentOf(
  { now }: Scope,
  { step }: StoredJob,
  channel: Channel,
  variables: () => Variables,
): Content | { error: string } {
  const { skip: _, ...controls } = step.controlVariables ?? {};
  try {
    const rendered = renderDeep(controls, variables(), now) as Record<string, unknown>;
    return channel === 'in_app' ? inApp(rendered) : plain(channel, rendered);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function plain(channel: Channel, { subject, body }: Record<string, unknown>): Content {
  const said = text(subject);
  return {
    content: text(body) ?? '',
    ...(said === undefined ? {} : { subject: said }),
    ...(channel === 'push' && said !== undefined ? { title: said } : {}),
    cta: {},
  };
}

function inApp(controls: Record<string, unknown>): Content {
  const { subject, body, avatar, redirect, primaryAction, secondaryAction, data } = controls;
  const buttons = [...button('primary', primaryAction), ...button('secondary', secondaryAction)];
  const url = text(member(redirect, 'url')) ?? buttons[0]?.url;
  const said = text(subject);
  const picture = text(avatar);
  return {
    content: text(body) ?? '',
    ...(said ? { subject: said } : {}),
    ...(picture ? { avatar: picture } : {}),
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

function button(type: 'primary' | 'secondary', action: unknown) {
  const content = text(member(action, 'label'));
  if (!content) return [];
  return [{ type, content, url: text(member(member(action, 'redirect'), 'url')) }];
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const member = (value: unknown, name: string) => (isObject(value) ? value[name] : undefined);
