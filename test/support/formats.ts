/** The options of every format of data. */
export const dataFormats = [
  ['--json'],
  ['-o', 'ndjson'],
  ['-o', 'csv'],
  ['-o', 'tsv'],
  ['-o', 'yaml'],
  ['--jq', '.'],
];
