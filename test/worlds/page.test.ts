// Every view of the page in any world.
import { expect, it } from 'vitest';
import { openPage, toText } from '../sandbox/page/open-page.ts';
import { anyWorld, inWorlds, type World, worldsTimeout } from '../support/worlds.ts';

const views = [
  ...[
    '/',
    '/page/messages',
    '/page/inbox',
    '/page/find?q=a',
    '/page/activity',
    '/page/requests',
    '/page/workflows',
    '/page/people',
  ],
  ...[
    '/page/messages?q=order',
    '/page/messages?channel=sms',
    '/page/messages?outcome=failed',
    '/page/messages?workflow=welcome',
    '/page/messages?subscriber=42',
  ],
  ...['/page/activity?workflow=welcome&q=w', '/page/requests?outcome=failed'],
  ...['/page/workflows?q=a', '/page/inbox?q=a', '/page/people?q=a'],
];
const unknown = ['/page/messages/none', '/page/inbox/unknown', '/page/activity/none', '/page/none'];
/** Views of one kind that are read, such as those of a message with a filter. */
const maxOfKind = 3;

const kindOf = (path: string) =>
  path.replace(/^(\/page\/[^/?]+\/)[^/?]+/, '$1:id').replace(/=[^&]*/g, '');

type Page = Awaited<ReturnType<typeof openPage>>;

/** Reads one view. Returns the paths of its links. */
async function read({ get }: Page, path: string, expected = 200): Promise<string[]> {
  const { status, text, headers } = await get(path);
  expect({ path, status }).toEqual({ path, status: expected });
  if (!headers.get('content-type')?.startsWith('text/html')) return [];
  expect({ path, text: toText(text) }).toEqual({
    path,
    text: expect.not.stringMatching(/\bundefined\b|\bNaN\b|\[object Object\]/),
  });
  if (text.startsWith('<!doctype html><html')) expect(text).toMatch(/<title>[^<]*\S[^<]*<\/title>/);
  return [...text.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, link = '']) =>
    link.replaceAll('&#39;', "'").replaceAll('&amp;', '&').replace(/#.*/, ''),
  );
}

/** Follows the links from every view. */
async function readEveryView({ mode, service, seed }: World) {
  const page = await openPage({ mode, service, seed, queueDelayMs: 0 });
  await page.ask('GET /v2/topics/none');
  await page.ask('GET /v1/channel-connections');
  for (const path of unknown) await read(page, path, 404);
  const paths = new Set(views);
  const kinds = new Map<string, number>();
  for (const path of paths)
    for (const link of await read(page, path)) {
      const count = kinds.get(kindOf(link)) ?? 0;
      if (paths.has(link) || count === maxOfKind) continue;
      kinds.set(kindOf(link), count + 1);
      paths.add(link);
    }
}

it(
  'the page shows every view of any world',
  () => inWorlds(5, anyWorld, readEveryView),
  worldsTimeout(5),
);
