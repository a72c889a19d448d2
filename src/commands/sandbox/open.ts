import { command } from '../../cli/command.ts';
import { flag } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { openSecretLink } from '../../platform/open-browser.ts';
import { linkLifetimeMs } from '../../sandbox/control/client.ts';
import { callControl, connectSandbox, noteChosenSandbox } from './connect.ts';

export const open = command({
  summary: "Open the sandbox's web page in the browser",
  details:
    'The page shows captured messages as people would see them, the inboxes of subscribers, what happened to each event, the requests of applications, and the steps of workflows. It follows the sandbox live and has a slider that advances the clock. svc opens it through a link that works once, within a minute. Without a browser, or with --no-browser, svc prints the link. The page is only available on loopback.',
  options: { noBrowser: flag('--no-browser', 'Print the link; do not open a browser') },
  output:
    'The link; on a terminal, a message that the page was opened. As JSON, {url, opened, profile}; opened is true if a browser was started.',
  exitCodes: ['notFound'],
  examples: {
    'svc sandbox open -p sandbox': 'See what the sandbox captured',
    'svc sandbox open --no-browser -p sandbox': 'Print the link, for a browser on another desktop',
  },
  writes: false,
  tool: 'none',
  async run(context, { options: { noBrowser } }) {
    const connected = await connectSandbox(context);
    noteChosenSandbox(context, connected);
    const { url } = await callControl(connected, (control) => control.createPageLink());
    const opened = !noBrowser && (await openSecretLink(context.host, url, linkLifetimeMs));
    if (!opened) context.note('Open this link in a browser within a minute. It works once.');
    return result.report({
      value: { url, opened, profile: connected.profile },
      lines: opened
        ? [
            `Opened the web page of the ${connected.title} in the browser.`,
            `If you do not see it, run: ${context.propose('svc sandbox open --no-browser')}`,
          ]
        : [[{ text: url }]],
      ids: [url],
      tsv: url,
    });
  },
});
