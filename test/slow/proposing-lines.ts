import { openFolder, smsFile } from '../commands/workflows/workflow-folder.ts';
import { type Rig, type RunOptions, writeInput } from '../support/rig.ts';
import { unauthorized } from '../support/runs.ts';

export const failed = { status: 503, body: { statusCode: 503, message: 'by the test' } };
export const replayed = { ...failed, headers: { 'idempotency-replay': 'true' } };
const twoPages = {
  status: 200,
  body: { data: [{ key: 'a' }], next: 'c1', previous: null, totalCount: 2 },
};
const id = 'f'.repeat(24);

interface Path {
  /** The command line, with the profile left out. */
  argv: string[];
  /** A command line that it proposes, without the selection. */
  proposes: string;
  before?: (rig: Rig) => unknown;
  options?: RunOptions;
}

const p = (line: string, proposes: string, more: Omit<Path, 'argv' | 'proposes'> = {}): Path => ({
  argv: line.split(' '),
  proposes,
  ...more,
});

const noEvents = (rig: Rig) => rig.answer({ status: 200, body: { data: [], hasMore: false } });
const importFailing = (rig: Rig) => {
  writeInput(rig, 'users.csv', 'subscriberId\na\n');
  rig.answer(unauthorized);
};
const workflowFolder = (rig: Rig) =>
  openFolder(rig).write('workflows/hello.yaml', smsFile('hello', '{{payload.x | toSentence: 1}}'));
const acceptOnly = (rig: Rig) => {
  rig.answerBy(({ method, url }) =>
    method === 'GET' && url.pathname === '/v1/notifications' ? failed : undefined,
  );
};
const oneTopic = (rig: Rig) => rig.answer(twoPages);

export const paths: Path[] = [
  p('topics get nope', 'svc topics list'),
  p('topics list --limit 1', 'svc topics list --after c1 --limit 1', { before: oneTopic }),
  p('topics list', 'svc topics subscribe <topic-key> <subscriber-id> --create', {
    before: (rig) => rig.answer({ status: 200, body: { data: [], next: null, previous: null } }),
  }),
  p('topics subscribe announcements', 'svc topics subscribe announcements <subscriber-id>'),
  p('topics subscribe nope u1', 'svc topics list'),
  p('topics unsubscribe announcements', 'svc topics subscribers announcements'),
  p('workflows get nope', 'svc workflows list'),
  p('workflows delete', 'svc workflows delete <workflow-id>'),
  p('workflows step welcome nope', 'svc workflows get welcome'),
  p('workflows push', 'svc workflows pull'),
  p('workflows push --yes', 'svc workflows delete hello', { before: workflowFolder }),
  p('workflows pull', 'svc workflows pull --delete', { before: workflowFolder }),
  p('workflows promote nope --to production', 'svc workflows list'),
  p('topics update x', 'svc topics subscribe <topic-key> <subscriber-id> --create'),
  p('subscribers list --limit 1', 'svc subscribers list --after c1 --limit 1', {
    before: (rig) =>
      rig.answer({
        status: 200,
        body: { data: [{ subscriberId: 'a' }], next: 'c1', previous: null },
      }),
  }),
  p('subscribers delete', 'svc subscribers delete <subscriber-id>'),
  p('subscribers preferences update u1 --workflow nope --email off', 'svc workflows list'),
  p('inbox list u1 --limit 1', 'svc inbox list u1 --all'),
  p('inbox mark u1 read', 'svc inbox list u1'),
  p('contexts get tenant', 'svc contexts list --type tenant'),
  p('messages delete', 'svc messages list'),
  p(`integrations get ${id}`, 'svc integrations list --all-environments'),
  p('integrations create resend', 'svc integrations create resend --channel <channel>'),
  p('integrations create resend --channel email', 'svc integrations list', {
    before: (rig) => rig.answer(replayed, replayed),
  }),
  p('environments update nope --name x', 'svc environments list'),
  p('environments create Other', "svc environments create Other --color '#2f9e44'"),
  p('activity list', 'svc events trigger', { before: noEvents }),
  p('activity get nope', 'svc activity list --since 1h', { before: noEvents }),
  p('activity explain u1 --workflow nope', 'svc workflows list'),
  p('activity explain unknown', 'svc subscribers list'),
  p('activity explain u1 --transaction seed-none', 'svc activity list --subscriber u1'),
  p('events trigger nope --to u1', 'svc workflows list'),
  p('events trigger welcome', 'svc events trigger welcome --to <subscriber-id>'),
  p('events trigger welcome --to-topic nope --yes', 'svc topics list'),
  p(
    'events trigger welcome --to u1 --transaction-id t1 --wait --retries 0',
    'svc activity get t1',
    { before: acceptOnly },
  ),
  p(
    'events trigger comment-digest --to u1 --wait-timeout 1s --transaction-id t2',
    'svc activity get t2',
  ),
  p('events trigger welcome --to u1 --transaction-id t3 --retries 0', 'svc activity get t3', {
    before: (rig) => {
      rig.pass(1);
      rig.answer(new Error('reset'));
    },
  }),
  p('events cancel', 'svc events cancel <transaction-id>'),
  p('events cancel t4 --yes', 'svc activity get t4'),
  p('events cancel t5 t6 --yes --retries 0 --wait-timeout 1ms', 'svc activity get t5'),
  p('subscribers list', 'svc subscribers create <subscriber-id>', {
    before: (rig) => rig.answer({ status: 200, body: { data: [], next: null, previous: null } }),
  }),
  p('topics list --token k', 'svc login'),
  p('events broadcast legacy-newsletter --yes', 'svc workflows get legacy-newsletter'),
  p('subscribers bulk-import users.csv --yes', 'svc runs resume 20260115-120000-000001', {
    before: importFailing,
  }),
  p('api POST /v2/topics', 'svc api GET /v2/topics', {
    before: (rig) => rig.answer(replayed, replayed),
  }),
  p('api GET /v2/nothing', 'svc profiles show'),
  p('topics list', 'svc login', { before: (rig) => rig.answer(unauthorized) }),
  p('topics list', 'svc doctor', {
    before: (rig) => rig.answer(...Array(5).fill(new Error('strange'))),
  }),
  p('doctor', 'svc login', { before: (rig) => rig.answer(unauthorized) }),
  p('diff development', 'svc profiles list'),
  p('sandbox pull --file state.yaml --subscriber unknown', 'svc subscribers list'),
  p('sandbox pull --file state.yaml --topic nope', 'svc topics list'),
];
