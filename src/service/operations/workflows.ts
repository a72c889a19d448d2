// Workflows and their steps (specification: Endpoints, Workflows).
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const schemas = () => import('../schemas/workflows.ts');

export const workflows = {
  listWorkflows: operation({
    method: 'GET',
    path: '/v2/workflows',
    summary: 'List workflows',
    section: 'Workflows',
    paging: { style: 'offset', items: 'workflows', cap: limits.page.default },
    arrayQuery: ['tags', 'status'],
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { listWorkflowsQuery, workflowPage } = await schemas();
      return { query: listWorkflowsQuery, response: workflowPage };
    },
  }),

  getWorkflow: operation({
    method: 'GET',
    path: '/v2/workflows/{workflowId}',
    summary: 'Retrieve a workflow with its steps',
    section: 'Workflows',
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { getWorkflowQuery, workflow } = await schemas();
      return { query: getWorkflowQuery, response: workflow };
    },
  }),

  getWorkflowStep: operation({
    method: 'GET',
    path: '/v2/workflows/{workflowId}/steps/{stepId}',
    summary: 'Retrieve one step of a workflow',
    section: 'Workflows',
    rate: { category: 'configuration', cost: 1 },
    schemas: async () => {
      const { workflowStep } = await schemas();
      return { response: workflowStep };
    },
  }),
};
