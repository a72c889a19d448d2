// Opens a sandbox with its page in this process, and reads the page as a browser with a session does.
import { type OpenOptions, openSandbox } from '../open.ts';

export const origin = 'http://127.0.0.1:4400';

/** The text of an HTML document as people read it, without its script and style. */
export const toText = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

export async function openPage(options: OpenOptions = {}) {
  const opened = await openSandbox({ pageUrl: origin, ...options });
  const send = (path: string, init: RequestInit = {}) =>
    opened.sandbox(new Request(`${origin}${path}`, init));
  const answer = async (response: Response): Promise<Answer> => ({
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  });
  /** Creates a link; returns its path and query. */
  const createLink = async () => (await opened.control.createPageLink()).url.slice(origin.length);
  /** Opens a link; returns the cookie as a browser sends it. */
  const signIn = async () => {
    const response = await send(await createLink());
    return response.headers.get('set-cookie')?.split(';')[0] ?? '';
  };
  const cookie = await signIn();
  const get = async (path: string, headers: Record<string, string> = { cookie }) =>
    answer(await send(path, { headers }));
  /** Sends a form, by default as the page does. */
  const post = async (
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = { cookie, origin },
  ) => answer(await send(path, { method: 'POST', headers, body: new URLSearchParams(form) }));
  const token = /name="token" value="([^"]+)"/.exec((await get('/page/nothing')).text)?.[1] ?? '';
  const trigger = (name: string, to: unknown, payload: object = {}, transactionId?: string) =>
    opened.ask('POST /v1/events/trigger', {
      ...{ name, to, payload },
      ...(transactionId === undefined ? {} : { transactionId }),
    });
  /** The path of the newest message of a channel. */
  const newest = async (channel: string) => {
    const { data } = await opened.control.messages({ channel, limit: 1 });
    return `/page/messages/${data[0]?._id}`;
  };
  return { ...opened, send, createLink, cookie, token, get, post, trigger, newest };
}
