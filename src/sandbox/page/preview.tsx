// A preview of a workflow as one HTML file that needs no server and no script. It uses the components of the page.
import { raw } from 'hono/html';
import { isObject } from '../../core/objects.ts';
import type { TemplateVariable } from '../../core/variable-problems.ts';
import { Content, EmailFrame } from './content.tsx';
import { emailDocument } from './email-document.ts';
import { clockTime, dateText } from './format.ts';
import { Badge, Icons } from './icons.tsx';
import { Data, Links, VariableWarnings } from './message.tsx';
import { channels, stepTitle } from './message-text.ts';
import { Empty } from './shell.tsx';
import { style } from './style/index.ts';

export interface PreviewedStep {
  stepId: string;
  name: string;
  type: string;
  result: 'shown' | 'skipped' | 'failed';
  /** Why the step would be skipped or fail. */
  reason: string | null;
  content: Record<string, unknown> | null;
  /** Empty unless the step is shown. */
  missingVariables: TemplateVariable[];
  objectVariables: TemplateVariable[];
}

export interface PreviewedWorkflow {
  name: string;
  /** The id of the subscriber; undefined for a subscriber without data. */
  subscriberId: string | undefined;
  payload: Record<string, unknown>;
  /** ISO time at which it was rendered. */
  time: string;
  steps: readonly PreviewedStep[];
}

/** E-mails inherit this policy, so it allows their style attributes. Nothing is loaded and no script runs. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

export const previewDocument = (workflow: PreviewedWorkflow): string =>
  `<!doctype html>${String(<PreviewPage {...workflow} />)}\n`;

const PreviewPage = ({ name, subscriberId, payload, time, steps }: PreviewedWorkflow) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="content-security-policy" content={policy} />
      <meta name="referrer" content="no-referrer" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${name} · preview`}</title>
      <style>{raw(style)}</style>
    </head>
    <body class="preview">
      <main>
        <header>
          <p class="kind">
            <Badge type="trigger" />
            Preview of a workflow
          </p>
          <h1 class="title" dir="auto">
            {name}
          </h1>
          <dl class="facts">
            <div>
              <dt>Subscriber</dt>
              <dd>
                <bdi>{subscriberId ?? 'without data'}</bdi>
              </dd>
            </div>
            <div>
              <dt>Rendered</dt>
              <dd>
                <time datetime={time}>
                  {dateText(time)}, {clockTime(time)} UTC
                </time>
              </dd>
            </div>
          </dl>
          <Data name="Payload" value={payload} />
        </header>
        {steps.length === 0 ? <Empty title="The workflow has no steps" /> : null}
        {steps.map((step) => (
          <Step step={step} />
        ))}
      </main>
      <Icons />
    </body>
  </html>
);

const stateNames = {
  shown: undefined,
  skipped: { state: 'skipped', text: 'Skipped' },
  failed: { state: 'failed', text: 'Failed' },
} as const;

const Step = ({ step }: { step: PreviewedStep }) => {
  const { stepId, name, type, result, reason, content } = step;
  const state = stateNames[result];
  return (
    <section class="previewed" aria-label={name}>
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
      {content === null ? null : <StepContent {...{ stepId, type, content }} />}
    </section>
  );
};

interface ContentProps {
  stepId: string;
  type: string;
  content: Record<string, unknown>;
}

const StepContent = ({ stepId, type, content }: ContentProps) => {
  if (!channels.includes(type)) {
    const wait = waitText(type, content);
    return (
      <>
        {wait === undefined ? null : <p class="sentence">{wait}</p>}
        <Data name="Settings" value={content} />
      </>
    );
  }
  const subject = text(content.subject);
  const body = text(content.body) ?? '';
  if (type !== 'email')
    return <Content content={{ ...shownContent(type, content), subject, body }} />;
  const document = emailDocument(body);
  return (
    <>
      <p class="subject" dir="auto">
        {subject || '(no subject)'}
      </p>
      <EmailFrame
        group={stepId}
        title={`E-mail: ${subject ?? stepId}`}
        source={{ html: document.html }}
        document={document}
      />
      <Links links={document.links} />
    </>
  );
};

/** A sentence about the wait of a digest or delay; undefined if its settings are not understood. */
function waitText(type: string, { amount, unit, cron }: Record<string, unknown>) {
  const verb = { digest: 'Collects events for', delay: 'Waits' }[type];
  if (verb === undefined) return undefined;
  if (typeof unit === 'string' && (typeof amount === 'number' || typeof amount === 'string'))
    return `${verb} ${amount} ${Number(amount) === 1 ? unit.replace(/s$/, '') : unit}.`;
  return (
    text(cron) &&
    `${type === 'digest' ? 'Collects events' : 'Waits'} until the next time of ${cron}.`
  );
}

function shownContent(channel: string, content: Record<string, unknown>) {
  const actions = (['primary', 'secondary'] as const).flatMap((type) => {
    const action = content[`${type}Action`];
    const label = isObject(action) ? text(action.label) : undefined;
    return isObject(action) && label ? [{ type, label, url: urlOf(action) }] : [];
  });
  return {
    channel,
    sender: stepTitle(channel),
    avatar: text(content.avatar),
    url: urlOf(content) ?? actions[0]?.url,
    buttons: actions,
  };
}

const urlOf = ({ redirect }: Record<string, unknown>) =>
  isObject(redirect) ? text(redirect.url) : undefined;

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
