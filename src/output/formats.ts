// The names of the output formats, in a separate module so that options can list them without loading printers.
export const formats = [
  'table',
  'wide',
  'json',
  'ndjson',
  'csv',
  'tsv',
  'yaml',
  'markdown',
  'ids',
] as const;
