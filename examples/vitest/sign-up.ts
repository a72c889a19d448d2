// The application: triggers the workflow `sign-up` for a new user.
import type { Novu } from '@novu/api';

export async function signUp(novu: Novu, email: string, token: string): Promise<void> {
  await novu.trigger({
    workflowId: 'sign-up',
    to: { subscriberId: email, email },
    payload: { token },
  });
}
