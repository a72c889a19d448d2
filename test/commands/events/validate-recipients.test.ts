import { describe, expect, it } from 'vitest';
import { filterWrites } from '../../support/requests.ts';
import { openRig, parsed, type Rig } from '../../support/rig.ts';

const csv =
  'subscriberId,email,payload.product\nv1,v1@example.com,Example\nv2,v2@example.com,Example\n';

async function validate(rig: Rig, stdin: string, workflow = 'welcome', ...options: string[]) {
  const line = ['events', 'trigger', workflow, '--recipients', '-', '--validate-only', '--json'];
  const { code, stdout, stderr, requests } = await rig.svc([...line, ...options], { stdin });
  expect(filterWrites(requests)).toEqual([]);
  return { code, stderr, summary: stdout === '' ? undefined : parsed(stdout) };
}

/** Changes the workflow that the service returns. */
function changeWorkflow(rig: Rig, workflow: object, change: object) {
  rig.answerBy(({ method, url }) =>
    method === 'GET' && url.pathname.startsWith('/v2/workflows/')
      ? { status: 200, body: { ...workflow, ...change } }
      : undefined,
  );
}

async function readWorkflow(rig: Rig, workflowId = 'welcome') {
  const { stdout } = await rig.svc(['workflows', 'get', workflowId, '--json']);
  return parsed(stdout) as { steps: { stepId: string; type: string }[] };
}

