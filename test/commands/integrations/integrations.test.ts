import { describe, expect, it } from 'vitest';
import { seedId } from '../../../src/sandbox/store/ids.ts';
import { filterWrites, sentMethods } from '../../support/requests.ts';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const mail = seedId('integration:sendgrid-email');
const other = seedId('integration:nodemailer-email');

describe('svc integrations: the identifier in place of the id', () => {
  const lines: [verb: string, more: string[]][] = [
    ['get', []],
    ['update', ['--name', 'x']],
    ['enable', []],
    ['disable', ['--yes']],
    ['set-primary', []],
    ['delete', ['--yes']],
  ];

  it.each(lines)('names the integration of the environment in `%s`', async (verb, more) => {
    const { svc } = await openRig();
    const { code, requests } = await svc(['integrations', verb, 'sendgrid-email', ...more]);
    expect(code).toBe(0);
    const writes = filterWrites(requests);
    for (const { line } of writes) expect(line).toContain(mail);
    expect(writes).toHaveLength(verb === 'get' ? 0 : 1);
  });

  it.each(lines)('that does not exist is suggested in `%s`', async (verb, more) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(['integrations', verb, 'sendgrid-mail', ...more]);
    expect({ code, methods: sentMethods(requests) }).toEqual({ code: 5, methods: ['GET'] });
    expect(stderr).toContain('Did you mean `sendgrid-email`?');
  });

  it('of another environment is not used', async () => {
    const { svc } = await openRig();
    await svc([
      ...['integrations', 'create', 'mailgun', '--channel', 'email', '--identifier', 'only-there'],
      ...['--environment', 'Production', '--yes'],
    ]);
    const { code, stderr } = await svc(['integrations', 'delete', 'only-there', '--yes']);
    expect(code).toBe(5);
    expect(stderr).toContain('Another environment has it, with the id');
  });

  it('cannot be looked up if the server does not list integrations', async () => {
    const { svc, answerBy } = await openRig();
    answerBy(({ url }) =>
      url.pathname === '/v1/integrations'
        ? { status: 404, body: { statusCode: 404, message: 'Cannot GET /v1/integrations' } }
        : undefined,
    );
    const { code, stderr } = await svc(['integrations', 'enable', 'twilio-sms']);
    expect(code).toBe(2);
    expect(stderr).toContain('`twilio-sms` is not the id of an integration');
  });
});

