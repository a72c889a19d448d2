// The import of a YAML file is its parsed value: see scripts/yaml-modules.js.
declare module '*.yaml' {
  const value: unknown;
  export default value;
}
