// The JSON Schema of state files, for editors.
import { toJSONSchema } from 'zod';
import { sandboxState } from './schema.ts';

export const stateJsonSchema = (): object => ({
  title: 'State file of the svc sandbox',
  ...toJSONSchema(sandboxState, { io: 'input', unrepresentable: 'any' }),
});
