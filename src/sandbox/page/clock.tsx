// The clock of the sandbox, with a slider that advances it. The jobs that are due next are ticks on the slider.

import { shortDuration, unitMs } from '../../core/durations.ts';
import { counted } from '../../core/text.ts';
import { toIso } from '../store/clock.ts';
import type { ComingJobs } from '../store/page-overview.ts';
import { clockTime, dateText, shortTime } from './format.ts';
import { FormOrigin } from './forms.tsx';
import { Icon } from './icons.tsx';
import { stepTitle } from './message-names.ts';
import { percent } from './outcome-counts.tsx';
import type { View } from './view.ts';

const { m, h, d } = unitMs;
/** Durations that a person may want to pass. */
const durations = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * m),
  ...[1, 2, 3, 4, 6, 8, 12].map((count) => count * h),
  ...[1, 2, 3, 7, 14, 30].map((count) => count * d),
];
const preselected = h;
const maxTicks = 10;

/** A place of the slider. */
interface Stop {
  ms: number;
  /** Milliseconds, or the time at which jobs are due. */
  value: string;
  text: string;
  isDue: boolean;
}

/** The durations and the times at which jobs are due, in order. */
function stopsOf({ now, coming }: View): Stop[] {
  const start = Date.parse(now);
  const textOf = (ms: number) => {
    const iso = toIso(start + ms);
    const date = iso.slice(0, 10) === now.slice(0, 10) ? '' : `${dateText(iso)}, `;
    return `in ${shortDuration(ms)} · ${date}${shortTime(iso)}`;
  };
  const ticks = new Map<number, ComingJobs[]>();
  for (const jobs of coming) {
    if (jobs.dueAt <= start) continue;
    const place = Math.floor(jobs.dueAt / m);
    const same = ticks.get(place);
    if (same) same.push(jobs);
    else if (ticks.size < maxTicks) ticks.set(place, [jobs]);
  }
  const due = [...ticks.values()].map((jobs) => {
    const ms = Math.max(...jobs.map(({ dueAt }) => dueAt)) - start;
    const text = `${textOf(ms)} · ${jobs.map(jobsText).join(', ')}`;
    return { ms, value: toIso(start + ms), text, isDue: true };
  });
  const plain = durations
    .filter((ms) => !due.some((stop) => Math.abs(stop.ms - ms) < m))
    .map((ms) => ({ ms, value: String(ms), isDue: false, text: textOf(ms) }));
  return [...due, ...plain].sort((a, b) => a.ms - b.ms);
}

const jobsText = ({ workflow, type, count }: ComingJobs) => {
  const name = workflow?.name ?? 'Another environment';
  return count === 1 ? `${name}: ${stepTitle(type)}` : `${name}: ${counted(count, type)}`;
};

/** Without the script, the places of the slider are options to choose from. */
export const Clock = ({ view }: { view: View }) => {
  const stops = stopsOf(view);
  const due = stops.findIndex(({ isDue }) => isDue);
  const place = due === -1 ? stops.findIndex(({ ms }) => ms === preselected) : due;
  const [first = '', ...rest] = stops[place]?.text.split(' · ') ?? [];
  return (
    <form class="clock" method="post" action="/page/clock" data-region="clock">
      <FormOrigin view={view} />
      <p class="time">
        <Icon name="clock" />
        <time datetime={view.now} data-clock={view.isFrozen ? 'frozen' : 'running'}>
          <b>{clockTime(view.now)}</b> <span>{dateText(view.now)}</span>
        </time>
        <span class="zone">UTC{view.isFrozen ? <span>, frozen</span> : null}</span>
      </p>
      <fieldset class="steps">
        <legend>Advance the clock</legend>
        <div class="slide">
          <svg class="ticks" aria-hidden="true">
            {stops.map(({ isDue }, index) => (
              <circle
                class={isDue ? 'due' : undefined}
                cx={percent((100 * index) / (stops.length - 1))}
                cy="50%"
                r={isDue ? 2.5 : 1}
              />
            ))}
          </svg>
          <input
            type="range"
            id="slide"
            max={stops.length - 1}
            value={place}
            aria-label="Time to advance to"
            aria-valuetext={stops[place]?.text}
          />
        </div>
        <select name="advance" id="advance" aria-label="Time to advance to">
          {stops.map(({ value, text }, index) => (
            <option value={value} selected={index === place}>
              {text}
            </option>
          ))}
        </select>
        <output for="slide" class="stop">
          <b>{first}</b>
          <span>{rest.join(' · ')}</span>
        </output>
        <button type="submit" id="advance-now" class="next">
          Advance
        </button>
      </fieldset>
    </form>
  );
};
