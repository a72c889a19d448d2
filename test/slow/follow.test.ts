// `svc activity list --follow` shows new events until Ctrl-C.
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { useSandbox } from '../support/served-sandbox.ts';

it('svc activity list --follow shows existing and new events, and exits with 130 on Ctrl-C', async () => {
  const home = openHome();
  await useSandbox(home);
  const following = home.start(['activity', 'list', '--follow', '-o', 'ids']);
  await following.says('txn_6774858005787ee036e9fda0');
  const line = ['events', 'trigger', 'welcome', '--to', 'u1', '--transaction-id', 'fresh-one'];
  expect((await home.svc(line)).code).toBe(0);
  expect(await following.says('fresh-one')).toMatch(/fresh-one\n$/);
  following.process.kill('SIGINT');
  expect((await following.ended).code).toBe(130);
});
