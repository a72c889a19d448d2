// The result of a replay as one HTML file that loads nothing: each kind of change with the messages before and after.
import { stringifyExact } from '../core/lossless-json.ts';
import { plainText } from '../output/result.ts';
import { stepResults } from './differences.ts';
import { confidenceText, exampleLines, leftOutText, type ReplayReport } from './report.ts';
import type { ChangeGroup, Example } from './summary.ts';

export function replayPage(report: ReplayReport): string {
  const { replay, before, after, leftOut } = report;
  const head = ['Workflow', 'Channel', 'Events', ...stepResults];
  const cells = replay.rows.map(({ workflow, channel, events, ...counts }) => [
    ...[workflow, channel, String(events)],
    ...stepResults.map((name) => String(counts[name])),
  ]);
  const row = (tag: 'th' | 'td', texts: readonly string[]) =>
    `<tr>${texts.map((text) => `<${tag}>${asHtml(text)}</${tag}>`).join('')}</tr>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'">
<title>Replay: ${asHtml(before)} and ${asHtml(after)}</title>
<style>${style}</style>
<h1>${asHtml(before)} → ${asHtml(after)}</h1>
<p>${asHtml(confidenceText(replay))}</p>
${leftOut.size > 0 ? `<p>Left out: ${asHtml(leftOutText(leftOut))}</p>` : ''}
<table>${row('th', head)}${cells.map((texts) => row('td', texts)).join('')}</table>
${replay.groups.map((group) => groupSection(group, report)).join('\n')}
</html>
`;
}

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } th, td { padding: .25rem .75rem; text-align: left; border-bottom: 1px solid #8884; }
section { margin-top: 2rem; } h2 { font-size: 1.1rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1rem; }
figure { margin: 0; border: 1px solid #8886; border-radius: 6px; overflow: hidden; }
figcaption { padding: .25rem .75rem; border-bottom: 1px solid #8884; font-weight: 600; }
iframe { width: 100%; height: 28rem; border: 0; background: #fff; }
pre { margin: 0; padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.none { padding: .75rem; color: #888; }
`;

const groupSection = (
  { steps, workflow, step, result, cause, examples }: ChangeGroup,
  report: ReplayReport,
) =>
  `<section><h2>${steps} × ${asHtml(workflow)}, ${asHtml(step)}: ${result}</h2><p>${asHtml(cause)}</p>
${examples.map((example) => exampleHtml(example, report)).join('\n')}</section>`;

const exampleHtml = (example: Example, { showsContent }: ReplayReport) => {
  const [first = ''] = exampleLines(example, { showsContent: false }).map(plainText);
  const pair = showsContent
    ? `<div class="pair">${messageHtml('Before', example.before, example.channel)}${messageHtml('After', example.after, example.channel)}</div>`
    : '';
  return `<p>${asHtml(first)}</p>${pair}`;
};

function messageHtml(
  title: string,
  content: Record<string, unknown> | undefined,
  channel: string,
): string {
  const caption = `<figcaption>${title}</figcaption>`;
  if (!content) return `<figure>${caption}<div class="none">No message</div></figure>`;
  const { body, ...rest } = content;
  const isHtml = channel === 'email' && typeof body === 'string';
  const fields = Object.entries(isHtml ? rest : content).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : stringifyExact(value)}`,
  );
  const frame = isHtml ? `<iframe sandbox srcdoc="${asHtml(body)}" title="${title}"></iframe>` : '';
  return `<figure>${caption}<pre>${asHtml(fields.join('\n'))}</pre>${frame}</figure>`;
}

const asHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
