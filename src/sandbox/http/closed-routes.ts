// Routes of the service that only its web interface may use: they reject API keys.
export const closedRoutes = [
  { method: 'POST', path: '/v2/workflows/:workflowId/step/:stepId/preview' },
  { method: 'POST', path: '/v2/workflows/:workflowId/duplicate' },
  { method: 'GET', path: '/v2/workflows/:workflowId/test-data' },
] as const;
