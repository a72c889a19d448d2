// All seeded workflows, oldest first.
import { alertWorkflows } from './alerts.ts';
import { billingWorkflows } from './billing.ts';
import { type SeedWorkflow, toStoredWorkflow } from './definition.ts';
import { engagementWorkflows } from './engagement.ts';

const definitions: readonly SeedWorkflow[] = [
  ...engagementWorkflows,
  ...alertWorkflows,
  ...billingWorkflows,
];

export const seedWorkflows = definitions.map(toStoredWorkflow);
