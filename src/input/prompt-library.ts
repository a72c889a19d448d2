// The prompts that svc uses. The only file that imports the prompt library; named exports keep its editor, with its
// tables of encodings, out of the bundle.
export { confirm, input, password, search } from '@inquirer/prompts';
