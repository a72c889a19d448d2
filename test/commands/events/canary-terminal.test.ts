// A canary on a terminal: the keys while it waits, and the questions at its end.
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { eventsPerRequest, openRecipients, readActivity, trigger } from './canary-rig.ts';

interface Person {
  /** A key, or `signal` for Ctrl-C. */
  key?: string;
  answer?: boolean;
  columns?: number;
  rate?: string;
  /** The responses to cancel requests. */
  deletions?: boolean[];
}

/** Triggers with a canary of two events; the person presses the key while they wait. */
async function run(
  status: string,
  { key, answer = false, columns = 80, rate = '95%', deletions = [true, false] }: Person = {},
) {
  const { rig, file } = await openRecipients();
  const line = trigger(file, '2', '--canary-timeout', '20s', '--canary-rate', rate).filter(
    (word) => word !== '--json',
  );
  const stdin = new PassThrough();
  const questions: string[] = [];
  const onPrompt = (text: string) => {
    const drawn = stripVTControlCharacters(text).replace(/\s+/g, ' ');
    const [, question] = /\? (.*\?) \(y\/N\)/.exec(drawn) ?? [];
    if (question === undefined || questions.includes(question)) return;
    questions.push(question);
    setImmediate(() => stdin.write(answer ? 'y\n' : 'n\n'));
  };
  let press: (key: string) => void = () => undefined;
  const left = [...deletions];
  const signal = new AbortController();
  let polls = 0;
  let firstId: string | undefined;
  const [first = status, others = first] = status.split(', ');
  const activity = readActivity((id) => {
    firstId ??= id;
    polls += 1;
    if (polls === 10 && key === 'signal') signal.abort('SIGINT');
    else if (polls === 10 && key !== undefined) press(key);
    return id === firstId ? first : others;
  });
  rig.answerBy(({ method, url }) => {
    if (method === 'DELETE') return { status: 200, body: { data: left.shift() } };
    return method === 'GET' && url.pathname === '/v1/notifications' ? activity(url) : undefined;
  });
  const ran = await rig.svc(line, {
    tty: true,
    columns,
    stdin,
    onPrompt,
    shutdownSignal: signal.signal,
    readKeys: async (onKey) => {
      press = onKey;
      return () => undefined;
    },
  });
  const cancelled = ran.requests.filter(({ line }) => line.startsWith('DELETE '));
  return {
    ...ran,
    polls,
    questions,
    sent: eventsPerRequest(ran.requests),
    cancelled: cancelled.length,
  };
}

describe('a key while the canary waits', () => {
  it('q stops the run without a question', async () => {
    const { code, sent, questions, cancelled, polls, ...ran } = await run('queued', { key: 'q' });
    expect({ code, sent, questions, cancelled }).toEqual({
      ...{ code: 9, sent: [2], questions: [], cancelled: 0 },
    });
    expect(polls).toBeLessThan(14);
    expect(ran.stdout).toContain('Stopped. 2 of 30 sent; 28 not sent.');
    expect(ran.stderr).toContain('q stop the run here   c stop, and cancel what is pending');
  });

  it.each([
    [true, 2],
    [false, 0],
  ])('c stops it, and cancels what is pending after %s', async (answer, count) => {
    const ran = await run('queued', { key: 'c', answer });
    expect(ran).toMatchObject({
      ...{ code: 9, sent: [2], cancelled: count },
      questions: ['Cancel what is pending of 2 events?'],
    });
    const note = 'Cancelled pending jobs of 1 of 2 events.\n';
    expect(ran.stderr.includes(note)).toBe(answer);
  });
});

it('counts the events that still had something to cancel', async () => {
  const { stderr, code } = await run('queued', { key: 'c', answer: true, deletions: [true, true] });
  expect(code).toBe(9);
  expect(stderr).toContain('Cancelled pending jobs of 2 of 2 events.\n');
});

describe('the question of a canary that did not pass', () => {
  const questions = ['The canary did not pass. Send the other rows anyway?'];

  it.each([
    [true, 0, [2, 28]],
    [false, 9, [2]],
  ])('with the answer %s', async (answer, code, sent) => {
    const ran = await run('failed', { answer });
    expect(ran).toMatchObject({ code, sent, questions });
    expect(ran.stdout.includes('Stopped. 2 of 30 sent; 28 not sent.')).toBe(!answer);
  });

  it('is not asked after a signal', async () => {
    const { code, sent, questions: asked } = await run('queued', { key: 'signal', answer: true });
    expect({ code, sent, asked }).toEqual({ code: 3, sent: [2], asked: [] });
  });

  it('is not asked if it passed', async () => {
    expect(await run('completed', {})).toMatchObject({ code: 0, sent: [2, 28], questions: [] });
  });
});

describe('the bar', () => {
  const barOf = async (status: string, person: Person) => {
    const { stderr, code } = await run(status, person);
    const bars = [...stderr.matchAll(/\rCanary ([█▓▒░│]+) {2}│ at least /g)];
    return { code, bar: bars.at(-1)?.[1] };
  };

  it.each([
    [40, `${'█'.repeat(5)}${'▓'.repeat(5)}│`],
    [60, `${'█'.repeat(13)}${'▓'.repeat(11)}│▓`],
    [61, `${'█'.repeat(13)}${'▓'.repeat(12)}│▓`],
    [80, `${'█'.repeat(20)}${'▓'.repeat(18)}│▓▓`],
    [200, `${'█'.repeat(20)}${'▓'.repeat(18)}│▓▓`],
  ])('fits %i columns, with a tick at the rate', async (columns, bar) => {
    expect(await barOf('completed, failed', { columns })).toEqual({ code: 9, bar });
  });

  it.each([
    ['0%', `${'█'.repeat(20)}${'▓'.repeat(20)}`],
    ['25%', `${'█'.repeat(10)}│${'█'.repeat(10)}${'▓'.repeat(20)}`],
    ['50%', `${'█'.repeat(20)}│${'▓'.repeat(20)}`],
    ['100%', `${'█'.repeat(20)}${'▓'.repeat(20)}│`],
  ])('has its tick at %s', async (rate, bar) => {
    const code = rate === '100%' ? 9 : 0;
    expect(await barOf('completed, failed', { rate })).toEqual({ code, bar });
  });

  it('leaves out skipped events', async () => {
    expect(await barOf('completed, skipped', {})).toEqual({
      ...{ code: 0, bar: `${'█'.repeat(38)}│██` },
    });
  });

  it('has the time that is left below it, but not at the end', async () => {
    const { stderr, code } = await run('queued');
    expect(code).toBe(9);
    const texts = [...stderr.matchAll(/2 waiting(; \d+s left)?(?=\x1b)/g)].map(([, left]) => left);
    expect(texts.slice(0, 2)).toEqual(['; 20s left', '; 20s left']);
    expect(texts.at(-1)).toBeUndefined();
    // The last frame stays, without the keys.
    expect(stderr.slice(stderr.lastIndexOf('cancel what is pending'))).toContain('By channel');
  });
});
