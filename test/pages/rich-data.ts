// Messages and events of every kind, with long texts, emoji and text from right to left.
import type { servePage } from './browser.ts';

const long =
  'A subject that is much longer than any list is wide, with Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft, 🎉🎊🥳 and https://example.com/a/path/without/any/break/1234567890';

export async function addRichData({
  createWorkflow,
  trigger,
}: Pick<Awaited<ReturnType<typeof servePage>>, 'createWorkflow' | 'trigger'>): Promise<void> {
  const mail = (subject: string, body: string) => ({
    ...{ name: 'Mail', type: 'email' },
    controlValues: { subject, body, editorType: 'html' },
  });
  const inbox = (subject: string, body: string) => ({
    ...{ name: 'Inbox', type: 'in_app' },
    controlValues: {
      ...{ subject, body },
      primaryAction: { label: 'Open', redirect: { url: 'https://example.com/open' } },
      secondaryAction: { label: 'Later' },
    },
  });
  const text = (type: string, body: string) => ({ name: type, type, controlValues: { body } });
  await createWorkflow('everything', [
    mail(
      'Your order is on its way 📦',
      '<h1>Hello</h1><p><a href="https://example.com/t">Track</a></p>',
    ),
    inbox('Order shipped', 'It arrives on Tuesday.'),
    text('sms', 'Your order was shipped: https://example.com/t'),
    { name: 'Push', type: 'push', controlValues: { subject: 'Order', body: 'On its way 🚚' } },
    text('chat', '*Order* was shipped.\n• Desk lamp'),
  ]);
  await createWorkflow('long', [
    mail(long, `<p>${long}</p>`),
    inbox(long, long.replaceAll(' ', '')),
    text('sms', long),
    {
      name: 'Push',
      type: 'push',
      controlValues: { subject: long, body: long.replaceAll(' ', '') },
    },
    text('chat', long.replaceAll(' ', '')),
  ]);
  await createWorkflow('arabic', [
    mail('تأكيد الطلب رقم 100 — شكرًا لك', '<div dir="rtl">تم تأكيد طلبك.</div>'),
    inbox('مرحبًا بك في خدمتنا', 'شكرًا لتسجيلك. يمكنك الآن متابعة طلباتك من هنا.'),
  ]);
  await trigger('arabic', 'u1', {}, 'arabic');
  await trigger('long', 'u1', {}, 'long');
  await trigger(
    'welcome',
    { type: 'Topic', topicKey: 'announcements' },
    { product: 'svc' },
    'topic',
  );
  const payload = { post: { id: 'p', title: 'Launch' }, author: 'Grace', comment: 'Nice!' };
  await trigger('comment-digest', 'u1', payload, 'digest');
  await trigger('comment-digest', 'u1', payload, 'merged');
  await trigger('everything', 'u8', {}, 'no-addresses');
  await trigger('everything', 'u1', {}, 'everything');
}

/** The addresses of every kind of view. */
export async function viewPaths(newest: (channel: string) => Promise<string>): Promise<string[]> {
  const messages = await Promise.all(['email', 'in_app', 'sms', 'push', 'chat'].map(newest));
  return [
    ...[
      '/',
      '/page/messages',
      '/page/messages?outcome=skipped',
      '/page/messages?tab=text',
      '/page/messages?tab=checks',
      '/page/messages?q=long',
      '/page/messages?q=nothing-like-it',
      '/page/nothing',
    ],
    ...messages,
    ...[
      '/page/story/u1',
      '/page/story/u8',
      '/page/inbox',
      '/page/inbox/u1',
      '/page/inbox/u7',
      '/page/inbox?q=missing',
    ],
    ...['/page/activity', '/page/activity?q=nothing', '/page/activity?outcome=any.failed'],
    ...['/page/activity/topic?result=undelivered', '/page/activity/topic?person=missing'],
    ...['/page/workflows', '/page/workflows/everything', '/page/workflows/comment-digest'],
    ...['text', 'source', 'headers', 'links', 'checks', 'payload'].map(
      (tab) => `${messages[0]}?tab=${tab}`,
    ),
    `${messages[4]}?tab=raw`,
    ...['', '?outcome=failed', '?q=nothing', '?method=POST', '/1'].map(
      (rest) => `/page/requests${rest}`,
    ),
    ...['topic', 'digest', 'merged', 'no-addresses', 'everything', 'seed-price-2', 'long'].map(
      (id) => `/page/activity/${id}`,
    ),
  ];
}
