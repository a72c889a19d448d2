// The pages of `svc help <topic>` that show the commands of a task. The document of the topic has the rest.
import { section } from './help.ts';

/** Commands in one section; a line that begins with # explains the next one. */
const commands = (...lines: string[]) =>
  section(
    'Commands',
    [],
    lines.map((line) => `  ${line}`),
  );

export const taskPages = {
  importing: () => [
    'Imports CSV, NDJSON or JSON files of any size. svc checks every row before it sends it. Rows that are invalid, or that the service rejects, are written to a rejects file: fix them and import that file.',
    commands(
      '# check every row, send nothing',
      'svc subscribers bulk-import crm.csv --validate-only',
      '# accept the proposed fields, read phone numbers as German ones',
      'svc subscribers bulk-import crm.csv --yes --phone-region DE',
      '# continue after an interruption',
      'svc runs resume last',
      '# fix the rejected rows in $EDITOR, and import them again',
      'svc runs fix',
      '# compare the file with the service; exits with 10 if they differ',
      'svc subscribers bulk-import crm.csv --check',
    ),
    '`svc help bulk` describes files, batches, rejects and runs.',
  ],
  campaigns: () => [
    'Triggers one event for each row of a file. A canary sends the first rows alone, and the other rows only if enough of the first events were delivered. With --update-subscribers, svc also stores the other columns, such as the e-mail addresses.',
    commands(
      '# check the workflow and every row, send nothing',
      'svc events trigger welcome --recipients users.csv --validate-only',
      '# 1% first; the other rows if 95% of the first events were delivered',
      'svc events trigger welcome --recipients users.csv --canary 1%',
      '# follow the deliveries until everyone is finished',
      'svc runs watch last',
      '# how many messages arrived, and why others did not',
      'svc activity stats --run last --by reason',
      '# trigger the events again for those who got nothing',
      'svc events resend --run last',
      '# cancel what is still pending',
      'svc events cancel --run last',
    ),
  ],
  deliveries: () => [
    'Reads the jobs and execution details that the service keeps for each event. They show what happened at the time.',
    commands(
      '# why a subscriber did or did not get a message',
      'svc activity explain u2 --workflow welcome',
      '# everything that happened to a person',
      'svc subscribers story u2 --since 30d',
      '# the timeline of an event',
      'svc activity get <transaction-id>',
      '# totals and the most frequent reasons',
      'svc activity stats --since 7d',
      '# all events in a file',
      'svc activity export activity.ndjson --since 30d',
    ),
  ],
  replay: () => [
    'Runs past events through changed workflows on this machine, and shows whose messages would be changed, gained, lost or moved. Nothing is sent.',
    commands(
      '# the files of a folder, on the events of a week',
      'svc workflows replay workflows/ --since 7d',
      '# the texts of the examples side by side in the browser',
      'svc workflows replay workflows/ --since 7d --show-content --open',
      '# in CI: events from files, a limit, a comment for the pull request',
      'svc activity export last-week.ndjson --since 7d --with payloads,people',
      'svc workflows replay workflows/ --events last-week.ndjson --max-lost 0',
    ),
  ],
  git: () => [
    'Keeps workflows, layouts, integrations, topics and contexts as files, and shows the difference to an environment before it writes to it.',
    commands(
      '# write the files; secrets become references to variables',
      'svc environments pull environment',
      '# check the files on this machine',
      'svc workflows validate environment',
      '# show the plan, ask, write',
      'svc environments push environment',
      '# save a plan, review it, apply exactly that plan',
      'svc environments push environment --save-plan plan.json',
      'svc environments push --plan plan.json',
      '# compare and copy environments',
      'svc diff production environment',
      'svc workflows promote welcome --to production',
    ),
    'For workflows and layouts alone: `svc workflows pull` and `svc workflows push`.',
  ],
  testing: () => [
    'In JavaScript and TypeScript, `svc-cli/testing` starts a sandbox inside your tests: `const sandbox = await startSandbox({ seed: "workflows" })`. Give `sandbox.url` and `sandbox.key` to the client of your application. `sandbox.messages()` returns the captured messages, and `sandbox.clock.advance("1d")` runs digests and delays.',
    'For other languages, start a sandbox as a process:',
    commands(
      'svc sandbox start --detach --no-profile --in-memory --port 0 --seed workflows',
      'svc sandbox messages wait --transaction <id> --channel email',
      'svc sandbox clock advance 1d',
    ),
    '`svc help sandbox-api` lists the control routes.',
  ],
  people: () => [
    'Shows, exports, changes, moves and deletes the data of people.',
    commands(
      '# everything about one person, in a file',
      'svc subscribers report u1 --file u1.json',
      '# all people, and what they have chosen',
      'svc subscribers export people.ndjson --with preferences,topics',
      'svc subscribers preferences update u1 --email off',
      '# carry choices to the workflow that replaces another one',
      'svc subscribers preferences copy --from-workflow hello --to-workflow hi',
      '# make a topic equal to a file',
      'svc topics sync announcements members.txt',
      '# delete a person, and check that each part is gone',
      'svc subscribers erase u8',
    ),
  ],
  upgrade: () => [
    'Shows what an upgrade of the server affects, from 3.11 to 3.19 or between. The check changes nothing, and exits with 10 if something must be done before the upgrade.',
    commands(
      '# check an environment',
      'svc upgrade check --to 3.19',
      '# keep what only the old version shows: credentials',
      'svc integrations get <integration> --reveal --json',
      '# find deprecated routes in a log of requests',
      'svc upgrade check --requests access.log',
      '# run tests in a sandbox of both versions, and compare the responses',
      'svc upgrade check --run -- npm test',
    ),
    'Bridges in a private network need NOVU_SAFE_OUTBOUND_ALLOW on the server from 3.17 on. Subscriptions to topics from before 3.12 need the migrations 001 and 002 of the server.',
  ],
  ci: () => [
    'Set SVC_BASE_URL and SVC_API_KEY. If CI is set, svc never prompts. The exit code says what happened (`svc help exit-codes`); --json and --jq print what a script needs.',
    commands(
      '# fail the job unless the e-mail was delivered',
      'svc events trigger welcome --to u1 --require email --wait-timeout 30s',
      '# fail the job if files and environment differ',
      'svc workflows push --check',
    ),
  ],
  security: () => [
    'svc sends a key only to the address that it was stored with, and masks secrets in its output. A profile of a production environment is protected: each write needs its name. This also applies if SVC_BASE_URL and SVC_API_KEY have the address and key of that profile. Without a stored profile, nothing is protected.',
    commands(
      '# store a key in the system keychain',
      'svc login --base-url https://notifications.example.com --keychain',
      '# show the write requests, send none',
      'svc topics delete news --dry-run',
      '# reject every write',
      'svc --read-only topics list',
    ),
  ],
} as const;
