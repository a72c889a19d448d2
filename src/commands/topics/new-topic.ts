// `svc topics subscribe --create`: checks whether the subscription creates the topic, and reports a created topic.
import type { Context } from '../../app/context.ts';
import { ifFound, SvcError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import { listMissing, subscriberExists } from '../shared/missing-subscribers.ts';
import { readTopic } from '../shared/with-suggestions.ts';

/** Whether the subscription will create the topic. Throws notFound for a missing topic without `--create`. */
export async function isNewTopic(
  context: Context,
  topicKey: string,
  mayCreate: boolean,
): Promise<boolean> {
  if (mayCreate) return !(await topicExists(context, topicKey));
  await readTopic(context, topicKey);
  return false;
}

async function topicExists(context: Context, topicKey: string): Promise<boolean> {
  const { call } = await context.client();
  return (await ifFound(call('getTopic', { path: { topicKey } }))) !== undefined;
}

/** Longer lists are not checked, because each check is a request. */
const maxChecks = 10;

/**
 * Throws notFound if none of the subscribers exists. Otherwise the service would create the topic and then reject all
 * of them. Does not check lists longer than `maxChecks`.
 */
export async function requireAnySubscriber(
  context: Context,
  topicKey: string,
  subscriberIds: readonly string[],
): Promise<void> {
  if (subscriberIds.length > maxChecks) return;
  const client = await context.client();
  const missing = await listMissing(subscriberIds, (id) =>
    // If the check itself fails, for example without permission, the subscription is still tried.
    subscriberExists(client, id).catch((error: unknown) => {
      if (error instanceof SvcError) return true;
      throw error;
    }),
  );
  if (missing.length < subscriberIds.length) return;
  const [first = ''] = subscriberIds;
  const problem =
    subscriberIds.length === 1
      ? `Subscriber \`${first}\` does not exist`
      : `None of the ${subscriberIds.length} subscribers exists`;
  throw new SvcError('notFound', `${problem}, so topic ${topicKey} was not created.`, {
    hint: 'Create the subscribers first.',
    next: [`svc subscribers create ${shellWord(first)}`],
  });
}

/** Prints that the topic was created. The service also creates it when it rejects all subscribers. */
export async function reportCreated(
  context: Context,
  topicKey: string,
  subscribed: number,
): Promise<void> {
  if (subscribed > 0) return context.note(`Created topic ${topicKey}.`);
  if (await topicExists(context, topicKey).catch(() => false))
    context.note(`The service created topic ${topicKey}, which has no subscribers yet.`);
}
