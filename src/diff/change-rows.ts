// The changes of several resources as rows for a pipe, CSV and TSV.
import type { Change } from './compare.ts';
import { inlineText } from './value-text.ts';

interface Changed {
  kind: string;
  id: string;
  action: string;
  changes: readonly Change[];
}

const fields = ['kind', 'id', 'action', 'path', 'from', 'to'] as const;

/** One row for each change, or for each resource without changes. */
export const changeRows = (resources: readonly Changed[]) => ({
  columns: fields.map((field) => ({ field, header: field })),
  items: resources.flatMap(({ kind, id, action, changes }) =>
    (changes.length === 0 ? [{ path: '' }] : changes).map(({ path, ...values }) => ({
      ...{ kind, id, action, path },
      from: 'from' in values ? inlineText(values.from) : '',
      to: 'to' in values ? inlineText(values.to) : '',
    })),
  ),
});
