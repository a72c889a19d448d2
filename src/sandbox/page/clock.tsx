// The clock of the sandbox, with buttons that advance it.
import { unitMs } from '../../core/durations.ts';
import { FormOrigin } from './form-origin.tsx';
import { clockTime, dateText, shortDuration } from './format.ts';
import { Icon } from './icons.tsx';
import type { View } from './view.ts';

const steps = [
  { text: '+1 min', words: 'one minute', ms: unitMs.m },
  { text: '+10 min', words: 'ten minutes', ms: 10 * unitMs.m },
  { text: '+1 h', words: 'one hour', ms: unitMs.h },
  { text: '+1 day', words: 'one day', ms: unitMs.d },
] as const;

export const Clock = ({ view }: { view: View }) => (
  <form class="clock" method="post" action="/page/clock" data-region="clock">
    <FormOrigin view={view} />
    <p class="time">
      <Icon name="clock" />
      <time datetime={view.now} data-clock={view.isFrozen ? 'frozen' : 'running'}>
        <b>{clockTime(view.now)}</b> <span>{dateText(view.now)}</span>
      </time>
      <span class="zone">{view.isFrozen ? 'UTC, frozen' : 'UTC'}</span>
    </p>
    <fieldset class="steps">
      <legend>Advance the clock</legend>
      {steps.map(({ text, words, ms }) => (
        <button
          type="submit"
          id={`advance-${ms}`}
          name="advance"
          value={String(ms)}
          aria-label={`${text}: advance the clock by ${words}`}
        >
          {text}
        </button>
      ))}
      <NextStep now={view.now} due={view.nextDue} />
    </fieldset>
  </form>
);

/**
 * Advances the clock to the end of the digest or delay that is due next. Without one, the button keeps its place and
 * the focus, so that the others do not move under the pointer.
 */
const NextStep = ({ now, due }: { now: string; due: string | undefined }) => (
  <button
    type="submit"
    class="next"
    id="advance-next"
    name="advance"
    value="next"
    aria-disabled={due === undefined ? 'true' : undefined}
    title={due && `A digest or delay ends on ${dateText(due)} at ${clockTime(due)}`}
  >
    {due === undefined ? (
      'No step is waiting'
    ) : (
      <>
        Next step <span>in {shortDuration(Date.parse(due) - Date.parse(now))}</span>
      </>
    )}
  </button>
);
