// The variables of a server 3.19.0, for a rig, as they were recorded: a key sees and changes the values of its environment.
import type { Answerer, FakeAnswer } from './rig.ts';
import { answered, refused } from './server-319.ts';

interface Variable319 {
  key: string;
  isSecret: boolean;
  /** By the id of the environment. */
  values: Record<string, string>;
}

interface Body {
  key?: string;
  isSecret?: boolean;
  values?: { _environmentId: string; value: string }[];
}

export const time = '2026-05-01T09:00:00.000Z';

/** `own`: the environment of the key. `used`: the workflows that use a variable, by its key. */
export function createVariables319(own: string, used: Record<string, string[]> = {}) {
  const all: Variable319[] = [];
  const shown = ({ key, isSecret, values }: Variable319) => ({
    ...{ _id: Buffer.from(key).toString('hex').padEnd(24, '0').slice(0, 24) },
    ...{ _organizationId: '6a71f0a8bdcbd10c5f2b0001', key, type: 'string', isSecret },
    values: Object.entries(values)
      .filter(([_environmentId]) => _environmentId === own)
      .map(([_environmentId, value]) => ({ _environmentId, value: isSecret ? '••••••••' : value })),
    ...{ createdAt: time, updatedAt: time },
  });
  const store = (variable: Variable319, { values = [] }: Body): FakeAnswer => {
    for (const { _environmentId, value } of values) {
      if (_environmentId !== own) return refused(403, 'Forbidden', 'another environment');
      variable.values[_environmentId] = value;
    }
    return answered(200, shown(variable));
  };
  const answer: Answerer = ({ method, url, body }) => {
    const [, key, isUsage] =
      /^\/v1\/environment-variables(?:\/(\w+)(\/usage)?)?$/.exec(url.pathname) ?? [];
    if (!url.pathname.startsWith('/v1/environment-variables')) return undefined;
    const given = (body ?? {}) as Body;
    if (key === undefined) {
      const search = (url.searchParams.get('search') ?? '').toLowerCase();
      if (method === 'GET')
        return answered(
          200,
          all.filter((one) => one.key.toLowerCase().includes(search)).map(shown),
        );
      const added = { key: String(given.key), isSecret: given.isSecret ?? false, values: {} };
      all.push(added);
      return store(added, given);
    }
    const variable = all.find((one) => one.key === key);
    if (!variable)
      return refused(404, 'Not Found', `Environment variable with key "${key}" not found`);
    if (isUsage)
      return answered(200, {
        workflows: (used[key] ?? []).map((workflowId) => ({ name: workflowId, workflowId })),
      });
    if (method === 'GET') return answered(200, shown(variable));
    if (method === 'PATCH') return store(variable, given);
    delete variable.values[own];
    if (Object.keys(variable.values).length === 0) all.splice(all.indexOf(variable), 1);
    return { status: 204 };
  };
  return { all, answer };
}
