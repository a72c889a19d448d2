// A plugin for rolldown and vitest: the import of `./style.css?text` is the text of the file.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const query = '?text';
/** Ends the ids of these modules, so that no other plugin takes them for style sheets or scripts. */
const suffix = '.text-module';

export const textModules = () => {
  let root = '';
  return {
    name: 'text-modules',
    enforce: 'pre',
    configResolved(config) {
      root = config.root;
    },
    // The key of vitest's cache of modules does not contain the text.
    configureVitest({ experimental_defineCacheKeyGenerator: defineKey }) {
      defineKey(({ id }) => (id.endsWith(suffix) ? false : undefined));
    },
    resolveId(source, importer) {
      // A module from the cache imports the id, without the root folder.
      if (source.endsWith(suffix)) return source.startsWith(root) ? source : root + source;
      if (!source.endsWith(query) || importer === undefined) return undefined;
      return path.resolve(path.dirname(importer), source.slice(0, -query.length)) + suffix;
    },
    load(id) {
      if (!id.endsWith(suffix)) return undefined;
      const text = readFileSync(id.slice(0, -suffix.length), 'utf8');
      return { code: `export default ${JSON.stringify(text)};`, map: null, moduleType: 'js' };
    },
  };
};
