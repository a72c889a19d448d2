// The application: triggers the workflow `sign-up` for a new user.

/** @param {import('@novu/api').Novu} novu */
async function signUp(novu, email, token) {
  await novu.trigger({
    workflowId: 'sign-up',
    to: { subscriberId: email, email },
    payload: { token },
  });
}

module.exports = { signUp };