describe('svc integrations update', () => {
  it('prints the updated integration', async () => {
    const { svc } = await openRig();
    const { stdout, code } = await svc(['integrations', 'update', mail, '--name', 'Mail, EU'], {
      tty: true,
    });
    expect({ stdout, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stdout": "ID          67748580895a497d12797983
      IDENTIFIER  sendgrid-email
      NAME        Mail, EU
      PROVIDER    sendgrid
      CHANNEL     email
      ACTIVE      yes
      PRIMARY     yes
      ",
      }
    `);
  });

  it('converts values to the types of the request and masks secrets in the output', async () => {
    const { svc } = await openRig();
    const line = words`
      integrations update ${mail} --credential apiKey=env:MAIL_KEY --credential from==@me
      --credential senderName=Me --credential secure=true --configuration
      inboundWebhookEnabled=false --no-check --yes --json
    `;
    const { stdout, requests } = await svc(line, { env: { MAIL_KEY: 'SG.secret' } });
    expect(filterWrites(requests)[0]?.body).toEqual({
      check: false,
      credentials: { apiKey: 'SG.secret', from: '@me', senderName: 'Me', secure: true },
      configurations: { inboundWebhookEnabled: false },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      _id: mail,
      credentials: { apiKey: '********', from: '@me', secure: true },
    });
    expect((await svc(['integrations', 'update', mail, '--name', 'x'])).stdout).toContain(
      `Updated integration ${mail} at `,
    );
  });

  it('lists the credentials that will be removed before it asks for confirmation', async () => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(
      ['integrations', 'update', mail, '--credential', 'secure=true', '--clear-others'],
      { tty: true, columns: 1000 },
    );
    expect({ code, methods: sentMethods(requests) }).toEqual({ code: 2, methods: ['GET'] });
    expect(stderr).toContain('These credentials will be removed: apiKey, from, senderName.');
  });

  it.each([
    [[], 'No changes are given'],
    [['--credential', 'apiKye=x'], 'Did you mean `apiKey`?'],
    [['--credential', 'secure=maybe'], 'must be true or false, not `maybe`'],
    [['--body', '{"name":"x"}', '--name', 'y'], 'cannot be combined'],
    [['--body', '{"nme":"x"}'], 'unknown field "nme"'],
  ])('rejects %j before it sends a request', async (options, message) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(['integrations', 'update', mail, ...options]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });

  it('rejects the mask of a secret', async () => {
    const { svc } = await openRig();
    const pairs = ['apiKey=********', 'from=a@b.co', 'senderName=A'];
    const options = pairs.flatMap((pair) => ['--credential', pair]);
    const line = ['integrations', 'update', mail, ...options, '--yes'];
    const { code, stderr, requests } = await svc(line);
    expect({ code, methods: sentMethods(requests) }).toEqual({ code: 2, methods: ['GET'] });
    expect(stderr).toContain('the mask of a secret');
  });

  it('uses the exit code of an error of the service', async () => {
    const { svc } = await openRig();
    expect((await svc(['integrations', 'update', mail, '--identifier', 'twilio-sms'])).code).toBe(
      6,
    );
    expect((await svc(['integrations', 'update', '0'.repeat(24), '--name', 'x'])).code).toBe(5);
  });
});

describe('svc integrations enable, disable and delete', () => {
  it('change the integration, and delete lists those that remain', async () => {
    const { svc } = await openRig();
    expect(
      JSON.parse((await svc(['integrations', 'disable', mail, '--yes', '--json'])).stdout),
    ).toMatchObject({ active: false, primary: false });
    expect((await svc(['integrations', 'enable', mail], { tty: true })).stdout).toMatch(
      /ACTIVE +yes/,
    );
    const { stdout } = await svc(['integrations', 'delete', mail, '--yes', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      deleted: true,
      id: mail,
      remaining: expect.any(Array),
    });
  });

  it('disable asks before it deactivates the last active integration of a channel', async () => {
    const { svc } = await openRig();
    for (const line of [
      ['disable', mail],
      ['update', mail, '--no-active'],
      ['update', mail, '--body', '{"active":false}'],
    ]) {
      const refused = await svc(['integrations', ...line]);
      expect(refused.code).toBe(2);
      expect(refused.stderr.replace(/\s+/g, ' ')).toContain(
        'to deactivate integration sendgrid-email (67748580895a497d12797983) at http://sandbox.localhost. It is the last active integration for email',
      );
      expect(refused.stderr).toContain('--yes');
      expect(sentMethods(refused.requests)).toEqual(['GET']);
    }
    const dry = await svc(['integrations', 'disable', mail, '--dry-run']);
    expect({ code: dry.code, requests: dry.requests }).toEqual({ code: 0, requests: [] });
    const disabled = await svc(['integrations', 'disable', mail, '--yes'], { tty: true });
    expect(disabled.code).toBe(0);
    expect(disabled.stderr).toContain('It is the last active integration for email');
    expect(disabled.stderr.replace(/\s+/g, ' ')).toMatch(/Workflows .+ stop sending email\./);
    expect((await svc(['integrations', 'disable', mail])).code).toBe(0);
  });

  it('disable asks before it deactivates the primary integration, and names the others', async () => {
    const { svc } = await openRig();
    await svc(['integrations', 'enable', other]);
    const refused = await svc(['integrations', 'disable', mail]);
    expect(refused.code).toBe(2);
    const text = refused.stderr.replace(/\s+/g, ' ');
    expect(text).toContain('It is the primary integration for email');
    expect(text).toContain(`svc integrations set-primary ${other}`);
    expect((await svc(['integrations', 'disable', other])).code).toBe(0);
  });

  it('disable does not ask if the server does not list integrations', async () => {
    const { svc, answer } = await openRig();
    const message = 'Cannot GET /v1/integrations';
    answer({ status: 404, body: { statusCode: 404, message, error: 'Not Found' } });
    expect((await svc(['integrations', 'disable', mail])).code).toBe(0);
  });

  it('enable reports that another integration is primary, and how to change that', async () => {
    const { svc } = await openRig();
    for (const line of [
      ['enable', other],
      ['update', other, '--active'],
    ]) {
      const { code, stderr } = await svc(['integrations', ...line], { tty: true, columns: 1000 });
      expect(code).toBe(0);
      expect(stderr).toContain(
        `Integration nodemailer-email is active but not the primary one for email, and the service delivers email through the primary one. To make it primary: svc integrations set-primary ${other}`,
      );
    }
    const primary = await svc(['integrations', 'enable', mail], { tty: true });
    expect(primary.stderr).not.toContain('set-primary');
    const push = seedId('integration:fcm-push');
    expect((await svc(['integrations', 'enable', push], { tty: true })).stderr).not.toContain(
      'set-primary',
    );
  });

  it('exit with 2 without confirmation and with 5 for an unknown integration', async () => {
    const { svc } = await openRig();
    expect(await svc(['integrations', 'delete', mail])).toMatchObject({ code: 2, requests: [] });
    expect((await svc(['integrations', 'delete', '0'.repeat(24), '--yes'])).code).toBe(5);
    expect((await svc(['integrations', 'enable', '0'.repeat(24)])).code).toBe(5);
  });
});
