// The types of text-modules.js.
export function textModules(): {
  name: string;
  enforce: 'pre';
  resolveId(source: string, importer: string | undefined): string | undefined;
  load(id: string): { code: string; map: null; moduleType: 'js' } | undefined;
};
