// `svc activity list --follow`: what comes is shown as it comes, until somebody interrupts.
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

it('shows what there is and what comes, and ends with 130 on Ctrl-C', async () => {
  const home = openHome();
  await home.sandbox();
  const following = home.start(['activity', 'list', '--follow', '-o', 'ids']);
  await following.says('txn_6774858005787ee036e9fda0');
  const line = ['events', 'trigger', 'welcome', '--to', 'u1', '--transaction-id', 'fresh-one'];
  expect((await home.svc(line)).code).toBe(0);
  expect(await following.says('fresh-one')).toMatch(/fresh-one\n$/);
  following.process.kill('SIGINT');
  expect((await following.ended).code).toBe(130);
});
