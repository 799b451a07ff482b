import type { Message } from './update.ts'

/** Posts whose discussion is known. */
const MAX_POSTS = 1_000

/**
 * Returns a function that says whether a message is a comment under a channel's post. It is to be asked of every message.
 *
 * The messenger forwards each post to the group for its discussion. An answer to that is a comment, and so is all else in its
 * thread; but what answers a comment does not name the post, so the latest posts are remembered.
 */
export function createComments(): (message: Message) => boolean {
  const posts = new Set<string>()
  return (message) => {
    const { chat, reply_to_message: answered, message_thread_id: thread } = message
    const post = [message, answered].find((each) => each?.is_automatic_forward)
    if (post) remember(posts, placeOf(chat.id, post.message_id))
    return post ? post === answered : posts.has(placeOf(chat.id, thread))
  }
}

function placeOf(chatId: number, messageId: number | undefined): string {
  return `${chatId} ${messageId}`
}

function remember(posts: Set<string>, place: string): void {
  posts.add(place)
  const [oldest = place] = posts
  if (posts.size > MAX_POSTS) posts.delete(oldest)
}
