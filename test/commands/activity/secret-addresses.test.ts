// Addresses and tokens in the details of steps: no command prints them without --reveal.
import { expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

it('the webhook and the device token of a person are masked in the data of details', async () => {
  const { svc } = await openRig({ service: '3.19' });
  const secrets = ['hooks.example.com/services/S1', 'device-token-S2'];
  const set = words`subscribers credentials set u2 --provider`;
  await svc([...set, ...words`slack --webhook-url https://${secrets[0] ?? ''}`]);
  await svc([...set, ...words`fcm --device-token ${secrets[1] ?? ''}`]);
  const trigger = words`events trigger order-update --to u2 --transaction-id secret`;
  expect((await svc([...trigger, '--payload', '{"order":"1","state":"sent"}'])).code).toBe(0);
  for (const format of ['json', 'ndjson', 'csv', 'tsv']) {
    const { code, stdout } = await svc(words`activity list --transaction secret -o ${format}`);
    expect(code).toBe(0);
    for (const secret of secrets) expect(stdout).not.toContain(secret);
  }
  const { stdout } = await svc(words`activity list --transaction secret --json --reveal`);
  for (const secret of secrets) expect(stdout).toContain(secret);
});
