// `svc workflows preview`
import { describe, expect, it } from 'vitest';
import type { Mode } from '../../../src/service/mode.ts';
import { printedError } from '../../support/printed-error.ts';
import { words } from '../../support/words.ts';
import { firstLine, openWorkflowRig, writeFullFolder } from './workflow-folder.ts';

interface Preview {
  stepId: string;
  result: string;
  reason: string | null;
  content: Record<string, unknown> | null;
}

const previews = (stdout: string) => JSON.parse(stdout) as Preview[];

const workflow = (steps: string) => `${firstLine}\nworkflowId: hello\nsteps:\n${steps}`;

/** A rig with the workflow `hello`. */
async function openHello(steps: string, mode: Mode = 'novu') {
  const rig = await openWorkflowRig({ mode });
  const text = workflow(steps).replace(firstLine, `${firstLine}, compat ${mode}`);
  rig.files.write('workflows/hello.yaml', text);
  const { code, stderr } = await rig.svc(['workflows', 'push', '--yes']);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return rig;
}

describe('svc workflows preview', () => {
  it('shows what each step would send to a subscriber, and sends nothing', async () => {
    const { svc } = await openWorkflowRig();
    const line = ['workflows', 'preview', 'welcome', '--to', 'u1', '-f', 'product=Acme'];
    const { code, stdout, stderr, requests } = await svc(line, { tty: true });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatchInlineSnapshot(`
      "welcome-inbox  in_app
        subject                        Welcome, Ada!
        body                           Good to have you at Acme.
        avatar                         https://example.com/images/wave.png
        primaryAction.label            Look around
        primaryAction.redirect.url     https://example.com/start
        primaryAction.redirect.target  _blank

      welcome-email  email
        subject  Welcome to Acme
        body
          Hello Ada,

          good to have you here.
      "
    `);
    const html = await svc([...line, '--step', 'welcome-email', '--html'], { tty: true });
    expect(html.stdout).toContain('body     <p>Hello Ada,</p><p>good to have you here.</p>\n');
    const lines = requests.map(({ line: request }) => request);
    expect(lines.filter((request) => !request.endsWith('/preview'))).toEqual([
      'GET /v2/workflows/welcome',
      'GET /v2/subscribers/u1',
      'GET /v2/subscribers/u1/preferences?criticality=all',
    ]);
  });

  it.each(['nope.yaml', 'nope/welcome.yaml'])('names a missing file: %s', async (file) => {
    const { svc } = await openWorkflowRig();
    const { code, stderr, requests } = await svc(['workflows', 'preview', file]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(`File ${file} does not exist.`);
  });

  it('lists variables that are missing or printed as an object', async () => {
    const { svc } = await openHello(`  - stepId: text
    name: Text
    type: sms
    controlValues:
      body: >-
        Order {{payload.order}} for {{payload.name}} or {{payload.nick | default: 'you'}}
`);
    const line = ['workflows', 'preview', 'hello', '--payload', '{"order":{"number":17}}'];
    const { code, stdout } = await svc(line, { tty: true });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `text  sms
  missing: payload.name (body)
  printed as an object: payload.order (body)
  body  Order {'number':17} for  or you
`,
    });
    expect(JSON.parse((await svc([...line, '--json'])).stdout)).toMatchObject([
      {
        missingVariables: [{ template: 'body', variable: 'payload.name' }],
        objectVariables: [{ template: 'body', variable: 'payload.order' }],
      },
    ]);
  });

  it('is a list with --json, and one line per step in a pipe', async () => {
    const { svc } = await openWorkflowRig();
    const line = ['workflows', 'preview', 'welcome', '--payload', '{"product":"Acme"}'];
    const { stdout } = await svc([...line, '--json']);
    expect(previews(stdout)).toMatchObject([
      { stepId: 'welcome-inbox', type: 'in_app', result: 'shown', reason: null },
      {
        stepId: 'welcome-email',
        content: {
          subject: 'Welcome to Acme',
          body: '<p>Hello ,</p><p>good to have you here.</p>',
        },
      },
    ]);
    const piped = await svc(line);
    expect(piped.stdout.split('\n')[1]).toBe(
      'welcome-email\temail\tshown\t\tWelcome to Acme\t<p>Hello ,</p><p>good to have you here.</p>',
    );
  });

  it('renders blocks, HTML and the layout of an e-mail', async () => {
    const { svc, files } = await openWorkflowRig();
    writeFullFolder(files);
    await svc(['workflows', 'push', '--yes']);
    const { stdout } = await svc(['workflows', 'preview', 'full', '--to', 'u1', '--json']);
    const [, , block, html] = previews(stdout);
    expect(block?.content?.body).toMatch(/<h1>Frame<\/h1>[\s\S]*Hello[\s\S]*Ada/);
    expect(html?.content?.body).toContain('<p>Hello Ada</p>');
    expect(Object.keys(block?.content ?? {})).toEqual(['subject', 'body']);
  });

  it('shows only the step of --step, and suggests a similar one', async () => {
    const { svc } = await openWorkflowRig();
    const { stdout } = await svc(words`workflows preview welcome --step welcome-email -o ids`);
    expect(stdout).toBe('welcome-email\n');
    const { code, stderr } = await svc(words`workflows preview welcome --step welcome-mail`);
    expect(code).toBe(5);
    expect(stderr).toContain('Did you mean `welcome-email`?');
  });

  it('renders later steps with the events of a digest', async () => {
    const { svc } = await openHello(
      '  - { stepId: digest, type: digest, controlValues: { type: regular, amount: 1, unit: hours } }\n  - { stepId: text, type: sms, controlValues: { body: "{{steps.digest.eventCount}}: {{steps.digest.events[0].payload.name}}" } }\n',
    );
    const { stdout } = await svc(['workflows', 'preview', 'hello', '-f', 'name=Ada', '--json']);
    expect(previews(stdout)[1]?.content).toEqual({ body: '1: Ada' });
  });

  it.each([
    ['novu', 'shown', 'skipped', 'its condition is not met'],
    ['specification', 'skipped', 'shown', 'its condition is met'],
  ] as const)(
    'shows a step that its condition skips, by the rules of the server: %s',
    async (mode, met, unmet, reason) => {
      const { svc } = await openHello(
        '  - { stepId: text, type: sms, controlValues: { body: Hi, skip: { "==": [{ var: payload.plan }, pro] } } }\n',
        mode,
      );
      const results = await Promise.all(
        ['pro', 'free'].map(async (plan) =>
          previews(
            (await svc(['workflows', 'preview', 'hello', '-f', `plan=${plan}`, '--json'])).stdout,
          ),
        ),
      );
      expect(results.map(([one]) => one?.result)).toEqual([met, unmet]);
      const skipped = results.flat().find(({ result }) => result === 'skipped');
      expect(skipped?.reason).toContain(reason);
    },
  );

  it('shows a chat and a push step only if the subscriber can get them', async () => {
    const { svc } = await openWorkflowRig();
    const preview = async (to: string) =>
      previews((await svc(['workflows', 'preview', 'order-update', '--to', to, '--json'])).stdout);
    expect(await preview('u8')).toMatchObject([
      { stepId: 'order-chat', result: 'skipped', reason: 'the subscriber has no chat channel' },
      { stepId: 'order-push', result: 'skipped', reason: 'the subscriber has no device token' },
      {},
    ]);
    expect((await preview('u1')).slice(0, 2)).toMatchObject([
      { result: 'shown' },
      { result: 'shown' },
    ]);
  });

  it('shows a step that the preferences or a missing address skip, with its reason', async () => {
    const { svc } = await openHello(
      '  - { stepId: text, type: sms, controlValues: { body: Hi } }\n  - { stepId: mail, type: email, controlValues: { subject: Hi, body: Hi } }\n',
    );
    await svc(['subscribers', 'create', 'u404']);
    const missing = await svc(['workflows', 'preview', 'hello', '--to', 'u404', '--json']);
    expect(previews(missing.stdout).map(({ reason }) => reason)).toEqual([
      'the subscriber has no phone number',
      'the subscriber has no e-mail address',
    ]);
    await svc(words`subscribers preferences update u404 --workflow hello --sms off`);
    const off = await svc(['workflows', 'preview', 'hello', '--to', 'u404'], { tty: true });
    expect(off.code).toBe(0);
    expect(off.stdout).toContain(
      'text  sms  skipped: the preferences turn off sms for the subscriber\n',
    );
  });

  it('agrees with what the sandbox delivers', async () => {
    const { svc } = await openWorkflowRig();
    const payload = '{"product":"Acme"}';
    const { stdout } = await svc(
      words`workflows preview welcome --to u1 --payload ${payload} --json`,
    );
    await svc(
      words`events trigger welcome --to u1 --payload ${payload} --transaction-id txn_preview`,
    );
    const inbox = JSON.parse((await svc(['inbox', 'list', 'u1', '--limit', '1', '--json'])).stdout);
    expect(inbox[0].content).toBe(previews(stdout)[0]?.content?.body);
  });

  it('exits with 3 if a step cannot be rendered', async () => {
    const { svc, answerBy } = await openWorkflowRig();
    const { stdout: current } = await svc(['workflows', 'get', 'welcome', '--json']);
    const broken = JSON.parse(current.replaceAll('Welcome to {{payload.product}}', '{% broken %}'));
    answerBy(({ url }) =>
      url.pathname === '/v2/workflows/welcome'
        ? { status: 200, body: { data: broken } }
        : undefined,
    );
    const { code, stdout, stderr } = await svc(['workflows', 'preview', 'welcome', '--json']);
    expect(code).toBe(3);
    expect(previews(stdout)[1]).toMatchObject({ stepId: 'welcome-email', result: 'failed' });
    expect(printedError(stderr).details[0]).toMatchObject({ field: 'step welcome-email' });
  });

  it.each([
    ['workflow', ['welcom'], 5, 'Did you mean `welcome`?'],
    ['subscriber', ['welcome', '--to', 'no-such'], 5, 'no-such'],
    ['payload', ['welcome', '--payload', '[1]'], 2, '--payload must be a JSON object'],
  ])('reports an invalid %s', async (_what, more, expected, message) => {
    const { svc } = await openWorkflowRig();
    const { code, stderr } = await svc(['workflows', 'preview', ...more]);
    expect(code).toBe(expected);
    expect(stderr).toContain(message);
  });
});

