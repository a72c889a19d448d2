// Whole environments with any content that are pulled and pushed again.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { modes } from '../../src/service/mode.ts';
import { missingCredentials } from '../../src/service/providers.ts';
import { openFolder, openStaging } from '../commands/workflows/workflow-folder.ts';
import { anyObject, anyText } from '../environment/any-workflow.ts';
import { listWrites } from '../support/requests.ts';

const anyName = anyText.map(
  (text) => text.toWellFormed().replaceAll('\0', '').slice(0, 60).toWellFormed().trim() || 'Name',
);
const anyKey = fc.stringMatching(/^[a-zA-Z0-9_-]{1,8}$/);
const anySecret = fc.stringMatching(/^secret-[a-z0-9]{12}$/);

const anyIntegration = fc.record({
  identifier: fc.stringMatching(/^[a-z]{1,6}(-[a-z0-9]{1,4})?$/),
  provider: fc.constantFrom(
    { providerId: 'sendgrid', channel: 'email' as const },
    { providerId: 'nodemailer', channel: 'email' as const },
    { providerId: 'twilio', channel: 'sms' as const },
    { providerId: 'slack', channel: 'chat' as const },
    { providerId: 'fcm', channel: 'push' as const },
  ),
  name: anyName,
  active: fc.boolean(),
  primary: fc.boolean(),
  hasConditions: fc.boolean(),
  credentials: fc.record(
    { apiKey: anySecret, password: anySecret, from: anyName, secure: fc.boolean() },
    { requiredKeys: [] },
  ),
});

const condition = {
  isNegated: false,
  type: 'GROUP',
  value: 'AND',
  children: [{ field: 'plan', value: 'pro', operator: 'EQUAL', on: 'payload' }],
};

/** Each environment has one. */
const inApp = {
  identifier: 'inbox',
  providerId: 'svc',
  channel: 'in_app',
  name: 'Inbox',
  active: true,
  credentials: { hmac: true },
};

/** A push refuses an active integration without the credentials that its provider requires. */
const complete = (providerId: string, credentials: Record<string, unknown>) => ({
  ...credentials,
  ...Object.fromEntries(
    missingCredentials(providerId, credentials).map((name) => [name, `value of ${name}`]),
  ),
});

const anyEnvironment = fc
  .record({
    integrations: fc.uniqueArray(anyIntegration, {
      maxLength: 4,
      selector: ({ identifier }) => identifier,
    }),
    topics: fc.uniqueArray(fc.record({ key: anyKey, name: fc.option(anyName) }), {
      maxLength: 3,
      selector: ({ key }) => key,
    }),
    contexts: fc.uniqueArray(fc.record({ type: anyKey, id: anyKey, data: anyObject }), {
      maxLength: 3,
      selector: ({ type, id }) => `${type}:${id}`,
    }),
  })
  .map(({ integrations, topics, contexts }) => {
    const channels = new Set<string>();
    return {
      name: 'Development',
      topics: topics.map(({ key, name }) => ({ key, ...(name === null ? {} : { name }) })),
      contexts: contexts.map(({ data, ...context }) => ({
        ...context,
        // The sandbox drops members of this name.
        data: JSON.parse(JSON.stringify(data).replaceAll('"__proto__":', '"proto":')),
      })),
      integrations: [
        inApp,
        ...integrations.map(
          ({ provider, primary, active, hasConditions, credentials, ...integration }) => {
            const isPrimary =
              primary && active && !hasConditions && !channels.has(provider.channel);
            if (isPrimary) channels.add(provider.channel);
            return {
              ...integration,
              ...provider,
              active,
              credentials: active ? complete(provider.providerId, credentials) : credentials,
              primary: isPrimary && ['email', 'sms'].includes(provider.channel),
              ...(hasConditions ? { conditions: [condition] } : {}),
            };
          },
        ),
      ],
      workflows: [
        {
          workflowId: 'hello',
          name: 'Hello',
          steps: [{ stepId: 'text', name: 'Text', type: 'sms', controlValues: { body: 'Hi' } }],
        },
      ],
    };
  });

it('any environment is the same after a pull, a push to an empty one and a pull', async () => {
  await fc.assert(
    fc.asyncProperty(anyEnvironment, async (environment) => {
      const seed = { version: 1, environments: [environment] } as never;
      const { svc, files } = await openStaging({ seed });
      const run = async (line: string, env: Record<string, string> = {}) => {
        const { code, stderr, requests } = await svc(line.split(' '), { env });
        expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({
          line,
          code: 0,
          stderr: '',
        });
        return requests;
      };
      await run('environments pull a -p development');
      const names = [...files.read('a/integrations.yaml').matchAll(/\$env: (\w+)/g)];
      const env = Object.fromEntries(names.map(([, name = '']) => [name, `value-of-${name}`]));
      expect(names.length).toBe(new Set(names.map(([, name]) => name)).size);
      expect(listWrites(await run('environments push a -p development --delete --yes'))).toEqual(
        [],
      );
      await run('environments push a -p staging --with-credentials --yes --json', env);
      await run('environments pull b -p staging');
      expect(files.contents('b')).toEqual(files.contents('a'));
      expect(JSON.stringify(files.contents('a'))).not.toMatch(/secret-[a-z0-9]{12}/);
      // Nothing is left to do, and everything can be deleted.
      const again = 'environments push a -p staging --with-credentials --delete --yes';
      expect(listWrites(await run(again, env))).toEqual([]);
    }),
    { numRuns: Number(process.env.ENVIRONMENT_ROUNDS ?? 12) },
  );
}, 180_000);

it.each(modes)('the example data of a sandbox in the mode %s', async (mode) => {
  const rig = await openStaging({ mode });
  const files = openFolder(rig);
  // Two workflows are defined in code.
  expect((await rig.svc(['environments', 'pull', 'a', '-p', 'development'])).code).toBe(3);
  const before = files.contents('a');
  const line = ['environments', 'push', 'a', '--yes', '-p'];
  const names = [...files.read('a/integrations.yaml').matchAll(/\$env: (\w+)/g)];
  const env = Object.fromEntries(names.map(([, name = '']) => [name, '{"a":"b"}']));
  const unchanged = await rig.svc([...line, 'development', '--delete']);
  expect({ code: unchanged.code, writes: listWrites(unchanged.requests) }).toEqual({
    code: 0,
    writes: [],
  });
  const pushed = await rig.svc([...line, 'staging', '--with-credentials', '--json'], { env });
  expect({ code: pushed.code, stderr: pushed.stderr }).toEqual({ code: 0, stderr: '' });
  expect((await rig.svc(['environments', 'pull', 'b', '-p', 'staging'])).code).toBe(0);
  expect(files.contents('b')).toEqual(before);
});
