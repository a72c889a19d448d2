// The command that a report of triggered events proposes.
export const deliveriesStep = {
  label: 'Follow the deliveries',
  command: (runId: string) => `svc runs watch ${runId}`,
};
