// Runs on people that are killed at random points, against an unreliable service, and resumed: `topics sync`,
// `preferences copy` and `erase`. At the end the stored data is as if nothing had happened.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { developmentId } from '../../src/sandbox/store/ids.ts';
import { findPreferences, savePreference } from '../../src/sandbox/store/preferences.ts';
import type { Scope } from '../../src/sandbox/store/scope.ts';
import { insertSubscriber } from '../../src/sandbox/store/subscribers.ts';
import { insertSubscription, insertTopic } from '../../src/sandbox/store/topics.ts';
import { openHome } from '../support/built.ts';
import { heavyFaults, openChaosProxy, seeded } from '../support/chaos-proxy.ts';
import { testKey } from '../support/fixed.ts';

/** Each takes as long as four rounds of an import. */
const rounds = Math.ceil(Number(process.env.CHAOS_ROUNDS ?? 4) / 4);

/** Opens a home and a service with these people, whose internal ids are returned. */
async function openRound(round: number, ids: readonly string[]) {
  const proxy = await openChaosProxy(round, heavyFaults);
  const home = openHome();
  Object.assign(home.env, { SVC_BASE_URL: proxy.baseUrl, SVC_API_KEY: testKey });
  const scope = proxy.store.scope(developmentId);
  const people = new Map(ids.map((id) => [id, insertSubscriber(scope, id, {})]));
  const write = (lines: readonly string[]) => {
    const file = path.join(home.folder, 'people.txt');
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  };
  return { proxy, home, scope, people, write };
}

type Round = Awaited<ReturnType<typeof openRound>>;

/** Runs the line, kills it at random, and resumes it until it has finished. Returns its summary. */
async function runUntilFinished(
  { home }: Round,
  line: readonly string[],
  random: () => number,
  killMs: number,
  isFinished = ({ code }: { code: number | null; stdout: string }) => code === 0,
): Promise<Record<string, unknown>> {
  const run = (argv: readonly string[], isKilled: boolean) => {
    const started = home.start([...argv, '--json']);
    const kill = () => started.process.kill('SIGKILL');
    const timer = isKilled ? setTimeout(kill, 300 + random() * killMs) : undefined;
    return started.ended.finally(() => clearTimeout(timer));
  };
  let result = await run(line, random() < 0.9);
  for (let attempt = 1; !isFinished(result); attempt += 1) {
    expect(attempt, `does not finish: ${result.stderr}`).toBeLessThan(60);
    const runs = (await home.svc(['runs', 'list', '-o', 'ids'])).stdout.split('\n');
    const argv = runs[0] ? ['runs', 'resume', runs[0]] : line;
    result = await run(argv, random() < 0.4);
  }
  return JSON.parse(result.stdout) as Record<string, unknown>;
}

/** A deletion whose response is lost leaves the preferences `unknown`: nothing proves that they are gone. */
const isErased = ({ code, stdout }: { code: number | null; stdout: string }) =>
  code === 0 ||
  ([3, 6].includes(code ?? 0) && (JSON.parse(stdout) as { stopped: unknown }).stopped === null);

const firstIds = (count: number) => Array.from({ length: count }, (_unused, index) => `p${index}`);

const subscribed = ({ sql }: Scope) =>
  sql
    .all<{ id: string }>(
      "SELECT s.subscriber_id AS id FROM subscriptions x JOIN subscribers s ON s.id = x.subscriber JOIN topics t ON t.id = x.topic WHERE t.key = 'chaos'",
    )
    .map(({ id }) => id)
    .sort();

const options = { timeout: 3_600_000 };

