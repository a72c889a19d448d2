// The metrics of an audit: counts of messages by workflow and channel, in the text format of Prometheus.
import type { StepOutcome } from '../service/job-outcomes.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import type { Finding, FindingGroup } from './audit.ts';
import { findingKinds } from './audit-kinds.ts';
import { type FindEvent, stepVerdicts, workflowIdentifier } from './verdict.ts';

/** Further workflows are left out. */
const maxLabels = 10_000;

type Counts = Record<StepOutcome | 'overdue', number>;

/** To continue an interrupted audit. */
export interface SavedMetrics {
  counts: readonly (readonly [labels: string, own: Counts])[];
  events: readonly (readonly [workflow: string, count: number])[];
}

export function createMetrics(saved?: SavedMetrics) {
  const counts = new Map(saved?.counts);
  const events = new Map(saved?.events);
  const labels = (workflow: string, channel: string) =>
    `workflow="${escaped(workflow)}",channel="${escaped(channel)}"`;
  const countsOf = (workflow: string, channel: string) => {
    const key = labels(workflow, channel);
    const own = counts.get(key) ?? { delivered: 0, failed: 0, skipped: 0, waiting: 0, overdue: 0 };
    if (counts.has(key) || counts.size < maxLabels) counts.set(key, own);
    return own;
  };
  return {
    add(item: ActivityItem, find?: FindEvent): void {
      const workflow = workflowIdentifier(item) ?? 'unknown';
      if (events.has(workflow) || events.size < maxLabels)
        events.set(workflow, (events.get(workflow) ?? 0) + 1);
      for (const { channel, verdict } of stepVerdicts(item, find))
        countsOf(workflow, channel)[verdict] += 1;
    },
    addFinding({ kind, workflow, channel }: Finding): void {
      if (kind === 'overdue') countsOf(workflow ?? 'unknown', channel ?? 'none').overdue += 1;
    },
    save: (): SavedMetrics => ({ counts: [...counts], events: [...events] }),
    text(groups: readonly FindingGroup[], time: number): string {
      const lines = [
        ...metric('events', 'Events of the audited time, by workflow'),
        ...[...events].map(([name, n]) => `svc_audit_events{workflow="${escaped(name)}"} ${n}`),
      ];
      for (const name of ['delivered', 'failed', 'skipped', 'waiting', 'overdue'] as const) {
        lines.push(...metric(name, `Messages that are ${name}, by workflow and channel`));
        for (const [key, own] of counts) lines.push(`svc_audit_${name}{${key}} ${own[name]}`);
      }
      lines.push(...metric('findings', 'Findings of the audit, by kind'));
      for (const kind of findingKinds) {
        const own = groups.filter((group) => group.kind === kind);
        const sum = own.reduce((total, group) => total + group.count, 0);
        lines.push(`svc_audit_findings{kind="${kind}"} ${sum}`);
      }
      lines.push(...metric('time_seconds', 'Time of the audit, in seconds since 1970'));
      lines.push(`svc_audit_time_seconds ${Math.floor(time / 1_000)}`);
      return `${lines.join('\n')}\n`;
    },
  };
}

const metric = (name: string, help: string) => [
  `# HELP svc_audit_${name} ${help}`,
  `# TYPE svc_audit_${name} gauge`,
];

const escaped = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
