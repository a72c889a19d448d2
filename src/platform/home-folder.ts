/** Empty if neither HOME nor a user entry exists; os.homedir would throw. */
export function homeFolder(): string {
  if (process.env.HOME) return process.env.HOME;
  try {
    return process.getBuiltinModule('node:os').homedir();
  } catch {
    return '';
  }
}
