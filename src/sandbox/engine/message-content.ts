// The properties of a message, from the output of its step.

import { asObject, isObject, type JsonObject } from '../../core/objects.ts';
import { nonEmpty } from '../../core/text.ts';
import type { VariableProblems } from '../../core/variable-problems.ts';
import type { MessageCta } from '../../service/schemas/message.ts';
import type { SentParts } from '../store/messages.ts';
import type { Link } from '../templates/links.ts';

export interface Content {
  content: string;
  subject?: string;
  title?: string;
  avatar?: string;
  cta: MessageCta;
  /** The targets of an in-app message: its buttons with their labels, and the message itself without text. */
  links?: Link[];
  data?: Record<string, unknown>;
  /** The sender that an e-mail step names, and its address for replies. */
  sent?: SentParts;
  /** Absent if there are none. */
  problems?: VariableProblems;
}

/** The content of a message, from the output of its step. `problems`: those of its templates. */
export function toContent(
  channel: string,
  output: JsonObject,
  { missingVariables, objectVariables }: VariableProblems,
): Content {
  const content = channel === 'in_app' ? inAppContent(output) : plainContent(channel, output);
  if (missingVariables.length + objectVariables.length === 0) return content;
  return { ...content, problems: { missingVariables, objectVariables } };
}

function plainContent(channel: string, controls: JsonObject): Content {
  const subject = stringOrUndefined(controls.subject);
  return {
    content: stringOrUndefined(controls.body) ?? '',
    ...(subject === undefined ? {} : { subject }),
    ...(channel === 'email' ? { sent: senderOf(controls) } : {}),
    ...(channel === 'push' && subject !== undefined ? { title: subject } : {}),
    cta: {},
  };
}

function senderOf({ from, replyTo }: JsonObject): SentParts {
  const { email, name } = asObject(from);
  return {
    from: nonEmpty(email),
    senderName: nonEmpty(name),
    replyTo: typeof replyTo === 'string' ? nonEmpty(replyTo.trim()) : undefined,
  };
}

function inAppContent(controls: JsonObject): Content {
  const { body, redirect, primaryAction, secondaryAction, data } = controls;
  const buttons = [
    ...toButtons('primary', primaryAction),
    ...toButtons('secondary', secondaryAction),
  ];
  const target = toRedirect(redirect);
  const links = [
    ...(target.url ? [{ url: target.url, text: '' }] : []),
    ...buttons.flatMap(({ content: text, url }) => (url ? [{ url, text }] : [])),
  ];
  const subject = stringOrUndefined(controls.subject);
  const avatar = stringOrUndefined(controls.avatar);
  return {
    content: stringOrUndefined(body) ?? '',
    ...(subject ? { subject } : {}),
    ...(avatar ? { avatar } : {}),
    ...(isObject(data) ? { data } : {}),
    ...(links.length === 0 ? {} : { links }),
    cta: {
      type: 'redirect',
      ...(Object.keys(target).length === 0 ? {} : { data: target }),
      action: { buttons },
    },
  };
}

function toButtons(type: 'primary' | 'secondary', action: unknown) {
  if (!isObject(action)) return [];
  const content = stringOrUndefined(action.label) ?? '';
  return [{ type, content, ...toRedirect(action.redirect) }];
}

function toRedirect(redirect: unknown): { url?: string; target?: string } {
  const members = asObject(redirect);
  const url = stringOrUndefined(members.url);
  const target = stringOrUndefined(members.target);
  return { ...(url === undefined ? {} : { url }), ...(target === undefined ? {} : { target }) };
}

const stringOrUndefined = (value: unknown) => (typeof value === 'string' ? value : undefined);
