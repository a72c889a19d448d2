// Runs that are killed at random points, against an unreliable service, and resumed. At the end of an import the stored
// subscribers match the file and the counts are correct. A resend reaches every recipient once.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { heavyFaults, openChaosProxy, seeded } from '../support/chaos-proxy.ts';
import { testKey } from '../support/fixed.ts';

const rounds = Number(process.env.CHAOS_ROUNDS ?? 10);

interface Row {
  id: string;
  email: string;
  name: string;
}

/** Generates rows. Some have the same id, some are invalid. */
function randomRows(random: () => number): Row[] {
  const count = 400 + Math.floor(random() * 1_400);
  return Array.from({ length: count }, (_unused, index) => {
    const isDuplicate = random() < 0.1 && index > 0;
    const id = isDuplicate ? Math.floor(random() * index) : index;
    const email = random() < 0.02 ? 'nonsense' : `p${id}@example.com`;
    return { id: `p${id}`, email, name: `N${index}` };
  });
}

const isValid = ({ email }: Row) => email !== 'nonsense';

describe('an import that is killed and resumed', () => {
  it(`stores exactly the rows of the file, in ${rounds} rounds`, { timeout: 900_000 }, async () => {
    for (let round = 1; round <= rounds; round += 1) {
      const random = seeded(round);
      const rows = randomRows(random);
      const proxy = await openChaosProxy(round, heavyFaults);
      const home = openHome();
      Object.assign(home.env, { SVC_BASE_URL: proxy.baseUrl, SVC_API_KEY: testKey });
      const file = path.join(home.folder, 'users.csv');
      const lines = rows.map(({ id, email, name }) => `${id},${email},${name}`);
      writeFileSync(file, `subscriberId,email,First Name\n${lines.join('\n')}\n`);

      const concurrency = String(1 + Math.floor(random() * 16));
      const first = ['subscribers', 'bulk-import', file, '--json', '--concurrency', concurrency];
      let result = await runOrKill(home.start(first), random() < 0.8 ? random() * 250 : undefined);
      let runId = '';
      for (let attempt = 1; ![0, 3].includes(result.code ?? -1) || runId === ''; attempt += 1) {
        expect(attempt, `round ${round} does not finish: ${result.stderr}`).toBeLessThan(60);
        runId = (await home.svc(['runs', 'list', '-o', 'ids'])).stdout.split('\n')[0] ?? '';
        if (runId === '') result = await runOrKill(home.start(first), undefined);
        else {
          const kill = random() < 0.3 ? random() * 200 : undefined;
          result = await runOrKill(home.start(['runs', 'resume', runId, '--json']), kill);
        }
      }

      const validRows = rows.filter(isValid);
      const expected = new Map(validRows.map(({ id, name }) => [id, name]));
      const stored = proxy.store.sql
        .all<{ subscriber_id: string; body: string }>(
          "SELECT subscriber_id, body FROM subscribers WHERE subscriber_id LIKE 'p%'",
        )
        .map(({ subscriber_id, body }) => [
          subscriber_id,
          (JSON.parse(body) as { firstName: string }).firstName,
        ]);
      expect(Object.fromEntries(stored), `round ${round}`).toEqual(Object.fromEntries(expected));
      expect(JSON.parse(result.stdout), `round ${round}`).toMatchObject({
        rows: rows.length,
        created: expected.size,
        updated: validRows.length - expected.size,
        invalid: rows.length - validRows.length,
        failed: 0,
        unknown: 0,
        stopped: null,
      });
      await proxy.close();
    }
  });
});

/** Each round sends a campaign, too, so there are fewer of them. */
/** Each takes as long as four rounds of an import. */
const resendRounds = Math.ceil(Number(process.env.CHAOS_ROUNDS ?? 8) / 4);

describe('a resend that is killed, loses its state, and is repeated', () => {
  it(`sends nothing twice, in ${resendRounds} rounds`, { timeout: 3_600_000 }, async () => {
    for (let round = 1; round <= resendRounds; round += 1) await interruptResend(round);
  });
});

