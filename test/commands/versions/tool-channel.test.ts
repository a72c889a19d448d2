// Preferences of the channel `tool`, which servers have since 3.19.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Answerer, openRig, type Rig, writeInput } from '../../support/rig.ts';

/** u3 has turned tools off, for all workflows and for one. */
function answerPreferences(rig: Rig): void {
  const channels = { email: true, sms: true, in_app: true, chat: true, push: true, tool: false };
  const answer: Answerer = ({ method, url }) => {
    if (method !== 'GET' || url.pathname !== '/v2/subscribers/u3/preferences') return undefined;
    const workflow = { identifier: 'welcome', slug: 'welcome_wf_1', name: 'Welcome' };
    const welcome = {
      enabled: true,
      channels: { email: true, tool: false },
      overrides: [],
      workflow,
    };
    const global = { enabled: true, channels };
    return { status: 200, body: { data: { global, workflows: [welcome] } } };
  };
  rig.answerBy(answer);
}

it('svc subscribers preferences get shows the channel only if the server has it', async () => {
  const rig = await openRig();
  const line = ['subscribers', 'preferences', 'get', 'u3'];
  expect((await rig.svc(line, { tty: true })).stdout).not.toContain('TOOL');
  answerPreferences(rig);
  expect((await rig.svc(line, { tty: true })).stdout).toMatch(/TOOL\s+\(all\).*off/);
});

it('an export keeps the choice, and an import sends it', async () => {
  const rig = await openRig();
  answerPreferences(rig);
  await rig.svc(['subscribers', 'preferences', 'export', 'p.csv']);
  const rows = readFileSync(path.join(rig.folder, 'p.csv'), 'utf8').split('\n');
  expect(rows).toContain('u3,,,,,,,off,');
  writeInput(rig, 'one.csv', `${rows[0]}\nu3,,,,,,,off,\n`);
  const { requests } = await rig.svc(['subscribers', 'preferences', 'import', 'one.csv']);
  expect(requests.at(-1)?.body).toEqual({ channels: { tool: false } });
});

it('svc subscribers preferences update turns it on and off', async () => {
  const rig = await openRig();
  const line = ['subscribers', 'preferences', 'update', 'u3', '--tool', 'on'];
  const { requests } = await rig.svc(line);
  const bodies = requests.map(({ body }) => body);
  expect(bodies).toContainEqual({ channels: { tool: true } });
});

it('svc subscribers preferences copy keeps the choice', async () => {
  const rig = await openRig();
  const off = { email: true, in_app: true, tool: false };
  const on = { email: true, in_app: true, tool: true };
  rig.answerBy(({ method, url, body }) => {
    if (url.pathname !== '/v2/subscribers/u3/preferences') return undefined;
    const sent = method === 'PATCH' ? (body as { channels: object }).channels : {};
    const workflows = [
      ['welcome', off],
      ['comment-digest', { ...on, ...sent }],
    ].map(([identifier, channels]) => ({
      ...{ enabled: true, channels, overrides: [] },
      workflow: { identifier, slug: identifier, name: identifier },
    }));
    return { status: 200, body: { data: { global: { enabled: true, channels: on }, workflows } } };
  });
  const list = writeInput(rig, 'ids.txt', 'u3\n');
  const names = ['--from-workflow', 'welcome', '--to-workflow', 'comment-digest'];
  const line = ['subscribers', 'preferences', 'copy', ...names, '--file', list, '--yes', '--json'];
  const { code, stdout, requests } = await rig.svc(line);
  expect({ code, updated: JSON.parse(stdout).updated }).toEqual({ code: 0, updated: 1 });
  expect(requests.at(-1)?.body).toEqual({
    workflowId: 'comment-digest',
    channels: { tool: false },
  });
});

it('svc subscribers preferences get asks for the choices of contexts', async () => {
  const rig = await openRig();
  const contexts = ['--context', 'tenant:acme', '--context', 'app=web'];
  const line = ['subscribers', 'preferences', 'get', 'u3', ...contexts];
  const { code, requests } = await rig.svc(line);
  expect(code).toBe(0);
  const query = new URLSearchParams(requests[0]?.line.split('?')[1]);
  expect(query.getAll('contextKeys')).toEqual(['tenant:acme', 'app:web']);
});
