// The output formats by name, apart from their printers so that options can list them cheaply.
export const formats = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'ids'] as const;
