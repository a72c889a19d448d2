import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

describe('svc subscribers create', () => {
  const line = words`subscribers create u42 --email ada@example.com --first-name Ada --data {"plan":"pro"}`;

  it('prints whether the subscriber was created or updated', async () => {
    const { svc } = await openRig();
    expect((await svc(line, { tty: true })).stdout).toBe(
      'Created subscriber u42 at http://sandbox.localhost.\n',
    );
    expect((await svc(line, { tty: true })).stdout).toBe(
      'Updated subscriber u42 at http://sandbox.localhost.\n',
    );
  });

  it('sends one subscriber and prints the result as JSON', async () => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc([...line, '--json']);
    expect(JSON.parse(stdout)).toEqual({ subscriberId: 'u42', result: 'created' });
    expect(requests).toMatchObject([
      {
        line: 'POST /v1/subscribers/bulk',
        body: {
          subscribers: [
            {
              subscriberId: 'u42',
              email: 'ada@example.com',
              firstName: 'Ada',
              data: { plan: 'pro' },
            },
          ],
        },
      },
    ]);
    expect((await svc(line)).stdout).toContain('Updated subscriber u42 at ');
    expect((await svc([...line, '-o', 'ids'])).stdout).toBe('u42\n');
  });

  it.each([
    [['--email', 'not-an-address'], 'not an e-mail address'],
    [['--timezone', 'Mars/Phobos'], 'not an IANA time zone'],
    [['--data', '[1]'], '--data must be a JSON object'],
    [['--data', '@/nowhere'], '--data: file /nowhere does not exist.'],
  ])('rejects %j before sending a request', async (options, message) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(['subscribers', 'create', 'u42', ...options]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });

  it('reports the message of the service for a rejected subscriber', async () => {
    const { svc, answer } = await openRig();
    answer({
      status: 201,
      body: { created: [], updated: [], failed: [{ subscriberId: 'u42', message: 'is banned' }] },
    });
    expect(await svc(line)).toMatchObject({ code: 6, stderr: 'Error: is banned\n' });
  });

  it.each([
    ['create', ['--email', 'nope'], '--email: `nope` is not an e-mail address.'],
    ['update', ['--timezone', 'Foo/Bar'], '--timezone: `Foo/Bar` is not an IANA time zone'],
    ['create', ['--locale', '123'], '--locale: `123` is not a locale'],
  ])('%s names the option %j of an invalid value', async (verb, options, message) => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(['subscribers', verb, 'u1', ...options]);
    expect(code).toBe(2);
    expect(stderr).toContain(`Error: ${message}`);
  });
});
