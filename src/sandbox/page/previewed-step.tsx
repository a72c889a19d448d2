// One step of a previewed workflow: what it would send, or why it would be skipped or fail.

import { isObject } from '../../core/objects.ts';
import { counted, nonEmpty } from '../../core/text.ts';
import type { PreviewedStep } from '../engine/preview.ts';
import { findLinks } from '../templates/links.ts';
import { Content } from './content.tsx';
import { emailDocument } from './email-document.ts';
import { EmailFrame, type FrameSource } from './email-frame.tsx';
import { Links } from './email-tabs.tsx';
import { Badge } from './icons.tsx';
import { Data, VariableWarnings } from './message.tsx';
import { channels, stepTitle } from './message-names.ts';

export const stateNames = {
  shown: undefined,
  skipped: { state: 'skipped', text: 'Skipped' },
  failed: { state: 'failed', text: 'Failed' },
} as const;

interface StepProps {
  step: PreviewedStep;
  /** The source of the frame of an e-mail; by default its HTML. */
  frameOf?: (html: string) => FrameSource;
}

export const Step = ({ step, frameOf = (html) => ({ html }) }: StepProps) => {
  const { stepId, name, type, result, reason, content } = step;
  const state = stateNames[result];
  return (
    <section class="previewed" id={`step-${stepId}`} aria-label={name}>
      <h2>
        <Badge type={type} />
        <bdi>{name}</bdi>
        <span class="step-type">{stepTitle(type)}</span>
        {state ? <span class={`state ${state.state}`}>{state.text}</span> : null}
      </h2>
      {reason === null ? null : (
        <p class={result === 'failed' ? 'problem' : 'sentence'} dir="auto">
          {reason.slice(0, 1).toUpperCase()}
          {reason.slice(1)}.
        </p>
      )}
      <VariableWarnings problems={step} />
      {content === null ? null : <StepContent {...{ stepId, type, content, frameOf }} />}
    </section>
  );
};

interface ContentProps {
  stepId: string;
  type: string;
  content: Record<string, unknown>;
  frameOf: (html: string) => FrameSource;
}

const StepContent = ({ stepId, type, content, frameOf }: ContentProps) => {
  if (!channels.includes(type)) {
    const wait = waitText(type, content);
    return (
      <>
        {wait === undefined ? null : <p class="sentence">{wait}</p>}
        <Data name="Settings" value={content} />
      </>
    );
  }
  const subject = nonEmpty(content.subject);
  const body = nonEmpty(content.body) ?? '';
  if (type !== 'email')
    return <Content content={{ ...shownContent(type, content), subject, body }} />;
  const document = emailDocument(body);
  const links = findLinks(body, true);
  return (
    <>
      <p class="subject" dir="auto">
        {subject || '(no subject)'}
      </p>
      <EmailFrame
        group={stepId}
        title={`E-mail: ${subject ?? stepId}`}
        source={frameOf(document.html)}
        document={document}
      />
      {links.length === 0 ? null : (
        <details class="data">
          <summary>{counted(links.length, 'link')}</summary>
          <Links links={links} />
        </details>
      )}
    </>
  );
};

/** A sentence about the wait of a digest or delay; undefined if its settings are not understood. */
export function waitText(type: string, { amount, unit, cron }: Record<string, unknown>) {
  const verb = { digest: 'Collects events for', delay: 'Waits' }[type];
  if (verb === undefined) return undefined;
  if (typeof unit === 'string' && (typeof amount === 'number' || typeof amount === 'string'))
    return `${verb} ${amount} ${Number(amount) === 1 ? unit.replace(/s$/, '') : unit}.`;
  return (
    nonEmpty(cron) &&
    `${type === 'digest' ? 'Collects events' : 'Waits'} until the next time of ${cron}.`
  );
}

function shownContent(channel: string, content: Record<string, unknown>) {
  const actions = (['primary', 'secondary'] as const).flatMap((type) => {
    const action = content[`${type}Action`];
    const label = isObject(action) ? nonEmpty(action.label) : undefined;
    return isObject(action) && label ? [{ type, label, url: redirectUrl(action) }] : [];
  });
  return {
    channel,
    sender: stepTitle(channel),
    avatar: nonEmpty(content.avatar),
    url: redirectUrl(content) ?? actions[0]?.url,
    buttons: actions,
  };
}

const redirectUrl = ({ redirect }: Record<string, unknown>) =>
  isObject(redirect) ? nonEmpty(redirect.url) : undefined;
