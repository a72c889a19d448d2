// A topic that does not exist: the error gains the keys there are, so that the nearest can be offered.
import type { Context } from '../../context.ts';
import { SvcError } from '../../errors.ts';

/** Runs a call on a topic; when the topic is missing, looks up keys like the one that was typed. */
export async function orNearest<T>(
  context: Context,
  topicKey: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof SvcError) || error.ending !== 'notFound') throw error;
    const among = await topicKeys(context).catch(() => []);
    throw new SvcError('notFound', `There is no topic \`${topicKey}\`.`, {
      ...error.facts,
      meant: { typed: topicKey, among },
      next: ['svc topics list'],
    });
  }
}

/** The keys of the newest topics: enough to catch a slip. */
async function topicKeys(context: Context): Promise<string[]> {
  const keys: string[] = [];
  for await (const { items } of context.pages('listTopics', {}, { limit: 200 })) {
    keys.push(...items.map(({ key }) => key));
  }
  return keys;
}
