import type { Message } from './update.ts'

/** The most posts whose discussions are remembered. */
const MAX_POSTS = 1_000

/**
 * Returns a function that tells whether a message is a comment on a channel's post. Call it with every message.
 *
 * The messenger forwards each post to its discussion group. Replies to it and all messages in its thread are comments; replies to
 * comments do not name the post, so the latest posts are remembered.
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