async function interruptResend(round: number): Promise<void> {
  const random = seeded(round);
  const rates = { ...noFaults };
  const proxy = await openChaosProxy(round, rates);
  const home = openHome();
  Object.assign(home.env, { SVC_BASE_URL: proxy.baseUrl, SVC_API_KEY: testKey });
  const ids = Array.from({ length: 120 + Math.floor(random() * 300) }, (_none, at) => `p${at}`);
  const file = path.join(home.folder, 'users.csv');
  writeFileSync(file, `subscriberId,email\n${ids.map((id) => `${id},${id}@x.example\n`).join('')}`);
  const campaign = [
    ...['events', 'trigger', 'one-time-code', '--recipients', file, '--update-subscribers'],
    ...['--payload', '{"code":"1"}', '--run-id', 'campaign', '--yes', '--json'],
  ];
  const enable = await disableIntegrations(proxy.baseUrl);
  expect((await home.svc(campaign)).code, `round ${round}`).toBe(0);
  await enable();

  Object.assign(rates, heavyFaults);
  const state = path.join(home.folder, '.local', 'state', 'svc');
  const resend = ['events', 'resend', '--run', 'campaign', '--yes', '--json'];
  const resendId = 'campaign-resend-1';
  let line = resend;
  let kills = 0;
  for (let attempt = 1; ; attempt += 1) {
    const run = home.start([...line, '--concurrency', '1']);
    const isKilled = kills < 6 && random() < 0.8;
    const { code, stderr } = await (isKilled ? killAtRequest(proxy, run, random) : run.ended);
    if (code === 0 || (code === 2 && stderr.includes('was resent before'))) break;
    expect(attempt, `round ${round} does not finish: ${stderr}`).toBeLessThan(40);
    if (code === null) kills += 1;
    const loss = random();
    if (loss < 0.15) rmSync(path.join(state, 'runs', resendId), { recursive: true, force: true });
    if (loss < 0.07) {
      rmSync(state, { recursive: true });
      Object.assign(rates, noFaults);
      expect((await home.svc(campaign)).code, `round ${round}`).toBe(0);
      Object.assign(rates, heavyFaults);
    }
    const runs = (await home.svc(['runs', 'list', '-o', 'ids'])).stdout.split('\n');
    line = runs.includes(resendId) ? ['runs', 'resume', resendId, '--json'] : resend;
  }

  const times = proxy.store.sql.all<{ id: string; events: number; mails: number }>(
    `SELECT s.subscriber_id AS id, count(DISTINCT n.id) AS events,
      sum(j.type = 'email' AND j.status = 'completed') AS mails
     FROM subscribers s JOIN notifications n ON n.subscriber = s.id JOIN jobs j ON j.notification = n.id
     WHERE s.subscriber_id LIKE 'p%' GROUP BY s.subscriber_id`,
  );
  expect(times.length, `round ${round}`).toBe(ids.length);
  const wrong = times.filter(({ events, mails }) => events !== 2 || mails !== 1);
  expect(wrong, `round ${round}, ${kills} kills`).toEqual([]);
  await proxy.close();
}

const noFaults = Object.fromEntries(
  Object.keys(heavyFaults).map((name) => [name, 0]),
) as unknown as typeof heavyFaults;

/** Makes every e-mail and SMS fail. Returns a function that makes them work again. */
async function disableIntegrations(baseUrl: string): Promise<() => Promise<void>> {
  const send = async (method: string, url: string, body?: object) => {
    const response = await fetch(`${baseUrl}/v1/integrations${url}`, {
      method,
      headers: { authorization: `ApiKey ${testKey}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    expect(response.ok).toBe(true);
    return ((await response.json()) as { data: Integration[] }).data;
  };
  const active = (await send('GET', '')).filter(
    ({ channel, active }) => active && ['email', 'sms'].includes(channel),
  );
  for (const { _id } of active) await send('PUT', `/${_id}`, { active: false, check: false });
  return async () => {
    for (const { _id, primary } of active) {
      await send('PUT', `/${_id}`, { active: true, check: false });
      if (primary) await send('POST', `/${_id}/set-primary`);
    }
  };
}

interface Integration {
  _id: string;
  channel: string;
  active: boolean;
  primary: boolean;
}

/** Kills the process when it has sent a random number of requests, or a little later. */
async function killAtRequest(
  { requests }: { requests: string[] },
  run: Started,
  random: () => number,
): ReturnType<typeof runOrKill> {
  const target = requests.length + Math.floor(random() * 20);
  const delay = random() * 30;
  const timer = setInterval(() => {
    if (requests.length < target) return;
    clearInterval(timer);
    setTimeout(() => run.process.kill('SIGKILL'), delay);
  }, 2);
  return run.ended.finally(() => clearInterval(timer));
}

type Started = ReturnType<ReturnType<typeof openHome>['start']>;

/** Waits until the run has exited; kills it after this time, if given. */
function runOrKill(run: Started, afterMs: number | undefined) {
  const timer =
    afterMs === undefined ? undefined : setTimeout(() => run.process.kill('SIGKILL'), afterMs);
  return run.ended.finally(() => clearTimeout(timer));
}