describe('a run that is killed and resumed', () => {
  it(`of topics sync makes the topic equal to the file, in ${rounds} rounds`, options, async () => {
    for (let round = 1; round <= rounds; round += 1) {
      const random = seeded(round);
      const ids = firstIds(300 + Math.floor(random() * 500));
      const opened = await openRound(round, ids);
      const { proxy, scope, people, write } = opened;
      const topic = insertTopic(scope, { key: 'chaos' });
      const before = ids.filter(() => random() < 0.5);
      for (const id of before)
        insertSubscription(scope, {
          topic: topic.id,
          subscriber: people.get(id) ?? '',
          identifier: id,
        });
      const wanted = ids.filter(() => random() < 0.5);
      const line = ['topics', 'sync', 'chaos', write(wanted), '--max-delete', '100%', '--yes'];
      const summary = await runUntilFinished(opened, line, random, 1_500);
      expect(subscribed(scope), `round ${round}`).toEqual([...wanted].sort());
      expect(summary, `round ${round}`).toMatchObject({ failed: 0, invalid: 0, unknown: 0 });
      // A run that was killed before its plan was on disk has changed nothing.
      expect([summary.added, summary.removed, summary.unchanged], `round ${round}`).toEqual([
        wanted.filter((id) => !before.includes(id)).length,
        before.filter((id) => !wanted.includes(id)).length,
        wanted.filter((id) => before.includes(id)).length,
      ]);
      const methods = proxy.requests.filter((sent) => sent.includes('/chaos/subscriptions'));
      const lastAddition = methods.findLastIndex((sent) => sent.startsWith('POST'));
      const firstRemoval = methods.findIndex((sent) => sent.startsWith('DELETE'));
      expect(lastAddition, `round ${round}`).toBeLessThan(firstRemoval);
      await proxy.close();
    }
  });

  it(`of preferences copy writes every choice, in ${rounds} rounds`, options, async () => {
    for (let round = 1; round <= rounds; round += 1) {
      const random = seeded(round);
      const ids = firstIds(15 + Math.floor(random() * 25));
      const opened = await openRound(round, ids);
      const { proxy, scope, people, write } = opened;
      const workflowId = (identifier: string) =>
        scope.sql.get<{ id: string }>('SELECT id FROM workflows WHERE identifier = ?', identifier)
          ?.id ?? '';
      const [from, to] = [workflowId('welcome'), workflowId('comment-digest')];
      const choosing = ids.filter(() => random() < 0.5);
      for (const id of choosing)
        savePreference(scope, people.get(id) ?? '', from, { channels: { email: false } });
      const line = ['subscribers', 'preferences', 'copy', '--from-workflow', 'welcome'];
      const file = ['--to-workflow', 'comment-digest', '--file', write(ids), '--yes'];
      const summary = await runUntilFinished(opened, [...line, ...file], random, 2_500);
      const changed = ids.filter(
        (id) => findPreferences(scope, people.get(id) ?? '').get(to)?.channels.email === false,
      );
      expect(changed, `round ${round}`).toEqual(choosing);
      const { updated, skipped } = summary as { updated: number; skipped: number };
      expect(summary, `round ${round}`).toMatchObject({ failed: 0, invalid: 0, unknown: 0 });
      // A change whose response was lost is found to be there already.
      expect(updated + skipped, `round ${round}`).toBe(ids.length);
      expect(updated, `round ${round}`).toBeLessThanOrEqual(choosing.length);
      await proxy.close();
    }
  });

  it(`of erase leaves nothing of the people, in ${rounds} rounds`, options, async () => {
    let proven = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const random = seeded(round);
      const ids = firstIds(4 + Math.floor(random() * 6));
      const opened = await openRound(round, ids);
      const { proxy, scope, people, write } = opened;
      const topic = insertTopic(scope, { key: 'chaos' });
      for (const id of ids)
        insertSubscription(scope, {
          topic: topic.id,
          subscriber: people.get(id) ?? '',
          identifier: id,
        });
      const erased = ids.filter(() => random() < 0.7);
      // u1 of the example data has messages, credentials and preferences.
      const line = ['subscribers', 'erase', '--file', write(['u1', ...erased]), '--yes'];
      const argv = [...line, '--pending', 'keep'];
      const summary = await runUntilFinished(opened, argv, random, 3_000, isErased);
      const rest = ids.filter((id) => !erased.includes(id));
      expect(subscribed(scope), `round ${round}`).toEqual([...rest].sort());
      const left = scope.sql.all<{ id: string }>(
        "SELECT subscriber_id AS id FROM subscribers WHERE env = ? AND (subscriber_id LIKE 'p%' OR subscriber_id = 'u1')",
        developmentId,
      );
      expect(left.map(({ id }) => id).sort(), `round ${round}`).toEqual([...rest].sort());
      const { erased: done, absent, unknown } = summary as Record<string, number>;
      expect(summary, `round ${round}`).toMatchObject({ failed: 0, invalid: 0 });
      expect((done ?? 0) + (absent ?? 0) + (unknown ?? 0), `round ${round}`).toBe(
        erased.length + 1,
      );
      proven += done ?? 0;
      await proxy.close();
    }
    expect(proven).toBeGreaterThan(0);
  });
});
