// Options that assign columns to fields, for importing subscribers and for triggering one event per row.
import { choice, commaList, flag, several } from '../../cli/options.ts';

const fields = 'Fields';

export const fieldOptions = {
  map: several(
    '--map <field=column>',
    'Fill a field from this column; a column can fill several fields',
    {
      group: fields,
    },
  ),
  dataColumn: commaList('--data-column <a,b>', 'Send these columns as custom data', {
    group: fields,
  }),
  dataRest: flag('--data-rest', 'Send all unknown columns or keys as custom data', {
    group: fields,
  }),
  infer: flag(
    '--infer',
    'Send numbers, true, false and null in custom data as JSON values, not as text',
    {
      group: fields,
    },
  ),
  empty: choice(
    '--empty <what>',
    ['skip', 'null'],
    'How to treat an empty cell: skip it or send null',
    {
      group: fields,
      defaultText: 'skip',
    },
  ),
};
