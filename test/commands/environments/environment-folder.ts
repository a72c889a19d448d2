// A rig with a folder of a whole environment.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { RigOptions } from '../../support/rig.ts';
import { openStaging } from '../workflows/workflow-folder.ts';

/** The values of the secret credentials of the seed below. */
export const secrets = {
  sendgrid: 'SG.seed-secret-1',
  backup: 'seed-secret-password-2',
  twilio: 'seed-secret-token-3',
  sid: 'AC-seed-secret-4',
};

/** Every kind of resource, with credentials of each type. */
export const seed = {
  version: 1 as const,
  environments: [
    {
      name: 'Development',
      integrations: [
        {
          identifier: 'in-app-dev',
          providerId: 'svc',
          channel: 'in_app' as const,
          name: 'Inbox',
          active: true,
          credentials: { hmac: true },
        },
        {
          identifier: 'sendgrid',
          providerId: 'sendgrid',
          channel: 'email' as const,
          name: 'Mail',
          active: true,
          primary: true,
          credentials: { apiKey: secrets.sendgrid, from: 'news@example.com', senderName: 'News' },
        },
        {
          identifier: 'backup-mail',
          providerId: 'nodemailer',
          channel: 'email' as const,
          name: 'Backup mail',
          active: true,
          credentials: {
            ...{ host: 'smtp.example.com', port: '587', user: 'mailer', password: secrets.backup },
            ...{ from: 'b@example.com', senderName: 'Backup', secure: false },
          },
          conditions: [
            {
              isNegated: false,
              type: 'GROUP' as const,
              value: 'AND' as const,
              children: [
                { field: 'plan', value: 'pro', operator: 'EQUAL' as const, on: 'payload' as const },
              ],
            },
          ],
        },
        {
          identifier: 'twilio',
          providerId: 'twilio',
          channel: 'sms' as const,
          name: 'Text messages',
          active: false,
          credentials: { accountSid: secrets.sid, token: secrets.twilio, from: '+15550100' },
        },
      ],
      topics: [{ key: 'news', name: 'News' }, { key: 'unnamed' }],
      contexts: [{ type: 'tenant', id: 'acme', data: { plan: 'pro', seats: 3 } }],
      layouts: [
        {
          layoutId: 'frame',
          name: 'Frame',
          isDefault: true,
          editorType: 'html' as const,
          body: '<html>\n<body>\n{{content}}\n</body>\n</html>\n',
        },
      ],
      workflows: [
        {
          workflowId: 'welcome',
          name: 'Welcome',
          payloadSchema: { type: 'object', properties: { name: { type: 'string' } } },
          steps: [
            {
              stepId: 'mail',
              name: 'Mail',
              type: 'email' as const,
              controlValues: {
                subject: 'Hello {{payload.name}}',
                body: '<p>Hi</p>\n',
                editorType: 'html',
                layoutId: 'frame',
              },
            },
          ],
        },
      ],
    },
  ],
};

export const withVariables = {
  SENDGRID_API_KEY: secrets.sendgrid,
  BACKUP_MAIL_PASSWORD: secrets.backup,
  TWILIO_TOKEN: secrets.twilio,
  TWILIO_ACCOUNT_SID: secrets.sid,
};

/** A rig with the profiles development, which has the seed, and staging, which is empty. */
export async function openEnvironments(options: RigOptions = {}) {
  const rig = await openStaging({ seed: seed as never, ...options });
  const svc: typeof rig.svc = (argv, more = {}) => rig.svc(argv, more);
  const pull = (folder: string, profile: string, ...more: string[]) =>
    svc(['environments', 'pull', folder, '-p', profile, ...more]);
  const push = (folder: string, profile: string, ...more: string[]) =>
    svc(['environments', 'push', folder, '-p', profile, '--yes', ...more], { env: withVariables });
  return { ...rig, svc, pull, push };
}

/** All texts of the files below a folder. */
export function textsBelow(folder: string): string {
  return (readdirSync(folder, { recursive: true }) as string[])
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

/** The results that a push printed with --json: resource, result and reason. */
export const writeResults = (stdout: string) =>
  (
    JSON.parse(stdout).results as { kind: string; id: string; result: string; message?: string }[]
  ).map(({ kind, id, result, message = '' }) => [`${kind} ${id}`, result, message]);
