// Members and topics that `svc environments pull` leaves out of the files. It names them.
import path from 'node:path';
import { expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';
import { openEnvironments } from './environment-folder.ts';

it('a pull names members of a newer server that the files do not contain', async () => {
  const { pull, files, answerBy } = await openEnvironments();
  const topic = { _id: 'a', key: 'news', name: 'News', visibility: 'public', owner: null };
  answerBy(({ url: { pathname } }) =>
    pathname === '/v2/topics'
      ? { status: 200, body: { data: [topic], next: null, previous: null, totalCount: 1 } }
      : undefined,
  );
  const { code, stderr } = await pull('a', 'development');
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: 'Unknown to this version of svc, and not pulled: topic field `visibility`.\n',
  });
  expect(files.read('a/topics.yaml')).toBe('# svc topics, format 1\n- key: news\n  name: News\n');
});

it('a pull skips a topic that no request can name, at which a push would stop', async () => {
  const topics = [{ key: '..' }, { key: 'news' }];
  const seed = { version: 1 as const, environments: [{ name: 'Development', topics }] };
  const { pull, files } = await openEnvironments({ seed });
  const { code, stdout } = await pull('a', 'development');
  expect({ code, stdout }).toEqual({
    code: 3,
    stdout: expect.stringContaining(
      'topic\t..\tskipped\t\ta request cannot contain its identifier',
    ),
  });
  expect(files.read('a/topics.yaml')).toBe('# svc topics, format 1\n- key: news\n');
});

it('a push refuses to remove the name of a topic, which no request can', async () => {
  const { pull, svc, files } = await openEnvironments();
  await pull('a', 'development');
  files.edit('a/topics.yaml', '\n  name: News', '');
  const { code, stderr, requests } = await svc([
    ...['environments', 'push', 'a', '-p', 'development', '--yes'],
  ]);
  expect(code).toBe(2);
  expect(stderr).toContain('the service cannot remove the name of a topic');
  expect(requests.filter(({ line }) => !line.startsWith('GET'))).toEqual([]);
});

it('a pull lists workflows of code and of version 1, which is success without --strict', async () => {
  const { svc, folder } = await openRig();
  const pull = ['environments', 'pull', path.join(folder, 'a'), '--yes'];
  const listed = expect.stringMatching(/workflow\tpartner-sync\tskipped(.*\n)+.*legacy-newsletter/);
  expect(await svc(pull)).toMatchObject({ code: 0, stdout: listed });
  const strict = await svc([...pull, '--strict']);
  expect(strict).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('Skipped 2 resources that svc cannot keep as files.'),
  });
});
