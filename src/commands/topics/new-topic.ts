// `svc topics subscribe --create`: whether the topic has to be created, and what is left when nobody is subscribed.
import type { Context } from '../../app/context.ts';
import { SvcError } from '../../core/errors.ts';
import { withTopicSuggestions } from '../shared/with-suggestions.ts';

/** Whether the subscription will create the topic. Without `--create` a missing topic is an error. */
export async function isNewTopic(
  context: Context,
  topicKey: string,
  mayCreate: boolean,
): Promise<boolean> {
  if (mayCreate) return !(await topicExists(context, topicKey));
  const client = await context.client();
  await withTopicSuggestions(context, topicKey, () =>
    client.call('getTopic', { path: { topicKey } }),
  );
  return false;
}

async function topicExists(context: Context, topicKey: string): Promise<boolean> {
  const client = await context.client();
  return exists(() => client.call('getTopic', { path: { topicKey } }));
}

async function exists(look: () => Promise<unknown>): Promise<boolean> {
  try {
    await look();
    return true;
  } catch (error) {
    if (error instanceof SvcError && error.exitReason === 'notFound') return false;
    throw error;
  }
}

/** One request for each. Of a longer list the service says itself whom it does not know. */
const mostChecked = 10;

/** Refuses subscribers of whom none exists: the service would refuse them too, and create the topic first. */
export async function requireSubscriber(
  context: Context,
  topicKey: string,
  subscriberIds: readonly string[],
): Promise<void> {
  if (subscriberIds.length > mostChecked) return;
  const client = await context.client();
  for (const subscriberId of subscriberIds) {
    const look = () => client.call('getSubscriberPreferences', { path: { subscriberId } });
    // A check that fails for another reason is no reason to refuse.
    const isThere = await exists(look).catch((error: unknown) => {
      if (error instanceof SvcError) return true;
      throw error;
    });
    if (isThere) return;
  }
  const [first = ''] = subscriberIds;
  const what =
    subscriberIds.length === 1
      ? `There is no subscriber \`${first}\``
      : `None of the ${subscriberIds.length} subscribers exists`;
  throw new SvcError('notFound', `${what}, so topic ${topicKey} was not created.`, {
    hint: 'Create the subscribers first.',
    next: [`svc subscribers create ${first}`],
  });
}

/** Says that the topic was created: with subscribers, or by a service that refused all of them. */
export async function reportCreated(
  context: Context,
  topicKey: string,
  subscribed: number,
): Promise<void> {
  if (subscribed > 0) return context.note(`Created topic ${topicKey}.`);
  if (await topicExists(context, topicKey).catch(() => false))
    context.note(`The service created topic ${topicKey}, which has no subscribers yet.`);
}
