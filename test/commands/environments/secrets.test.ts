// No secret of an environment is written, printed, or kept in a plan or a backup.
import { expect, it } from 'vitest';
import { openEnvironments, secrets, textsBelow, withVariables } from './environment-folder.ts';

/** Another value for each variable, so that credentials differ. */
const otherSecrets = Object.fromEntries(
  Object.keys(withVariables).map((name) => [name, `other-secret-${name.toLowerCase()}`]),
);

it('no file and no output contains a secret', async () => {
  const { svc, folder, files } = await openEnvironments();
  const outputs: string[] = [];
  const run = async (line: string, env: Record<string, string> = {}, tty = false) => {
    const { stdout, stderr, code } = await svc(line.split(' '), { env, tty });
    outputs.push(`${line}\n${stdout}${stderr}`);
    return code;
  };
  expect(await run('environments pull a -p development')).toBe(0);
  expect(await run('environments pull a -p development --json --debug=body')).toBe(0);
  const push = 'environments push a -p staging';
  for (const env of [{}, withVariables, otherSecrets]) {
    await run(`${push} --dry-run`, env, true);
    await run(`${push} --check --json --with-credentials`, env);
    await run(`${push} --save-plan plan.json --with-credentials`, env);
    await run(`${push} --yes --with-credentials --debug=body`, env, true);
  }
  // A backup with integrations, a failed write, and a value that cannot be converted.
  files.edit('a/integrations.yaml', 'name: Mail', 'name: Post');
  expect(await run(`${push} --yes --json`, withVariables)).toBe(0);
  files.edit('a/integrations.yaml', 'secure: false', 'secure: { $env: TWILIO_TOKEN }');
  expect(await run(`${push} --yes --with-credentials`, withVariables)).toBe(2);
  files.edit(
    'a/integrations.yaml',
    'apiKey:\n      $env: SENDGRID_API_KEY',
    `apiKey: ${secrets.sendgrid}`,
  );
  expect(await run(`${push} --yes`)).toBe(2);
  expect(await run('diff development a')).toBe(2);
  files.remove('a/integrations.yaml');
  await run('environments pull a -p staging');
  await run('diff development a --json');
  await run('diff development staging --json');
  await run('environments pull b -p staging -o yaml');
  await run('runs list --json');
  await run('runs show last --json');
  await run('environments push --plan plan.json -p staging --yes', otherSecrets);
  const all = `${outputs.join('\n')}\n${textsBelow(folder)}`;
  // The test would find them.
  expect(all).toContain('SENDGRID_API_KEY');
  expect(all).toContain('smtp.example.com');
  for (const secret of [...Object.values(secrets), ...Object.values(otherSecrets)])
    expect(all.split('\n').filter((line) => line.includes(secret))).toEqual([]);
});