describe('svc workflows preview of a file', () => {
  it('renders it with the layouts beside it, without a request, and lists missing variables', async () => {
    const { svc, files } = await openWorkflowRig({ bare: true });
    writeFullFolder(files);
    files.edit('workflows/full.yaml', 'subject: HTML', 'subject: "HTML {{payload.gone}}"');
    const { code, stdout, requests } = await svc([
      ...['workflows', 'preview', 'workflows/full.yaml', '--step', 'block-mail', '--json'],
    ]);
    expect({ code, requests }).toEqual({ code: 0, requests: [] });
    expect(JSON.parse(stdout)[0].content.body).toContain('<h1>Frame</h1>');
    const html = await svc([
      ...['workflows', 'preview', 'workflows/full.yaml', '--step', 'html-mail', '--json'],
    ]);
    expect(JSON.parse(html.stdout)[0].missingVariables).toContainEqual({
      ...{ template: 'subject', variable: 'payload.gone' },
    });
  });

  it('says that a layout is missing, and refuses another file', async () => {
    const { svc, files } = await openWorkflowRig({ bare: true });
    writeFullFolder(files);
    files.remove('workflows/layouts');
    const line = ['workflows', 'preview', 'workflows/full.yaml', '--step', 'block-mail'];
    const { code, stdout } = await svc(line);
    expect(code).toBe(3);
    expect(stdout).toContain('its layout `frame` does not exist');
    files.write('other.yaml', 'a: b\n');
    expect(await svc(['workflows', 'preview', './other.yaml'])).toMatchObject({ code: 2 });
    expect(await svc(['workflows', 'preview', 'gone.yaml'])).toMatchObject({ code: 2 });
  });

  it.each([
    [
      'in_app',
      "{body: '{{payload.none}}'}",
      'its content is not valid: subject is empty; body is empty',
    ],
    ['in_app', "{body: ''}", "its settings are not valid: must have required property 'subject'"],
    [
      'in_app',
      '{body: Hi, redirect: {url: "{{payload.url}}", target: _self}}',
      'its content is not valid: redirect.url is not an address that can be opened',
    ],
    [
      'email',
      "{subject: '{{payload.none}}', body: Hi}",
      'its content is not valid: subject is empty',
    ],
    ['delay', '{type: regular, unit: hours}', 'its settings are not valid: '],
  ])('says why the engine would fail a step of type %s with %s', async (type, controls, reason) => {
    const rig = await openWorkflowRig();
    const step = `  - {stepId: one, name: One, type: ${type}, controlValues: ${controls}}`;
    rig.files.write('workflows/hello.yaml', workflow(step));
    const line = ['workflows', 'preview', 'workflows/hello.yaml', '-f', 'url=nonsense', '--json'];
    const { code, stdout } = await rig.svc(line);
    expect({ code, preview: previews(stdout)[0] }).toMatchObject({
      code: 3,
      preview: { result: 'failed', reason: expect.stringContaining(reason), content: null },
    });
  });

  it('shows the variables that only newer servers have as in the template', async () => {
    const { svc, files } = await openWorkflowRig({ bare: true });
    const steps = `  - stepId: inbox
    type: in_app
    controlValues:
      subject: 'env.other, {{env.name}}'
      body: 'By {{actor.data.team | upcase}}{% if env.type == ''prod'' %}!{% endif %}'
      redirect: { url: '{{env.BASE_URL}}', target: _self }
  - stepId: text
    type: sms
    controlValues: { body: 'Hello' }
`;
    files.write('workflows/hello.yaml', workflow(steps));
    const line = ['workflows', 'preview', 'workflows/hello.yaml', '--json'];
    const { code, stdout, stderr } = await svc(line, { tty: 'stderr', columns: 400 });
    expect({ code, first: previews(stdout)[0] }).toMatchObject({
      code: 0,
      first: {
        ...{ result: 'shown', missingVariables: [] },
        content: {
          ...{ subject: 'env.other, {{env.name}}', body: 'By {{ACTOR.DATA.TEAM}}' },
          redirect: { url: '{{env.BASE_URL}}' },
        },
      },
    });
    expect(stderr).toContain(
      'shown as in the template: actor.data.team, env.BASE_URL, env.name and env.type.',
    );
    const other = await svc([...line, '--step', 'text'], { tty: 'stderr' });
    expect(other.stderr).not.toContain('as in the template');
  });
});
