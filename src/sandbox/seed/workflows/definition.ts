// The short form of a seeded workflow, and its conversion to the stored form.
import type { StepDefinition, StepType, StoredWorkflow } from '../../store/workflows.ts';
import { seedId } from '../ids.ts';

export interface SeedStep {
  /** Also determines the step id: `Welcome email` → `welcome-email`. */
  name: string;
  type: StepType;
  controls: Record<string, unknown>;
  issues?: NonNullable<StepDefinition['issues']>;
  filters?: NonNullable<StepDefinition['filters']>;
  shouldStopOnFail?: true;
}

export interface SeedWorkflow {
  identifier: string;
  name: string;
  description: string;
  tags?: string[];
  severity?: StoredWorkflow['severity'];
  origin?: StoredWorkflow['origin'];
  /** Subscribers cannot disable a critical workflow. */
  critical?: true;
  inactive?: true;
  payloadSchema?: Record<string, unknown>;
  payloadExample?: Record<string, unknown>;
  steps: readonly SeedStep[];
}

const dayMs = 24 * 60 * 60 * 1000;
const firstCreatedAt = Date.UTC(2025, 0, 6, 9);

export function toStoredWorkflow(seed: SeedWorkflow, index: number): StoredWorkflow {
  const { identifier, name, description, tags = [], payloadSchema = null } = seed;
  const createdAt = new Date(firstCreatedAt + index * dayMs).toISOString();
  const active = seed.inactive !== true;
  const steps = seed.steps.map((step) => toStepDefinition(identifier, step));
  const hasIssues = steps.some(({ issues }) => issues);
  return {
    id: seedId(`workflow:${identifier}`),
    identifier,
    name,
    description,
    tags,
    status: !active ? 'INACTIVE' : hasIssues ? 'ERROR' : 'ACTIVE',
    active,
    origin: seed.origin ?? 'novu-cloud',
    severity: seed.severity ?? 'none',
    validatePayload: payloadSchema !== null,
    payloadSchema,
    payloadExample: seed.payloadExample ?? null,
    preferences: { user: null, default: defaultPreferences(seed.critical === true) },
    steps,
    createdAt,
    updatedAt: createdAt,
    lastTriggeredAt: null,
  };
}

const toStepDefinition = (
  workflow: string,
  { name, type, controls, ...rest }: SeedStep,
): StepDefinition => ({
  id: seedId(`step:${workflow}:${slug(name)}`),
  stepId: slug(name),
  name,
  type,
  active: true,
  controlValues: controls,
  ...rest,
});

const slug = (name: string) => name.toLowerCase().replaceAll(' ', '-');

const enabled = { enabled: true };
const defaultPreferences = (readOnly: boolean) => ({
  all: { enabled: true, readOnly },
  channels: { email: enabled, sms: enabled, in_app: enabled, chat: enabled, push: enabled },
});
