// A week of events with digests, delays, throttles and schedules, in a sandbox that may have faults.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { openSandboxRig } from '../commands/sandbox/sandbox-rig.ts';
import { parsed, type Rig, type RigOptions } from './rig.ts';

type Seed = NonNullable<RigOptions['seed']>;

const step = (type: string, controlValues: object) => ({ stepId: type, type, controlValues });
const inApp = step('in_app', { body: 'Hello {{payload.name}}' });
const email = step('email', { subject: 'Hello', body: 'Hello {{payload.name}}' });
const wait = { type: 'regular', amount: 2, unit: 'hours' };

const workflows = Object.entries({
  plain: [inApp, email],
  delayed: [inApp, step('delay', wait), email],
  digested: [step('digest', wait), email],
  nightly: [step('digest', { type: 'timed', cron: '0 9 * * *' }), inApp],
  limited: [step('throttle', { type: 'fixed', amount: 1, unit: 'hours', threshold: 1 }), email],
  polite: [step('delay', { ...wait, extendToSchedule: true }), inApp],
  alert: [step('push', { subject: 'Hello', body: 'Hello {{payload.name}}' })],
}).map(([workflowId, steps]) => ({ workflowId, steps }));

const hours = [{ start: '09:00 AM', end: '05:00 PM' }];
const office = { isEnabled: true, hours };
const weeklySchedule = { monday: office, tuesday: office, thursday: office };

const people = 12;
const zones = [undefined, 'Europe/Berlin', 'Pacific/Kiritimati'];
const subscribers = Array.from({ length: people }, (_unused, index) => ({
  subscriberId: `p${index}`,
  email: `p${index}@example.com`,
  timezone: zones[index % zones.length],
  credentials: { push: { deviceTokens: [`token-${index}`] } },
  ...(index % 2 === 0
    ? { preferences: { global: { schedule: { isEnabled: true, weeklySchedule } } } }
    : {}),
}));

export const weekSeed = JSON.parse(
  JSON.stringify({ version: 1, environments: [{ name: 'Development', workflows, subscribers }] }),
) as Seed;

const intervals = 28;

export interface Week {
  rig: Rig;
  /** Findings of an audit, as `<kind> <transaction>`. */
  audit(more?: readonly string[]): Promise<{ code: number; findings: string[] }>;
}

/** Sends so many events, spread over a week of the clock of the sandbox. `between` is called now and then. */
export async function runWeek(
  events: number,
  service: RigOptions['service'],
  faults: readonly string[],
  between: (week: Week) => Promise<void> = async () => undefined,
): Promise<Week> {
  const rig = await openSandboxRig({}, { service, seed: weekSeed });
  const svc = async (line: string) => {
    const ran = await rig.svc(line.split(' '));
    if (ran.code !== 0) throw new Error(`svc ${line}: ${ran.stderr}`);
    return ran;
  };
  const week: Week = {
    rig,
    async audit(more = []) {
      const line = ['activity', 'audit', '--since', '60d', '-o', 'ndjson', ...more];
      const { code, stdout } = await rig.svc(line);
      const lines = stdout.split('\n').filter(Boolean);
      const findings = lines.map((text) => {
        const { kind, transactionId } = JSON.parse(text) as Record<string, string>;
        return `${kind} ${transactionId}`;
      });
      return { code, findings: findings.sort() };
    },
  };
  for (const fault of faults) await svc(`sandbox faults set ${fault}`);
  const file = path.join(rig.folder, 'events.ndjson');
  for (let interval = 0; interval < intervals; interval += 1) {
    const count =
      Math.floor(((interval + 1) * events) / intervals) -
      Math.floor((interval * events) / intervals);
    const rows = Array.from({ length: count }, (_unused, index) => ({
      name: workflows[index % workflows.length]?.workflowId,
      to: { subscriberId: `p${(index * 5 + interval) % people}` },
      payload: { name: `Ada ${interval}` },
    }));
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    await svc(`events trigger --file ${file} --yes`);
    await svc('sandbox clock advance 1h');
    if (interval % 9 === 4) await between(week);
    await svc('sandbox clock advance 5h');
  }
  await svc('sandbox faults clear');
  await svc('sandbox clock advance 20d');
  return week;
}

interface Item {
  _id: string;
  transactionId: string;
  _digestedNotificationId?: string;
  subscriber: { subscriberId: string };
  jobs: { type: string; status: string }[];
}

const open = ['pending', 'queued', 'delayed', 'running'];

/** The findings when every wait is over, from the statuses alone. */
export async function expectedFindings({ svc }: Rig): Promise<string[]> {
  const items = parsed(
    (await svc(['activity', 'list', '--all', '--json'])).stdout,
  ) as unknown as Item[];
  const isOpen = ({ jobs }: Item) => jobs.some(({ status }) => open.includes(status));
  // A digest that has ended carries its events on, also if a later step of its event is never run.
  const isDigesting = ({ jobs }: Item) =>
    jobs.some(({ type, status }) => type === 'digest' && open.includes(status));
  const digesting = new Set(items.filter(isDigesting).map(({ _id }) => _id));
  const sent = new Set<string>();
  const usedPush = new Set<string>();
  const isNew = (set: Set<string>, key: string) => set.size < set.add(key).size;
  return items
    .flatMap((item) => {
      const { transactionId, jobs, subscriber } = item;
      return jobs.flatMap(({ type, status }) => {
        const key = `${transactionId} ${subscriber.subscriberId} ${type}`;
        if (status === 'completed' && messages.includes(type) && !isNew(sent, key))
          return [`twice ${transactionId}`];
        // The newest event is first: a token that has worked since is not dead.
        const isNewest = type === 'push' && isNew(usedPush, subscriber.subscriberId);
        return isNewest && status === 'failed' ? [`dead-addresses ${transactionId}`] : [];
      });
    })
    .concat(items.flatMap(stateOf))
    .sort();

  function stateOf(item: Item): string[] {
    const { transactionId, jobs, _digestedNotificationId: digest } = item;
    if (jobs.length === 0) return [`without-jobs ${transactionId}`];
    if (isOpen(item)) return [`overdue ${transactionId}`];
    const isMerged = jobs.some(({ status }) => status === 'merged');
    if (isMerged) return digesting.has(digest ?? '') ? [`lost-in-digest ${transactionId}`] : [];
    const isSilent =
      jobs.some(({ status }) => status === 'failed') &&
      !jobs.some(({ type, status }) => status === 'completed' && messages.includes(type));
    return isSilent ? [`silent ${transactionId}`] : [];
  }
}

const messages = ['in_app', 'email', 'push'];