describe('--recipients --validate-only', () => {
  it('accepts rows that can be delivered', async () => {
    const rig = await openRig();
    const { code, summary } = await validate(rig, csv);
    expect(code).toBe(0);
    expect(summary).toMatchObject({ rows: 2, invalid: 0, skipped: 2 });
    expect(summary).not.toHaveProperty('problems');
  });

  it('rejects rows whose payload does not match the schema of the workflow', async () => {
    const rig = await openRig();
    const payloadSchema = {
      type: 'object',
      properties: { product: { type: 'string', minLength: 3 } },
      required: ['product'],
    };
    changeWorkflow(rig, await readWorkflow(rig), { validatePayload: true, payloadSchema });
    const rows = `${csv}v3,v3@example.com,ab\nv4,v4@example.com,\n`;
    const { code, summary, stderr } = await validate(rig, rows);
    expect(code).toBe(3);
    expect(summary).toMatchObject({ rows: 4, invalid: 2 });
    expect(stderr).toContain('payload: product: must NOT have fewer than 3 characters');
    expect(stderr).toContain("payload: root.product: must have required property 'product'");
    const common = await validate(rig, 'subscriberId\nv4\n', 'welcome', '-f', 'product=Example');
    expect(common.code).toBe(0);
  });

  it('rejects rows for which a pattern of the schema takes too long, in limited time', async () => {
    const rig = await openRig();
    const payloadSchema = { properties: { product: { pattern: '^(?:x+)+$' } } };
    changeWorkflow(rig, await readWorkflow(rig), { validatePayload: true, payloadSchema });
    const slow = `${'x'.repeat(50)}!`;
    const rows = `subscriberId,payload.product\nv1,${slow}\nv2,${slow}\nv3,xx\n`;
    const { code, summary, stderr } = await validate(rig, rows);
    expect({ code, summary }).toMatchObject({ code: 3, summary: { rows: 3, invalid: 2 } });
    expect(stderr).toContain(
      'must match pattern \\"^(?:x+)+$\\", which takes too long for some texts',
    );
  });

  it('rejects rows without the address that a step needs, if the input has a column for it', async () => {
    const rig = await openRig();
    const rows = 'subscriberId,email\nv1,\nv2,broken\nv3,v3@example.com\n';
    const { code, summary, stderr } = await validate(rig, rows, 'welcome', '--update-subscribers');
    expect(code).toBe(3);
    expect(summary).toMatchObject({ invalid: 2, skipped: 1 });
    expect(stderr).toContain('email: is missing, but the workflow has a step for email');
    expect((await validate(rig, 'subscriberId\nv1\n')).code).toBe(0);
  });

  it('checks addresses in JSON', async () => {
    const rig = await openRig();
    const rows = '{"subscriberId":"v1"}\n{"subscriberId":"v2","email":""}\n';
    const options = ['--format', 'ndjson', '--update-subscribers'];
    const { code, summary } = await validate(rig, rows, 'welcome', ...options);
    expect(code).toBe(3);
    expect(summary).toMatchObject({ rows: 2, invalid: 1 });
  });

  it('does not check addresses that the events do not send, and warns about their columns', async () => {
    const rig = await openRig();
    const rows = 'subscriberId,Mail,firstName\nv1,,A\nv2,broken,B\n';
    const line = ['events', 'trigger', 'welcome', '--recipients', '-', '--validate-only'];
    const mapped = [...line, '--format', 'csv', '--map', 'email=Mail'];
    const run = (...options: string[]) =>
      rig.svc([...mapped, ...options], { stdin: rows, tty: true, columns: 200 });
    const { code, stderr } = await run();
    expect(code).toBe(0);
    expect(stderr).toContain('The column Mail is not sent; add --update-subscribers.\n');
    expect(stderr).not.toContain('firstName');
    expect((await run('--update-subscribers')).stderr).not.toContain('is not sent');
    const sent = await rig.svc([...line.slice(0, -1), '--format', 'csv', '--yes'], {
      stdin: 'subscriberId,email\nu1,new@example.com\n',
    });
    expect(sent.code).toBe(0);
    expect(sent.stderr).toContain('The column email is not sent; add --update-subscribers.\n');
  });

  it('exits with 5 for an unknown workflow', async () => {
    const rig = await openRig();
    const { code, stderr, summary } = await validate(rig, csv, 'wellcome');
    expect({ code, summary }).toEqual({ code: 5, summary: undefined });
    expect(stderr).toContain('orkflow');
  });

  it('exits with 2 for an inactive workflow, to which no row can be delivered', async () => {
    const rig = await openRig();
    changeWorkflow(rig, await readWorkflow(rig), { active: false, status: 'INACTIVE' });
    const { code, summary, stderr } = await validate(rig, csv);
    expect(code).toBe(2);
    expect(summary).toMatchObject({ rows: 2, problems: ['The workflow welcome is inactive.'] });
    expect(stderr).toContain('The workflow welcome is inactive.');
  });

  it('exits with 3 for a step with issues', async () => {
    const rig = await openRig();
    const workflow = await readWorkflow(rig);
    const issue = { issueType: 'ILLEGAL_VARIABLE_IN_CONTROL_VALUE', message: 'invalid variable' };
    const steps = workflow.steps.map((step) =>
      step.type === 'email' ? { ...step, issues: { controls: { body: [issue] } } } : step,
    );
    changeWorkflow(rig, workflow, { steps });
    const { code, summary } = await validate(rig, csv);
    expect(code).toBe(3);
    expect(String(summary?.problems)).toMatch(
      /^The step \S+ has an issue: body: invalid variable$/,
    );
  });

  it('only notes that no application has opened the inbox, which prevents no delivery', async () => {
    const rig = await openRig();
    const message = 'Inbox is not connected. Please connect your Inbox integration.';
    const workflow = await readWorkflow(rig);
    const steps = workflow.steps.filter(({ type }) => type === 'in_app');
    const issues = [
      { issueType: 'MISSING_INTEGRATION', message },
      { issueType: 'INBOX_NOT_CONNECTED', message: 'Connect it' },
    ];
    for (const issue of issues) {
      const withIssue = steps.map((step) => ({
        ...step,
        issues: { integration: { in_app: [issue] } },
      }));
      changeWorkflow(rig, workflow, { steps: withIssue });
      const line = ['events', 'trigger', 'welcome', '--recipients', '-', '--validate-only'];
      const { code, stdout, stderr } = await rig.svc(line, { stdin: csv, tty: true, columns: 300 });
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining('Problem') });
      expect(stderr).toContain(`in_app: ${issue.message}`);
      expect(stderr).toContain('This does not prevent deliveries.');
      const { summary } = await validate(rig, csv);
      expect(summary).not.toHaveProperty('problems');
    }
    const missing = { issueType: 'MISSING_INTEGRATION', message: 'Missing active provider' };
    const withMissing = steps.map((step) => ({
      ...step,
      issues: { integration: { in_app: [missing] } },
    }));
    changeWorkflow(rig, workflow, { steps: withMissing });
    expect((await validate(rig, csv)).code).toBe(3);
  });

  it('exits with 3 for a channel without an active integration', async () => {
    const rig = await openRig();
    const listed = await rig.svc(['integrations', 'list', '--json']);
    const integrations = JSON.parse(listed.stdout) as { channel: string; _id: string }[];
    for (const { channel, _id } of integrations)
      if (channel === 'email') await rig.svc(['integrations', 'disable', _id, '--yes']);
    const { code, summary } = await validate(rig, csv);
    expect(code).toBe(3);
    expect(summary?.problems).toEqual([
      'The step welcome-email has an issue: email: Missing active primary integration provider',
      'The channel email has no active integration.',
    ]);
  });

  it('reports a problem of the workflow apart from the advice for rejected rows', async () => {
    const rig = await openRig();
    changeWorkflow(rig, await readWorkflow(rig), { active: false });
    const line = ['events', 'trigger', 'welcome', '--recipients', '-', '--validate-only'];
    const { stderr } = await rig.svc(line, { stdin: `${csv},x,,\n` });
    const [, message, ...lines] = stderr.split('\n').filter((text) => !/^Standard/.test(text));
    expect([message, ...lines]).toContain('  Problem: The workflow welcome is inactive.');
    expect(stderr).toMatch(/^Fix the rejected rows, then run: svc/m);
  });

  it('does not check integrations on a server that does not list them', async () => {
    const rig = await openRig();
    rig.answerBy(({ url }) =>
      url.pathname === '/v1/integrations'
        ? { status: 404, body: { statusCode: 404, message: 'Cannot GET /v1/integrations' } }
        : undefined,
    );
    expect((await validate(rig, csv)).code).toBe(0);
  });

  it('checks only the rows if no service is configured', async () => {
    const rig = await openRig({ bare: true });
    const line = ['events', 'trigger', 'welcome', '--recipients', '-', '--validate-only'];
    const { code, stderr, requests } = await rig.svc(line, { stdin: csv });
    expect({ code, requests }).toEqual({ code: 0, requests: [] });
    expect(stderr).toContain('only the rows are checked');
  });

  it('shows problems on a terminal', async () => {
    const rig = await openRig();
    changeWorkflow(rig, await readWorkflow(rig), { active: false });
    const line = ['events', 'trigger', 'welcome', '--recipients', '-', '--validate-only'];
    const { stdout } = await rig.svc(line, { stdin: csv, tty: true });
    expect(stdout).toContain('Problem: The workflow welcome is inactive.\n');
  });
});
