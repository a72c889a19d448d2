// A profile of a production environment: whether its writes want to be confirmed by name.
import type { Context } from '../context.ts';

/** True when a person wants it; without a terminal nobody is asked. */
export async function offerProtection(
  { canAsk, asker }: Context,
  profile: string,
  environmentType: string | null | undefined,
): Promise<boolean> {
  if (environmentType !== 'prod' || !canAsk) return false;
  return asker().confirm(
    `This is a production environment. Have every write to ${profile} confirmed by its name?`,
  );
}
