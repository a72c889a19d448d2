// Topics: their keys and names. Subscribers are not configuration.
import type { Service } from '../../../app/context.ts';
import { ifExists } from '../../../core/errors.ts';
import { toTopic } from '../../../environment-files/resource.ts';
import type { KindAccess } from './kind-access.ts';
import { listedAccess, toFoundListed } from './kind-access.ts';

export function topicAccess({ client, listAll }: Service): KindAccess {
  const list = async () =>
    (await listAll('listTopics', { query: {} })).map((topic) =>
      toFoundListed(toTopic(topic), topic),
    );
  return {
    ...listedAccess(list),
    find: async (topicKey) => {
      const topic = await ifExists(client.call('getTopic', { path: { topicKey } }));
      return topic && toFoundListed(toTopic(topic), topic);
    },
    write: async (writes, { wanted, latest }) => {
      if (wanted.kind !== 'topic') return undefined;
      const { key, name } = wanted.value;
      if (latest && name !== null)
        await writes.call('renameTopic', { path: { topicKey: key }, body: { name } });
      else
        await writes.call('createTopic', {
          query: {},
          body: { key, ...(name === null ? {} : { name }) },
        });
      return undefined;
    },
    delete: (writes, { resource: { id } }) =>
      writes.call('deleteTopic', { path: { topicKey: id } }),
  };
}
