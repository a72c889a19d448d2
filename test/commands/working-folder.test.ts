// Relative paths start from the folder in which svc was called.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { baseUrl, testKey } from '../support/fixed.ts';
import { openRig, parsed, type Rig, writeInput } from '../support/rig.ts';

describe('a relative path starts from the working folder', () => {
  let rig: Rig;

  beforeEach(async () => {
    rig = await openRig({ bare: true });
    writeInput(rig, 'key.txt', testKey);
    writeInput(rig, 'value.json', '{"plan":"pro"}');
  });

  it('in --api-key-file', async () => {
    const line = ['topics', 'list', '--base-url', baseUrl, '--api-key-file', 'key.txt'];
    const { code, requests } = await rig.svc(line);
    expect({ code, requests: requests.length }).toEqual({ code: 0, requests: 1 });
  });

  it('in --api-key-file of svc login', async () => {
    const line = ['login', '--base-url', baseUrl, '--api-key-file', 'key.txt', '-p', 'main'];
    expect(await rig.svc(line)).toMatchObject({ code: 0, stderr: '' });
  });

  it('in --ca-file', async () => {
    const line = ['topics', 'list', '--ca-file', 'value.json'];
    const env = { SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey };
    const { code, stderr } = await rig.svc(line, { env });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'Error: --ca-file: value.json does not contain a PEM certificate.\n' +
        'A PEM file has a line -----BEGIN CERTIFICATE-----. Convert a DER file with `openssl x509 -inform der`.\n',
    });
  });

  it('in an @file that contains JSON', async () => {
    const env = { SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey };
    const line = ['subscribers', 'create', 'u1', '--data', '@value.json', '--yes'];
    const { code, requests } = await rig.svc(line, { env });
    expect(code).toBe(0);
    expect(requests[0]?.body).toEqual({
      subscribers: [{ subscriberId: 'u1', data: { plan: 'pro' } }],
    });
  });

  it('in an @file that contains a secret', async () => {
    const env = { SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey };
    writeInput(rig, 'token.txt', 'token-1\n');
    const line =
      'subscribers credentials set u1 --provider fcm --device-token @token.txt --dry-run --reveal --json';
    const { code, stdout } = await rig.svc(line.split(' '), { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)[0].body.credentials).toEqual({ deviceTokens: ['token-1'] });
  });

  it('in SVC_CONFIG_DIR, SVC_STATE_DIR and SVC_CACHE_DIR', async () => {
    const cwd = path.join(rig.folder, 'project');
    mkdirSync(path.join(cwd, 'conf'), { recursive: true });
    writeFileSync(
      path.join(cwd, 'conf', 'config.json'),
      '{"profiles":{},"settings":{"retries":"7"}}',
    );
    const env = { SVC_CONFIG_DIR: 'conf', SVC_STATE_DIR: 'state', SVC_CACHE_DIR: 'cache' };
    const shown = await rig.svc(['config', 'get', 'retries', '--json'], { cwd, env });
    expect(parsed(shown.stdout)).toMatchObject({ value: 7, from: 'setting retries' });
    const { stdout } = await rig.svc(['config', 'path'], { cwd, env });
    expect(stdout).toBe(`${path.join(cwd, 'conf', 'config.json')}\n`);
  });
});
