import { describe, expect, it } from 'vitest';
import { seedId } from '../../../src/sandbox/seed/ids.ts';
import { openRig } from '../../support/rig.ts';

const mail = seedId('integration:sendgrid-email');

describe('svc integrations: the integration id', () => {
  it.each([
    ['update', ['--name', 'x']],
    ['enable', []],
    ['disable', []],
    ['delete', ['--yes']],
  ])('cannot be an identifier in `%s`, which sends no request', async (verb, more) => {
    const { svc } = await openRig();
    const line = ['integrations', verb, 'twilio-sms', ...more];
    const { code, stderr, requests } = await svc(line);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('`twilio-sms` is not the id of an integration');
    expect(stderr).toContain('svc integrations list');
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
    const line = [
      'integrations',
      'update',
      mail,
      '--credential',
      'apiKey=env:MAIL_KEY',
      '--credential',
      'from==@me',
      '--credential',
      'senderName=Me',
      '--credential',
      'secure=true',
      '--configuration',
      'inboundWebhookEnabled=false',
      '--no-check',
      '--yes',
      '--json',
    ];
    const { stdout, requests } = await svc(line, { env: { MAIL_KEY: 'SG.secret' } });
    expect(requests[0]?.body).toEqual({
      check: false,
      credentials: { apiKey: 'SG.secret', from: '@me', senderName: 'Me', secure: true },
      configurations: { inboundWebhookEnabled: false },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      _id: mail,
      credentials: { apiKey: '********', from: '@me', secure: true },
    });
    expect((await svc(['integrations', 'update', mail, '--name', 'x'])).stdout).toContain(
      'name\tx\n',
    );
  });

  it('lists the credentials that will be removed before it asks for confirmation', async () => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(
      ['integrations', 'update', mail, '--credential', 'apiKey=x'],
      { tty: true, columns: 1000 },
    );
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toMatch(
      /These credentials are missing from the command and will be removed: user, secretKey, .*tlsOptions\./,
    );
  });

  it.each([
    [[], 'No changes are given'],
    [['--credential', 'apiKye=x'], 'Did you mean `apiKey`?'],
    [['--credential', 'secure=maybe'], 'must be true or false, not `maybe`'],
    [['--body', '{"name":"x"}', '--name', 'y'], 'cannot be combined'],
    [['--body', '{"nme":"x"}'], 'unknown field "nme"'],
    [['--credential', 'apiKey=********', '--yes'], 'the mask of a secret'],
  ])('rejects %j before it sends a request', async (options, message) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(['integrations', 'update', mail, ...options]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
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
      JSON.parse((await svc(['integrations', 'disable', mail, '--json'])).stdout),
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

  it('exit with 2 without confirmation and with 5 for an unknown integration', async () => {
    const { svc } = await openRig();
    expect(await svc(['integrations', 'delete', mail])).toMatchObject({ code: 2, requests: [] });
    expect((await svc(['integrations', 'delete', '0'.repeat(24), '--yes'])).code).toBe(5);
    expect((await svc(['integrations', 'enable', '0'.repeat(24)])).code).toBe(5);
  });
});
