// Runs the commands of examples/README.md with the built program against a sandbox.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { openHome, putOnPath } from '../support/built.ts';
import { useSandbox } from '../support/served-sandbox.ts';
import { words } from '../support/words.ts';

const commands = [
  ...readFileSync('examples/README.md', 'utf8').matchAll(/ \| `([^`]+)` \|$/gm),
].map(([, command = '']) => command);
const script = 'SVC_PROFILE=sandbox examples/new-member.sh';

/** Returns a home with a sandbox, a copy of the examples, and `svc` on the path. */
async function openExamples() {
  const home = openHome();
  putOnPath(home);
  cpSync('examples', path.join(home.folder, 'examples'), { recursive: true });
  await useSandbox(home);
  return home;
}

describe('examples/README.md', () => {
  it('has a command for each file', () => {
    expect(commands).toHaveLength(6);
    expect(commands).toContain(script);
  });

  it('has commands that succeed, besides the scripts', async () => {
    const home = await openExamples();
    for (const command of commands.filter((one) => !one.includes('.sh'))) {
      const { code, stderr } = await home.shell(command);
      expect({ command, code, stderr: code === 0 ? '' : stderr }).toEqual({
        command,
        code: 0,
        stderr: '',
      });
    }
  });
});

describe('examples/new-member.sh', () => {
  it('imports ten members and delivers a message on two channels to each', async () => {
    const home = await openExamples();
    const { code, stdout, stderr } = await home.shell(script);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [imported, subscribed, delivered, ...activity] = stdout.trimEnd().split('\n');
    expect([imported, subscribed]).toEqual(['Imported 10 of 10 members', 'Subscribed 10 members']);
    expect(delivered).toMatch(/^Delivered transaction txn_[0-9a-f]{24}$/);
    expect(activity).toEqual(
      Array.from(
        { length: 10 },
        (_unused, index) => `mem-${1001 + index}\tin_app: completed\temail: completed`,
      ),
    );
  });

  it('stops without triggering an event if the import fails', async () => {
    const home = await openExamples();
    const before = await home.svc(['activity', 'list', '--all', '-o', 'ids']);
    const { code, stdout } = await home.shell(`${script} missing.csv`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(await home.svc(['activity', 'list', '--all', '-o', 'ids'])).toEqual(before);
  });
});

describe('examples/gnu-parallel.sh', () => {
  const line = 'SVC_PROFILE=sandbox examples/gnu-parallel.sh';

  it('imports a file in four shards', async () => {
    const home = await openExamples();
    expect(await home.shell(`${line} examples/users.csv 4`)).toEqual({
      code: 0,
      stdout: 'Imported 10 of 10 rows in 4 shards\n',
      stderr: '',
    });
  });

  it('joins the rejected rows and exits with the code of a partial import', async () => {
    const home = await openExamples();
    const file = path.join(home.folder, 'mixed.csv');
    writeFileSync(file, 'subscriberId,email\ng1,broken\ng2,broken\ng3,g3@example.com\ng4,broken\n');
    const { code, stdout } = await home.shell(`${line} mixed.csv 3`);
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'Imported 1 of 4 rows in 3 shards\n' });
    const [rejects = ''] = readdirSync(home.folder).filter((name) => name.endsWith('-rejects.csv'));
    const text = readFileSync(path.join(home.folder, rejects), 'utf8');
    expect(text.match(/not an e-mail address/g)).toHaveLength(3);
  });
});

describe('examples/replay.sh', () => {
  const line = commands.find((command) => command.includes('replay.sh')) ?? '';

  it('writes a comment, and exits with 10 if a message would be lost', async () => {
    const home = await openExamples();
    const comment = () => readFileSync(path.join(home.folder, 'comment.md'), 'utf8');
    expect(await home.shell(line)).toMatchObject({ code: 0 });
    expect(comment()).toContain('- **BEFORE**: the workflows of week.ndjson\n');
    expect(comment()).toContain('Every message is the same.\n');
    const file = path.join(home.folder, 'workflows/welcome.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('active: true', 'active: false'));
    const [, script = ''] = line.split(' && ');
    expect(await home.shell(script)).toMatchObject({ code: 10 });
    expect(comment()).toContain('workflow made inactive');
  });
});

describe('examples/kubernetes', () => {
  const job = parse(readFileSync('examples/kubernetes/job.yaml', 'utf8')) as {
    spec: {
      completions: number;
      template: {
        spec: { containers: { command: string[]; env: { name: string; value?: string }[] }[] };
      };
    };
  };
  const [container] = job.spec.template.spec.containers;

  it('starts one pod for each shard with the variables of the script', () => {
    const shards = container?.env.find(({ name }) => name === 'SHARDS')?.value;
    expect(Number(shards)).toBe(job.spec.completions);
    expect(container?.command).toEqual([
      ...['bash', '/examples/send-shard.sh', 'welcome', '/data/users.csv'],
    ]);
    const script = readFileSync('examples/kubernetes/send-shard.sh', 'utf8');
    const names = container?.env.map(({ name }) => name);
    const used = [...script.matchAll(/\$([A-Z_]+)/g)].map(([, name = '']) => name);
    expect(
      used.filter((name) => name !== 'JOB_COMPLETION_INDEX' && !names?.includes(name)),
    ).toEqual([]);
  });

  it('sends nothing twice when a pod is killed and started again with an empty disk', async () => {
    const home = await openExamples();
    const ids = Array.from({ length: 2_000 }, (_unused, index) => `k${index}`);
    const file = path.join(home.folder, 'users.csv');
    writeFileSync(
      file,
      `subscriberId,payload.product\n${ids.map((id) => `${id},Example\n`).join('')}`,
    );
    const script = path.join(home.folder, 'examples/kubernetes/send-shard.sh');
    const variables = { SVC_PROFILE: 'sandbox', JOB_NAME: 'news', SHARDS: '2' };
    const startPod = (index: number) => {
      const state = mkdtempSync(path.join(home.folder, 'disk-'));
      const env = { ...variables, JOB_COMPLETION_INDEX: String(index), SVC_STATE_DIR: state };
      const pod = spawn('bash', [script, 'welcome', file], {
        env: { ...home.env, ...env },
        cwd: home.folder,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      onTestFinished(() => void pod.kill('SIGKILL'));
      let stdout = '';
      pod.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });
      const ended = new Promise<string>((resolve) => {
        pod.on('close', () => resolve(stdout));
      });
      return { pod, state, ended };
    };
    const first = startPod(0);
    const ledger = path.join(first.state, 'runs/news-0/ledger.ndjson');
    await expect
      .poll(() => existsSync(ledger) && readFileSync(ledger, 'utf8'), { timeout: 30_000 })
      .toMatch(/"done"/);
    first.pod.kill('SIGKILL');
    expect(await first.ended).toBe('');
    const summaries = [await startPod(0).ended, await startPod(1).ended].map(
      (text) => JSON.parse(text) as { runId: string; triggered: number },
    );
    expect(summaries.map(({ runId }) => runId)).toEqual(['news-0', 'news-1']);
    expect(summaries.reduce((sum, { triggered }) => sum + triggered, 0)).toBe(ids.length);
    const { stdout } = await home.svc(words`activity list --all --jq .[].subscriber.subscriberId`);
    const notified = stdout
      .trim()
      .split('\n')
      .filter((id) => /^k\d+$/.test(id));
    expect(notified.sort()).toEqual([...ids].sort());
  }, 120_000);
});
