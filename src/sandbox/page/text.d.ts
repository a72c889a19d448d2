// The import of a file with `?text` is its text: see scripts/text-modules.js.
declare module '*?text' {
  const text: string;
  export default text;
}
