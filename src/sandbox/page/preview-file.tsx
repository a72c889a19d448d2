// A preview of a workflow as one HTML file that needs no server. It uses the components of the page.

import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import type { PreviewedStep } from '../engine/preview.ts';
import { style, withoutComments } from './assets.ts';
import { emailPolicy } from './email-document.ts';
import { clockTime, dateText } from './format.ts';
import frameScript from './frames.js?text';
import { Badge, Icons } from './icons.tsx';
import { Data } from './message.tsx';
import { Step } from './previewed-step.tsx';
import { Empty } from './shell.tsx';

export interface PreviewedWorkflow {
  name: string;
  /** The id of the subscriber; undefined for a subscriber without data. */
  subscriberId: string | undefined;
  payload: Record<string, unknown>;
  /** ISO time at which it was rendered. */
  time: string;
  steps: readonly PreviewedStep[];
}

const script = withoutComments(frameScript);

/**
 * E-mails inherit this policy, so it allows their style attributes. Nothing is loaded. The only script belongs to the
 * page, which makes the frames as high as their content; the frames themselves run none.
 */
const policy = `${emailPolicy}; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`;

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
      <script>{raw(script)}</script>
    </body>
  </html>
);
