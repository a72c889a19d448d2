// The deliveries of a run or of a canary on a terminal, drawn again and again: a head, the tables of the result, what is due
// next, and the keys.
import type { Context } from '../app/context.ts';
import { isSandboxTarget } from '../config/target.ts';
import { durationText, shortDuration, unitMs } from '../core/durations.ts';
import { canRedraw, type Frames, showFrames, showProgressLine } from '../output/progress-line.ts';
import { type Line, one, plainText } from '../output/result.ts';
import { openStyle, styledLine, wantsColor } from '../output/style.ts';
import { deliveriesRecord, finishedText } from './run-view.ts';
import type { DeliverySummary } from './summary.ts';

interface LiveViewOptions {
  /** The lines above the tables. Called for each frame. */
  head(summary: DeliverySummary, width: number): readonly Line[];
  /** The action of each key: `{ q: 'leave' }`. */
  keys: Readonly<Record<string, string>>;
}

interface LiveView {
  update(summary: DeliverySummary): Promise<void>;
  /** The next of the keys that is pressed. */
  pressedKey(): Promise<string>;
  /** Clears the frame. With `keepsFrame`, it stays without the keys. */
  stop(options?: { keepsFrame?: boolean }): void;
}

/**
 * Where a text cannot be replaced, a terminal gets a line when more recipients are finished, and a program that follows
 * the command gets the head.
 */
export async function openLiveView(context: Context, options: LiveViewOptions): Promise<LiveView> {
  if (canRedraw(context)) return openFrames(context, options);
  let text = 'Reading the deliveries.';
  let printed: string | undefined;
  return {
    update: async (summary) => {
      const line = finishedText(summary);
      if (context.host.stderr.isTty && line !== printed) context.note(line);
      printed = line;
      text = options.head(summary, Number.POSITIVE_INFINITY).map(plainText).join(' · ');
    },
    pressedKey: () => new Promise(() => undefined),
    stop: showProgressLine(context, () => text),
  };
}

async function openFrames(context: Context, { head, keys }: LiveViewOptions): Promise<LiveView> {
  const { host, settings, prompt } = context;
  const { stderr, env } = host;
  const style = await openStyle(wantsColor({ isTty: stderr.isTty, ...settings.color, env }), env);
  const { printRecord } = await import('../output/print.ts');
  const { wrapLines } = await import('../output/wrap.ts');
  let tables: string[] = [];
  let latest: DeliverySummary | undefined;
  const render = async (summary: DeliverySummary) => {
    let text = '';
    await printRecord(one({ value: {}, fields: [], parts: deliveriesRecord('', summary).parts }), {
      write: async (more) => {
        text += more;
      },
      hint: () => undefined,
      next: () => undefined,
      isTty: true,
      format: 'table',
      header: true,
      reveal: true,
      csvSafe: false,
      width: Math.max(1, stderr.columns - 1),
      style,
      unicode: settings.unicode,
      now: context.serviceNow,
    });
    tables = text.trimEnd().split('\n');
  };
  const styled = (lines: readonly Line[]) => lines.map((line) => styledLine(line, style).trimEnd());
  const drawing = () => {
    if (latest === undefined) return [];
    const width = stderr.columns - 1;
    const heading = wrapLines(head(latest, stderr.columns), width, 2);
    return [...styled(heading), ...tables, ...styled(dueLines(context, latest))];
  };
  const hasKeys = prompt.isPossible;
  const keyLine = Object.entries(keys)
    .map(([key, action]) => `${key} ${action}`)
    .join('   ');
  const frame = () => [
    ...drawing(),
    ...(hasKeys ? styled([[{ text: keyLine, tone: 'muted' }]]) : []),
  ];
  // Before the first deliveries, their reading shows its own progress.
  let frames: Frames | undefined;
  let press: (key: string) => void = () => undefined;
  const stopKeys = hasKeys
    ? await host.readKeys((key) => {
        if (Object.hasOwn(keys, key)) press(key);
      })
    : () => undefined;
  return {
    async update(summary) {
      await render(summary);
      latest = summary;
      frames ??= showFrames(context, frame);
      frames.draw();
    },
    pressedKey: () =>
      new Promise((resolve) => {
        press = resolve;
      }),
    stop({ keepsFrame = false } = {}) {
      stopKeys();
      frames?.stop(keepsFrame ? drawing() : undefined);
    },
  };
}

/** When the next step is due; in a sandbox, also the command that advances its clock. */
function dueLines(context: Context, { nextDueAt }: DeliverySummary): Line[] {
  const leftMs = Date.parse(nextDueAt ?? '') - context.serviceNow();
  if (!(leftMs > 0)) return [];
  const seconds = Math.ceil(leftMs / unitMs.s) * unitMs.s;
  const advance = context.propose(`svc sandbox clock advance ${durationText(seconds)}`);
  return [
    '',
    [{ text: `Next step due in ${shortDuration(seconds)}`, tone: 'warn' }],
    ...(isSandboxTarget(context.connection.target()) ? [`  ${advance}`] : []),
  ];
}
