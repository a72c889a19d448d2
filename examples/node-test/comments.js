// The application: notifies the author of a post about a comment.

/** @param {import('@novu/api').Novu} novu */
export async function addComment(novu, { author, commenter, text }) {
  await novu.trigger({
    workflowId: 'comment',
    to: { subscriberId: author },
    payload: { commenter, text },
  });
}
