import { command } from '../../cli/command.ts';
import { id, required, text } from '../../cli/options.ts';
import { SvcError, usageError, withVerifyCommand } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { copyKeyHint, profileSaver, refuseHiddenKeys, withUsableKey } from './save-profile.ts';
import { environmentColumns, environmentId } from './view.ts';

export const create = command({
  summary: 'Create an environment in the organization',
  details:
    'Servers before 3.17 return an API key of the new environment, which is masked unless --reveal is given. If that key is encrypted (`nvsk.…`), --save-profile reads the usable key from the list of environments. Since 3.17, an API key cannot read the keys of other environments: copy the key from the dashboard and run `svc login`. With --save-profile, svc then creates nothing.',
  arguments: { name: required('<name>', 'Name of the environment') },
  options: {
    color: text('--color <#rrggbb>', 'Color of the environment in hex; required'),
    saveProfile: text(
      '--save-profile <name>',
      'Save the key of the environment in a new profile with this name',
      { tool: false },
    ),
    parent: id('--parent <environment-id>', 'Id of the parent environment'),
  },
  output: 'The environment with its key masked.',
  examples: {
    "svc environments create Staging --color '#2f9e44'": 'Create an environment',
    "svc environments create Preview --color '#845ef7' --save-profile preview":
      'Also save a profile with its key',
  },
  operations: ['createEnvironment', 'listEnvironments'],
  writes: true,
  async run(context, { args: { name }, options: { color, parent, saveProfile } }) {
    if (color === undefined) {
      throw usageError('--color is required.', {
        next: [`svc environments create ${shellWord(name)} --color '#2f9e44'`],
      });
    }
    // Check the profile name first. Otherwise the environment could be created without its profile.
    const saver = saveProfile === undefined ? undefined : await profileSaver(context);
    if (saver && saveProfile !== undefined) {
      saver.checkNew(saveProfile, name);
      await refuseHiddenKeys(context, name, saveProfile);
    }
    const client = await context.client();
    const body = { name, color, parentId: parent };
    const value = await client.call('createEnvironment', { body }).catch((error) => {
      throw withVerifyCommand(error, 'svc environments list');
    });
    try {
      if (saver && saveProfile !== undefined)
        await saver.store(saveProfile, await withUsableKey(context, value));
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      return result.report({
        value,
        headline: `Created environment ${name} (${environmentId(value)})`,
        ids: [environmentId(value)],
        end: {
          type: 'error',
          cause: error.with({
            exitReason: 'local',
            message: `Profile ${saveProfile} was not saved: ${error.message}`,
          }),
        },
      });
    }
    if (value.apiKeys === undefined || value.apiKeys.length === 0)
      context.note(`The service does not return the key of ${name}. ${copyKeyHint}`);
    const headline = `Created environment ${name}`;
    return result.one({ value, fields: environmentColumns, id: environmentId, headline });
  },
});
