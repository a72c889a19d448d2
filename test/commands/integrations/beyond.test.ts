// `svc integrations list`, `get`, `create` and `set-primary`.
import { describe, expect, it } from 'vitest';
import { seedId } from '../../../src/sandbox/store/ids.ts';
import { openRig } from '../../support/rig.ts';

const sendgrid = seedId('integration:sendgrid-email');
const nodemailer = seedId('integration:nodemailer-email');

describe('svc integrations list', () => {
  it('shows the integrations of the environment of the key', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(['integrations', 'list'], { tty: true, columns: 120 });
    expect(stdout).toMatchInlineSnapshot(`
      "ID                        IDENTIFIER        NAME                      PROVIDER    CHANNEL  ACTIVE  PRIMARY  ENVIRONMENT
      677485804a3baca0fb5534c2  in-app            In-app inbox              novu        in_app   yes     no       Development
      67748580895a497d12797983  sendgrid-email    SendGrid                  sendgrid    email    yes     yes      Development
      677485809bebc841f620134a  nodemailer-email  Custom mail server        nodemailer  email    no      no       Development
      677485800ef57f02fabe008d  twilio-sms        Twilio                    twilio      sms      yes     yes      Development
      677485804c0f24bc99bd9caa  slack-chat        Slack                     slack       chat     yes     no       Development
      677485800c5521ebf6d3a2f3  fcm-push          Firebase Cloud Messaging  fcm         push     yes     no       Development
      "
    `);
    const ids = async (...options: string[]) =>
      (await svc(['integrations', 'list', '-o', 'ids', ...options])).stdout.trim().split('\n');
    const own = await ids();
    expect(own).toContain(sendgrid);
    expect(await ids('--environment', 'Development')).toEqual(own);
    const others = await ids('--environment', 'production');
    expect(await ids('--all-environments')).toHaveLength(
      own.length + others.filter(Boolean).length,
    );
    expect((await svc(['integrations', 'list', '--environment', 'Prodution'])).stderr).toContain(
      'Did you mean `Production`?',
    );
  });

  it.each([['--json'], ['-o', 'yaml'], ['-o', 'csv'], []])(
    'never prints a secret: %s',
    async (...options) => {
      const { svc } = await openRig();
      for (const line of [['list'], ['get', sendgrid]]) {
        const { stdout } = await svc(['integrations', ...line, ...options]);
        expect(stdout).not.toContain('SG.sandbox-only');
      }
      const { stdout } = await svc(['integrations', 'get', sendgrid, '--json', '--reveal']);
      expect(stdout).toContain('SG.sandbox-only');
    },
  );

  it('says that a server does not offer the operation', async () => {
    const { svc, pass, answer } = await openRig();
    pass(1);
    const message = 'Cannot GET /v1/integrations';
    answer({ status: 404, body: { statusCode: 404, message, error: 'Not Found' } });
    const { code, stderr } = await svc(['integrations', 'list']);
    expect(code).toBe(5);
    expect(stderr).toContain('This server does not offer GET /v1/integrations.');
  });
});

describe('svc integrations get', () => {
  it('shows one integration with masked credentials', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(['integrations', 'get', sendgrid], { tty: true, columns: 120 });
    expect(stdout).toMatchInlineSnapshot(`
      "ID              67748580895a497d12797983
      IDENTIFIER      sendgrid-email
      NAME            SendGrid
      PROVIDER        sendgrid
      CHANNEL         email
      ACTIVE          yes
      PRIMARY         yes
      ENVIRONMENT     67748580715b67c40eeeb148
      CREDENTIALS     {"apiKey":"********","from":"hello@example.com","senderName":"Example"}
      "
    `);
    expect((await svc(['integrations', 'get', 'f'.repeat(24)])).code).toBe(5);
  });
});

describe('svc integrations create', () => {
  const line = ['integrations', 'create', 'mailgun', '--channel', 'email'];

  it('sends the credentials in the types of the request', async () => {
    const { svc } = await openRig();
    const more = ['--name', 'Mail', '--active', '--credential', 'apiKey=env:KEY'];
    const { stdout, stderr, requests } = await svc(
      [...line, ...more, '--credential', 'secure=true'],
      { tty: true, env: { KEY: 's3cret' } },
    );
    expect(requests).toMatchObject([
      {
        line: 'POST /v1/integrations',
        body: {
          providerId: 'mailgun',
          channel: 'email',
          name: 'Mail',
          active: true,
          credentials: { apiKey: 's3cret', secure: true },
        },
      },
    ]);
    expect(stderr).toContain('Created integration');
    expect(stdout).toMatch(/PRIMARY +no/);
  });

  it.each([false, true])(
    'prints no secret that the error of the service repeats: --json %s',
    async (json) => {
      const { svc, answer } = await openRig();
      const secret = 'key-0a1b2c3d"4e5f';
      answer({
        status: 400,
        body: {
          message: `invalid apiKey ${secret} of ${Buffer.from(secret).toString('base64')}`,
          errors: { credentials: { messages: [`${secret} is wrong`] } },
        },
      });
      const more = ['--credential', 'apiKey=env:KEY', '--debug=body', ...(json ? ['--json'] : [])];
      const { code, stdout, stderr } = await svc([...line, ...more], { env: { KEY: secret } });
      expect(code).toBe(6);
      expect(stderr).toContain('invalid apiKey ********');
      expect(stdout + stderr).not.toMatch(/0a1b2c3d|a2V5LTBhMWIy/);
    },
  );

  it('creates it in another environment', async () => {
    const { svc } = await openRig();
    const { code, requests } = await svc([...line, '--environment', 'Production']);
    expect(code).toBe(0);
    expect(requests[1]?.body).toMatchObject({ _environmentId: seedId('environment:production') });
  });

  it.each([
    ['without --channel', ['integrations', 'create', 'mailgun'], '--channel is required.'],
    [
      'for an unknown provider',
      ['integrations', 'create', 'sendgird', '--channel', 'email'],
      'sendgrid',
    ],
    ['for an unknown credential', [...line, '--credential', 'apikey=x'], 'apiKey'],
  ])('is a usage error %s', async (_name, argv, message) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(argv);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });

  it('sends an unknown provider with --force-provider', async () => {
    const { svc } = await openRig();
    const argv = ['integrations', 'create', 'pigeon', '--channel', 'chat', '--force-provider'];
    expect((await svc([...argv, '--dry-run'])).stdout).toContain('"pigeon"');
  });
});

describe('svc integrations set-primary', () => {
  it('says that the integration is active and has no conditions', async () => {
    const { svc } = await openRig();
    const { stderr, stdout, requests } = await svc(['integrations', 'set-primary', nodemailer], {
      tty: true,
      columns: 300,
    });
    expect(requests).toMatchObject([{ line: `POST /v1/integrations/${nodemailer}/set-primary` }]);
    expect(stderr).toContain('the primary one for email, active and without conditions');
    expect(stdout).toMatch(/ACTIVE +yes/);
    expect(stdout).toMatch(/PRIMARY +yes/);
    const former = (await svc(['integrations', 'get', sendgrid, '--json'])).stdout;
    expect(JSON.parse(former)).toMatchObject({ primary: false, active: true });
  });

  it('is refused for a channel without a primary integration', async () => {
    const { svc } = await openRig();
    const { code } = await svc(['integrations', 'set-primary', seedId('integration:fcm-push')]);
    expect(code).toBe(6);
  });
});
