import { command } from '../../cli/command.ts';
import { counted } from '../../core/text.ts';
import { outputShape } from '../../output/printer.ts';
import * as result from '../../output/result.ts';
import { type connectControl, ifRunning, notEmulatedText } from '../../sandbox/control/client.ts';
import { clockText } from './clock/view.ts';
import { connectSandbox, profileNameOption } from './connect.ts';

export const status = command({
  summary: 'Show whether the sandbox is running, and what it contains',
  output:
    '{profile, baseUrl, running}; while it runs, also its storage, seed, record counts and pending jobs, and in notEmulated the requested routes of the service that the sandbox does not have: [{method, path, requests}]. If the sandbox is not running, the exit code is still 0. Without a sandbox profile, the exit code is 5. A table shows what people ask for, -o wide the rest.',
  exitCodes: ['notFound'],
  examples: {
    'svc sandbox status -p sandbox': 'Show state, address and record counts',
    'svc sandbox status -p sandbox --jq .running': 'Print true or false, for a script',
  },
  writes: false,
  tool: 'read',
  async run(context) {
    const { control, profile, baseUrl } = await connectSandbox(context);
    const response = await ifRunning(control.status());
    const value = { profile, baseUrl, running: response !== undefined, ...response };
    if (!response && profile !== null)
      context.note(`Start it with \`svc sandbox start --detach${profileNameOption(profile)}\`.`);
    const isTable = outputShape(context) === 'table' && context.settings.output !== 'wide';
    const clock = isTable && response ? await ifRunning(control.clock()) : undefined;
    const unknown = notEmulatedText(response?.notEmulated ?? []);
    const running = { field: 'running', header: 'RUNNING', value: () => (response ? 'yes' : 'no') };
    return result.one({
      value,
      fields: isTable
        ? [
            { field: 'profile', header: 'PROFILE' },
            running,
            { field: 'baseUrl', header: 'ADDRESS' },
            {
              field: 'page',
              header: 'PAGE',
              value: () => response && context.propose('svc sandbox open'),
            },
            { field: 'service', header: 'VERSION' },
            { field: 'now', header: 'TIME', value: () => clock && clockText(clock) },
            { field: 'data', header: 'DATA', value: () => response && dataText(response) },
            { field: 'storage', header: 'FOLDER' },
            {
              field: 'pendingJobs',
              header: 'PENDING',
              value: () => response && pendingText(response),
              time: true,
              tone: () => 'plain',
            },
            { field: 'notEmulated', header: 'NOT EMULATED', value: () => unknown },
          ]
        : Object.keys(value).map((field) => ({
            field,
            header: result.toHeader(field),
            ...(field === 'running' ? running : {}),
            ...(field === 'notEmulated' ? { value: () => unknown } : {}),
          })),
    });
  },
});

type Status = Awaited<ReturnType<ReturnType<typeof connectControl>['status']>>;

const dataText = ({ subscribers, topics, workflows, events, environments }: Status) =>
  [
    counted(subscribers, 'subscriber'),
    counted(topics, 'topic'),
    counted(workflows, 'workflow'),
    counted(events, 'event'),
    counted(environments, 'environment'),
  ].join(', ');

const pendingText = ({ pendingJobs, nextJobAt }: Status) =>
  `${counted(pendingJobs, 'job')}${nextJobAt ? `, the next at ${nextJobAt}` : ''}`;
