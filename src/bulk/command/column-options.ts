// Options that assign columns to fields, for importing subscribers and for triggering one event per row.
import { choice, commaList, flag, several, text } from '../../cli/options.ts';
import { fields, mappingOptions } from './options.ts';

export const fieldOptions = {
  ...mappingOptions,
  dataColumn: commaList('--data-column <a,b>', 'Send these columns as custom data', {
    group: fields,
  }),
  dataRest: flag('--data-rest', 'Send all unknown columns or keys as custom data', {
    group: fields,
  }),
  ignoreColumn: several('--ignore-column <column>', 'Do not send the columns with this name', {
    group: fields,
  }),
  phoneRegion: text(
    '--phone-region <country>',
    'Convert phone numbers to E.164; numbers without a country code belong to this country, such as DE',
    { group: fields },
  ),
  infer: flag(
    '--infer',
    'Send numbers, true, false and null in custom data as JSON values, not as text',
    { group: fields, rare: true },
  ),
  empty: choice(
    '--empty <what>',
    ['skip', 'null'],
    'How to treat an empty cell: skip it or send null',
    { group: fields, defaultText: 'skip', rare: true },
  ),
};

/** Only for an import, which proposes fields for columns with other names. */
export const importOptions = {
  ...fieldOptions,
  saveMap: text('--save-map <mapping.yaml>', 'Save the proposed fields of the columns to a file', {
    group: fields,
    complete: 'files',
    rare: true,
    run: ['unrecorded', 'original'],
  }),
};
