// Rows that carry the mask in place of a secret: rejected by name, while the rest of the run goes out.
import { expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

it('a row with the mask as a secret is rejected, and the others are sent', async () => {
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
