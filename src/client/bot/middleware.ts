import type { BotMiddleware, Update } from './options.ts'

type TrackUpdate = (update: Update, username?: string) => unknown

/**
 * An update is tracked before it is handled, so that it counts even if a handler fails; once, even if the middleware is in use
 * twice. What a handler throws goes on to the framework's own error handling.
 */
export function createMiddleware(trackUpdate: TrackUpdate): BotMiddleware {
  const tracked = new WeakSet<Update>()
  return async ({ update, me }, next) => {
    if (!tracked.has(update)) {
      tracked.add(update)
      trackUpdate(update, typeof me === 'string' ? me : me?.username)
    }
    await next()
  }
}
