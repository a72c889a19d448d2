import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

describe('svc workflows list', () => {
  it('prints a table on a terminal', async () => {
    const { svc } = await openRig();
    const { stdout, stderr, code } = await svc(
      ['workflows', 'list', '--order-by', 'name', '--order', 'asc'],
      { tty: true, columns: 100 },
    );
    expect({ stdout, stderr, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "WORKFLOW           NAME               STATUS    STEPS                TRIGGERED     UPDATED
      broken-invoice     Broken invoice     ERROR     email,chat                         15 Jan 2025
      comment-digest     Comment digest     ACTIVE    digest,in_app,email  14 Jan 10:02  15 Jan 2025
      draft              Draft              ACTIVE                                       15 Jan 2025
      invoice-paid       Invoice paid       ACTIVE    in_app,email         10:30:00      15 Jan 2025
      legacy-newsletter  Legacy newsletter  INACTIVE  email                              15 Jan 2025
      one-time-code      One-time code      ACTIVE    email,sms            10 Jan 12:00  15 Jan 2025
      order-update       Order update       ACTIVE    chat,push,sms        9 Jan 12:00   15 Jan 2025
      partner-sync       Partner sync       ACTIVE    custom,in_app                      15 Jan 2025
      price-alert        Price alert        ACTIVE    throttle,push        8 Jan 12:20   15 Jan 2025
      trial-ending       Trial ending       ACTIVE    delay,email          13 Jan 12:00  15 Jan 2025
      weekly-report      Weekly report      ACTIVE    digest,email                       15 Jan 2025
      welcome            Welcome            ACTIVE    in_app,email         12 Jan 12:00  15 Jan 2025
      ",
      }
    `);
  });

  it('keeps ids and states of a table if an id is long, and leaves out the steps', async () => {
    const { svc } = await openRig();
    const workflowId = `long-${'x'.repeat(55)}`;
    const workflow = { name: 'Long', workflowId, steps: [] };
    await svc(['api', 'POST', '/v2/workflows', '--body', JSON.stringify(workflow)]);
    const { stdout } = await svc(['workflows', 'list'], { tty: true });
    expect(stdout).toMatch(/^WORKFLOW +STATUS\n/);
    expect(stdout).toMatch(new RegExp(`^${workflowId} +ACTIVE$`, 'm'));
    expect(stdout.split('\n')).toHaveLength(15);
  });

  it('repeats the query parameter of a filter with several values', async () => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc(
      words`workflows list --status error --status INACTIVE -o ids`,
    );
    expect(stdout.trim().split('\n').toSorted()).toEqual(['broken-invoice', 'legacy-newsletter']);
    expect(requests[0]?.line).toBe(
      'GET /v2/workflows?status=ERROR&status=INACTIVE&offset=0&limit=50',
    );
  });

  it('sends a filter with one value twice, because the service reads a lone value as plain text', async () => {
    const { svc } = await openRig();
    const filters = [
      ['--status', 'ERROR'],
      ['--tag', 'billing'],
    ];
    const requestLines = [];
    for (const filter of filters) {
      const { requests } = await svc(['workflows', 'list', ...filter, '-o', 'ids']);
      requestLines.push(requests[0]?.line);
    }
    expect(requestLines).toEqual([
      'GET /v2/workflows?status=ERROR&status=ERROR&offset=0&limit=50',
      'GET /v2/workflows?tags=billing&tags=billing&offset=0&limit=50',
    ]);
  });

  it('prints the command for the next page, which continues the list', async () => {
    const { svc } = await openRig();
    const all = JSON.parse((await svc(['workflows', 'list', '--all', '--json'])).stdout) as {
      workflowId: string;
    }[];
    const firstPage = await svc(['workflows', 'list', '--limit', '5', '-o', 'ids'], { tty: true });
    expect(firstPage.stderr).toBe('More items: svc workflows list --offset 5 --limit 5\n');
    const filtered = ['workflows', 'list', '--status', 'ACTIVE', '--query', 'e', '--limit', '1'];
    expect((await svc([...filtered, '-o', 'ids'], { tty: true })).stderr).toBe(
      'More items: svc workflows list --status ACTIVE --query e --offset 1 --limit 1\n',
    );
    const nextPage = await svc(['workflows', 'list', '--offset', '5', '-o', 'ids']);
    expect(`${firstPage.stdout}${nextPage.stdout}`.trim().split('\n')).toEqual(
      all.map(({ workflowId }) => workflowId),
    );
  });

  it('rejects an unknown status before sending a request, and exits with 4 for a wrong key', async () => {
    const { svc } = await openRig();
    const { stderr, code, requests } = await svc(['workflows', 'list', '--status', 'ACTVE']);
    expect({ stderr, code, requests }).toMatchInlineSnapshot(`
      {
        "code": 2,
        "requests": [],
        "stderr": "Error: --status: \`ACTVE\` is not a valid value. Must be one of: ACTIVE, INACTIVE, ERROR. Did you mean \`ACTIVE\`?
      ",
      }
    `);
    expect((await svc(['workflows', 'list'], { env: { SVC_API_KEY: 'f'.repeat(32) } })).code).toBe(
      4,
    );
  });
});

describe('svc workflows get', () => {
  it('prints steps and issues on a terminal', async () => {
    const { svc } = await openRig();
    const { stdout, code } = await svc(['workflows', 'get', 'broken-invoice'], {
      tty: true,
      columns: 120,
    });
    expect({ stdout, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stdout": "WORKFLOW     broken-invoice
      NAME         Broken invoice
      DESCRIPTION  Has an e-mail without a subject and a chat step without an integration.
      STATUS       ERROR
      SEVERITY     none
      TAGS         billing
      ORIGIN       novu-cloud
      UPDATED      15 Jan 2025
      SLUG         broken-invoice_wf_fdiGdjUQf1oVPHem
      ID           67748580a4821adb6c5fa4cc

      Steps
      STEP           TYPE   NAME
      invoice-email  email  Invoice email
      invoice-chat   chat   Invoice chat

      Issues
      STEP           FIELD    ISSUE                MESSAGE
      invoice-email  subject  MISSING_VALUE        Subject is required
      invoice-chat   chat     MISSING_INTEGRATION  No active integration delivers this channel
      ",
      }
    `);
  });

  it('accepts an identifier, slug or internal id and prints the same workflow', async () => {
    const { svc } = await openRig();
    const workflow = JSON.parse((await svc(['workflows', 'get', 'welcome', '--json'])).stdout) as {
      _id: string;
      slug: string;
    };
    for (const id of [workflow._id, workflow.slug]) {
      expect(JSON.parse((await svc(['workflows', 'get', id, '--json'])).stdout)).toEqual(workflow);
    }
    expect((await svc(['workflows', 'get', 'welcome'])).stdout).toContain('workflowId\twelcome\n');
  });

  it('requires an identifier and suggests a similar one for an unknown workflow', async () => {
    const { svc } = await openRig();
    expect(await svc(['workflows', 'get'])).toMatchObject({ code: 2, requests: [] });
    const { code, stderr } = await svc(['workflows', 'get', 'welcom']);
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 5,
        "stderr": "Error: Workflow \`welcom\` does not exist. Did you mean \`welcome\`?
        (status 404, /v2/workflows/welcom)
        svc workflows list
      ",
      }
    `);
  });
});

describe('svc workflows step', () => {
  it('prints a step with its control values', async () => {
    const { svc } = await openRig();
    const { steps } = JSON.parse((await svc(['workflows', 'get', 'welcome', '--json'])).stdout) as {
      steps: { stepId: string }[];
    };
    const stepId = steps.at(-1)?.stepId ?? '';
    const { stdout, code } = await svc(['workflows', 'step', 'welcome', stepId], {
      tty: true,
      columns: 100,
    });
    expect({ stdout, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stdout": "STEP      welcome-email
      NAME      Welcome email
      TYPE      email
      WORKFLOW  welcome
      ORIGIN    novu-cloud
      SLUG      welcome-email_st_fdiGdmcQ9Tae8SNM
      ID        67748580c8f3d40bffd86898

      Control values
      CONTROL     VALUE
      subject     Welcome to {{payload.product}}
      body        <p>Hello {{subscriber.firstName}},</p><p>good to have you here.</p>
      editorType  html
      ",
      }
    `);
    expect(
      JSON.parse((await svc(['workflows', 'step', 'welcome', stepId, '--json'])).stdout),
    ).toMatchObject({ stepId });
    expect((await svc(['workflows', 'step', 'welcome', stepId])).stdout).toContain(
      `stepId\t${stepId}\n`,
    );
  });

  it('requires a step id and reports an unknown step or workflow', async () => {
    const { svc } = await openRig();
    expect(await svc(['workflows', 'step', 'welcome'])).toMatchObject({ code: 2, requests: [] });
    const missing = await svc(['workflows', 'step', 'welcome', 'nope']);
    expect(missing.code).toBe(5);
    expect(missing.stderr).toContain('has no step `nope`');
    expect((await svc(['workflows', 'step', 'nope', 'email'])).stderr).toContain(
      'Workflow `nope` does not exist',
    );
  });
});
