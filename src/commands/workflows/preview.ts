import { command } from '../../cli/command.ts';
import { flag, json, required, several, text } from '../../cli/options.ts';

export const preview = command({
  summary: 'Show what each step of a workflow would send to a subscriber',
  details:
    'A server since 3.15 renders the steps of its workflows; svc passes it the payload and the data of the subscriber. Nothing is delivered. With --local, and for other servers, svc renders the templates on this machine, and also if the preview of the server ignores a given field of the payload, because the payloadSchema of the workflow lacks it. A file is always rendered on this machine, before any push, with the layouts beside it, and without a request unless --to names a subscriber. A step that would be skipped is shown with its reason: its condition, the preferences or the schedule of the subscriber, or a missing address. A digest contains the payload as its only event. Without --to, the subscriber has no data. On this machine, variables of the environment and of the actor (env.name, actor.firstName) are shown as in the template; a server shows the values of the environment and a sample actor.',
  arguments: {
    workflowId: required(
      '<workflow-id|file>',
      'Identifier of the workflow, or a workflow file such as workflows/welcome.yaml',
      { complete: 'workflows', value: 'idOrPath' },
    ),
  },
  options: {
    to: text('--to <subscriber-id>', 'Use the data and preferences of this subscriber', {
      complete: 'subscribers',
    }),
    step: text('--step <step-id>', 'Show only this step', { complete: 'steps' }),
    payload: json('--payload <json|@file|->', 'Data for the templates'),
    field: several('-f, --field <key=text>', 'A field of the payload; a.b=x sets a nested field'),
    jsonField: several('-F, --json-field <key:=json>', 'Like -f, with a JSON value'),
    local: flag('--local', 'Render on this machine, without the preview of the server'),
    html: flag('--html', 'Show e-mails as HTML instead of text'),
    open: flag(
      '--open',
      'Write the preview to an HTML file and open it in the browser; if no browser can be started, print the path of the file',
      { tool: false },
    ),
  },
  output:
    'The content of each step, with e-mails as text and their links numbered; as JSON, a list of {stepId, name, type, result, reason, content, missingVariables, objectVariables} with the result shown, skipped or failed, and the HTML of e-mails. With --open, the path of the file; as JSON, {file, opened}. Only you can read the file; a later run removes it after a day. missingVariables and objectVariables list the variables, as {template, variable}, that are missing or null without a default, or are printed as an object. The exit code is 3 if a step cannot be rendered.',
  fields: [
    ...['stepId', 'name', 'type', 'result', 'reason', 'content'],
    ...['missingVariables', 'objectVariables'],
  ],
  exitCodes: ['partial'],
  examples: {
    'svc workflows preview welcome --to u1 -f product=svc': 'All steps',
    'svc workflows preview workflows/welcome.yaml -f product=svc': 'A file, before it is pushed',
    "svc workflows preview welcome --step welcome-email --to u1 --jq '.[0].content.body' > mail.html":
      'Write the HTML of an e-mail to a file',
    'svc workflows preview welcome --to u1 -f product=svc --open':
      'See all messages in the browser',
  },
  operations: [
    'getWorkflow',
    'getSubscriber',
    'getSubscriberPreferences',
    'getLayout',
    'previewWorkflowStep',
  ],
  writes: false,
  tool: 'read',
  async run(context, { args: { workflowId }, options }) {
    const { previewWorkflow } = await import('./preview-workflow.ts');
    const { readPayload } = await import('../../input/assignments.ts');
    const payload = await readPayload(options, context.host);
    return previewWorkflow(context, workflowId, { ...options, payload });
  },
});
