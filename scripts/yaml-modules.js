// A plugin for rolldown and vitest: the import of a YAML file is its value, parsed when the program is built.
import { parse } from 'yaml';

export const yamlModules = () => ({
  name: 'yaml-modules',
  transform(code, id) {
    if (!id.endsWith('.yaml')) return undefined;
    return { code: `export default ${JSON.stringify(parse(code))};`, map: null, moduleType: 'js' };
  },
});
