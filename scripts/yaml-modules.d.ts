// The types of yaml-modules.js.
export function yamlModules(): {
  name: string;
  transform(code: string, id: string): { code: string; map: null; moduleType: 'js' } | undefined;
};
