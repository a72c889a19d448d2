// Said after a start: which service the next command goes to, when that is another than the sandbox.
import type { Context } from '../../context.ts';

export function noteOther({ configuration, note, world }: Context, name: string): void {
  const variable = world.env.SVC_PROFILE;
  const { current } = configuration.read();
  if (variable) {
    if (variable !== name)
      note(`SVC_PROFILE still names profile ${variable}: use --profile ${name}, or unset it`);
  } else if (current !== undefined && current !== name) {
    note(`Profile ${current} is still current: use --profile ${name}, or svc profiles use ${name}`);
  }
}
