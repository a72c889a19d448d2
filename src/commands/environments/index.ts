import type { Group } from '../../cli/command.ts';
import { create } from './create.ts';
import { deleteEnvironment } from './delete.ts';
import { list } from './list.ts';
import { pull } from './pull.ts';
import { push } from './push.ts';
import { update } from './update.ts';
import { deleteVariables } from './variables/delete.ts';
import { get as getVariable } from './variables/get.ts';
import { list as listVariables } from './variables/list.ts';
import { set as setVariable } from './variables/set.ts';
import { usage as variableUsage } from './variables/usage.ts';

const variables: Group = {
  summary: 'List, set and delete the variables that templates read as {{env.KEY}}',
  details:
    'A variable belongs to the organization and has a value for each environment. These commands show and change the value of the environment of the API key, on servers since 3.15. `svc environments pull` and `push` keep them in variables.yaml.',
  commands: {
    list: listVariables,
    get: getVariable,
    set: setVariable,
    delete: deleteVariables,
    usage: variableUsage,
  },
};

export const group: Group = {
  summary: 'Environments separate the stages of an application; each has its own API keys',
  details:
    '`pull` writes a whole environment to files that you can edit and keep in Git; `push` writes them back. update and delete are not offered by every server.',
  commands: { list, pull, push, create, update, delete: deleteEnvironment, variables },
};
