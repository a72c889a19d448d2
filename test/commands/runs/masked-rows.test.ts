// Rows with a masked secret are rejected with the field name, and the other rows are sent.
import { expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

it('a row with a masked secret is rejected, and the others are sent', async () => {
  const { svc } = await openRig();
  const channel = { providerId: 'slack', credentials: { webhookUrl: '********' } };
  const rows = [
    { subscriberId: 'masked', channels: [channel] },
    { subscriberId: 'stars', firstName: 'a ******** b' },
  ];
  const { code, stdout, requests } = await svc(
    ['subscribers', 'bulk-import', '-', '--format', 'ndjson', '-o', 'ndjson'],
    { stdin: rows.map((row) => `${JSON.stringify(row)}\n`).join('') },
  );
  expect(code).toBe(3);
  expect(requests.map(({ body }) => body)).toEqual([{ subscribers: [rows[1]] }]);
  expect(stdout).toContain('channels.0.credentials.webhookUrl: is a masked secret');
});
