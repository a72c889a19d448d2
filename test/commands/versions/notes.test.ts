// Notes about members and agents that svc does not handle completely on servers of another version.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { baseUrl, testKey } from '../../support/fixed.ts';
import { openRig } from '../../support/rig.ts';
import { answered, openServer319 } from '../../support/server-319.ts';

it('environments pull names the agents, which are not in the files', async () => {
  const rig = await openRig();
  const server = await openServer319(rig);
  const agent = server.integrations[0];
  if (!agent) throw new Error('the sandbox has no integration');
  server.integrations.push({ ...agent, _id: '6'.repeat(24), identifier: 'helper' });
  server.add(({ method, url, own }) =>
    method === 'GET' && url.pathname === '/v1/integrations'
      ? answered(
          200,
          server.integrations
            .filter(({ _environmentId }) => _environmentId === own)
            .map(({ identifier, channel, ...integration }) => ({
              ...{ ...integration, identifier, credentials: {} },
              ...(identifier === 'helper' ? {} : { channel }),
            })),
        )
      : undefined,
  );
  const { code, stderr } = await rig.svc(
    ['environments', 'pull', 'env', '--only', 'integrations'],
    { tty: true },
  );
  expect(code).toBe(0);
  expect(stderr).toContain('Not pulled, because files have no agents: helper.');
});

it('sandbox pull stores the version of the server with the profile', async () => {
  const rig = await openRig({ bare: true });
  const login = ['login', '--profile', 'work', '--api-key-file', '-', '--base-url', baseUrl];
  await rig.svc(login, { stdin: `${testKey}\n` });
  rig.answerBy(({ url }) =>
    url.pathname === '/v1/health-check'
      ? answered(200, { info: { apiVersion: { version: '3.16.2' } } })
      : undefined,
  );
  expect((await rig.svc(['sandbox', 'pull', '--file', 'state.yaml', '--from', 'work'])).code).toBe(
    0,
  );
  const file = path.join(rig.folder, 'config', 'config.json');
  expect(readFileSync(file, 'utf8')).toContain('"serviceVersion": "3.16.2"');
});

it('integrations create --active warns if required credentials are missing', async () => {
  const rig = await openRig();
  const line = ['integrations', 'create', 'sendgrid', '--channel', 'email', '--active'];
  const { code, stderr } = await rig.svc(line);
  expect(code).toBe(0);
  expect(stderr).toContain(
    'is active without the credentials that sendgrid requires: apiKey, from and senderName.',
  );
});
