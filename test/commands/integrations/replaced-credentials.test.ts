// `svc integrations update` with credentials, which the service replaces as a whole.
import { expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { filterWrites, listWrites } from '../../support/requests.ts';
import { openRig } from '../../support/rig.ts';
import { openServer319 } from '../../support/server-319.ts';

const update = ['integrations', 'update', 'sendgrid-email'];
const pairs = (...values: string[]) => values.flatMap((value) => ['--credential', value]);
const complete = { apiKey: 'k', from: 'a@b.co', senderName: 'N' };
const completePairs = pairs('apiKey==k', 'from==a@b.co', 'senderName==N');

async function openBoth(isHidden: boolean) {
  const rig = await openRig();
  const server = isHidden ? await openServer319(rig) : undefined;
  const run = async (...more: string[]) => {
    const ran = await rig.svc([...update, ...more]);
    const writes = listWrites(ran.requests);
    return { ...ran, writes, bodies: filterWrites(ran.requests).map(({ body }) => body) };
  };
  return { ...rig, server, run };
}

it.each([false, true])(
  'a partial update is refused unless it is asked for (hidden: %s)',
  async (isHidden) => {
    const { run } = await openBoth(isHidden);
    for (const partial of [
      pairs('senderName==N'),
      ['--body', '{"credentials":{"senderName":"N"}}'],
      ['--body', '{"credentials":{"senderName":"N","apiKey":"","from":null}}'],
    ]) {
      const { code, stderr, writes } = await run(...partial, '--yes', '--json');
      expect({ code, writes }).toEqual({ code: 2, writes: [] });
      const error = printedError(stderr);
      expect(error.message).toContain('sendgrid requires apiKey and from');
      expect(error.hint).toContain('--clear-others');
    }
    const cleared = await run(...pairs('senderName==N'), '--clear-others', '--yes');
    expect(cleared).toMatchObject({ code: 0, bodies: [{ credentials: { senderName: 'N' } }] });
    const body = ['--body', JSON.stringify({ credentials: { senderName: 'N' } })];
    expect((await run(...body, '--clear-others')).code).toBe(0);
  },
);

it.each([false, true])(
  'no credentials at all are sent only with --clear-credentials (hidden: %s)',
  async (isHidden) => {
    const { run } = await openBoth(isHidden);
    for (const more of [
      ['--body', '{"credentials":{}}'],
      ['--body', '{"name":"x","credentials":{}}', '--clear-others'],
    ]) {
      const { code, stderr, writes } = await run(...more, '--yes');
      expect({ code, writes }).toEqual({ code: 2, writes: [] });
      expect(stderr).toContain('--clear-credentials');
    }
    const asked = await run('--clear-credentials');
    expect({ code: asked.code, writes: asked.writes }).toEqual({ code: 2, writes: [] });
    expect(asked.stderr).toContain('remove all credentials of integration');
    expect(await run('--clear-credentials', '--yes')).toMatchObject({
      ...{ code: 0, bodies: [{ credentials: {} }] },
    });
    expect(await run('--body', '{"credentials":{}}', '--clear-credentials', '--yes')).toMatchObject(
      { code: 0, bodies: [{ credentials: {} }] },
    );
    for (const more of [
      completePairs,
      ['--clear-others'],
      ['--body', '{"credentials":{"from":"a"}}'],
    ])
      expect(await run(...more, '--clear-credentials', '--yes')).toMatchObject({
        code: 2,
        writes: [],
      });
  },
);

it('lists what will be removed, as far as the service shows it', async () => {
  const shown = await openBoth(false);
  // The one that will be removed is shown; the others are given.
  await shown.run('--body', JSON.stringify({ credentials: { ...complete, ipPoolName: 'pool' } }));
  const asked = await shown.svc([...update, ...completePairs], { tty: 'stderr', columns: 1000 });
  expect(asked.code).toBe(2);
  expect(asked.stderr).toContain('This credential will be removed: ipPoolName.');
  await shown.run(...completePairs, '--yes');
  const nothing = await shown.svc([...update, ...completePairs, '--yes'], { tty: 'stderr' });
  expect(nothing).toMatchObject({ code: 0, stderr: expect.not.stringContaining('removed') });
  const hidden = await openBoth(true);
  const unknown = await hidden.svc([...update, ...completePairs], { tty: 'stderr', columns: 1000 });
  expect(unknown.stderr).toContain('The service shows no credentials; all others will be removed.');
});

it('needs nothing to be known of a provider without required credentials', async () => {
  const { svc, server } = await openBoth(true);
  await svc(['integrations', 'create', 'mattermost', '--channel', 'chat', '--identifier', 'mm']);
  const line = ['integrations', 'update', 'mm', '--credential', 'webhookUrl==https://x.example'];
  expect((await svc([...line, '--yes'])).code).toBe(0);
  expect(server?.find('mm')?.credentials).toEqual({ webhookUrl: 'https://x.example' });
  // Other updates never touch credentials.
  await svc(['integrations', 'update', 'mm', '--name', 'Chat', '--no-active', '--yes']);
  await svc(['integrations', 'enable', 'mm']);
  expect(server?.find('mm')).toMatchObject({
    ...{ name: 'Chat', active: true, credentials: { webhookUrl: 'https://x.example' } },
  });
});
