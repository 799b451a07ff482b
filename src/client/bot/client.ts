import { type BotSettings, capture, type Surroundings } from './capture.ts'
import { createComments } from './comments.ts'
import { createConfiguration } from './configuration.ts'
import { eventOf, eventOfUpdate, type OwnEvent } from './event.ts'
import type { BotClient, BotClientOptions, BotMiddleware, BotUser, Outcome, Update } from './options.ts'
import { createOutbox } from './outbox.ts'
import { isPerson, type Reading, readUpdate } from './reading.ts'
import { createService, REQUEST_TIMEOUT_MS } from './service.ts'
import { createTimer, oneAtATime } from './timing.ts'
import type { Contents } from './update.ts'
import { createWarning, reasonOf } from './warning.ts'

/** The most that a key of any scope may send in one request. */
const DEFAULT_BATCH = 50
/** Gathers further events into the same request. */
const SEND_AFTER_MS = 1_000
/** Events plus updates that wait for settings. */
const MAX_WAITING = 10_000

/** An update that the settings have yet to decide on. */
interface Candidate extends Surroundings {
  readonly reading: Reading
}

/** Creates a client for a bot. It sends no request before there is something to track. */
export function createBotClient(options: BotClientOptions): BotClient {
  const { names = true } = options
  // A missing environment variable may become NaN.
  const batch = Math.max(options.batch || DEFAULT_BATCH, 1)
  const warn = createWarning()
  const service = createService(options)
  const configuration = createConfiguration(service, warn)
  const outbox = createOutbox({ service, warn, batch })
  const isComment = createComments()
  /** Waiting for the settings. */
  const undecided: Candidate[] = []
  let overflow = 0
  let isClosed = false

  const run = oneAtATime(async (report) => {
    await configuration.refresh()
    decideAll()
    while (outbox.size > 0 && outbox.waitMs() === 0) {
      report()
      await outbox.sendBatch()
    }
    planRetry()
  }, 1.5 * REQUEST_TIMEOUT_MS)
  const timer = createTimer(() => void run())

  function decideAll(): void {
    const { settings } = configuration
    if (settings) for (const candidate of undecided.splice(0)) decide(candidate, settings)
  }

  function decide(candidate: Candidate, settings: BotSettings): Outcome {
    const captured = capture(candidate.reading, settings, candidate)
    if (!captured) return 'not_asked'
    outbox.add(eventOfUpdate(candidate.reading, captured, names))
    return 'captured'
  }

  /** Uses fresh settings, or the latest known if the service is unavailable. */
  function decideOrKeep(candidate: Candidate): Outcome {
    const { settings } = configuration
    if (settings && configuration.waitMs() > 0) return decide(candidate, settings)
    undecided.push(candidate)
    return 'undecided'
  }

  function keepBounded(): void {
    if (undecided.length + outbox.size <= MAX_WAITING) return
    warn('overflow', `more than ${MAX_WAITING} events wait for the service. The oldest are dropped.`)
    if (undecided.shift()) overflow += 1
    else outbox.dropOldest()
  }

  function planSending(): void {
    if (isClosed) return
    const afterMs = outbox.size < batch ? SEND_AFTER_MS : 0
    if (outbox.size > 0) timer.set(Math.max(afterMs, outbox.waitMs()))
    if (undecided.length > 0) timer.set(Math.max(SEND_AFTER_MS, configuration.waitMs()))
  }

  function planRetry(): void {
    if (isClosed) return
    if (outbox.size > 0) timer.set(outbox.waitMs())
    if (undecided.length > 0) timer.set(configuration.waitMs())
  }

  function trackUpdate(update: Update, username = options.username): Outcome {
    try {
      const { message } = update as Partial<Contents>
      // Asked first: a forwarded post names no person, but identifies its comments.
      const surroundings = { username, isComment: message ? isComment(message) : false }
      const reading = readUpdate(update, Date.now())
      if (!reading) return 'no_user'
      const outcome = decideOrKeep({ ...surroundings, reading })
      keepBounded()
      planSending()
      return outcome
    } catch (error) {
      warn('unreadable', `an update cannot be read (${reasonOf(error)}). It is left out.`)
      return 'no_user'
    }
  }

  function track(user: BotUser | undefined, name: string, params?: object): void {
    try {
      if (user?.is_bot) return
      if (!isPerson(user)) {
        warn('user', `the event "${name}" names no user. It is left out.`)
        return
      }
      outbox.add(toEvent({ user, name, params, time: Date.now() }))
      keepBounded()
      planSending()
    } catch (error) {
      warn('unreadable', `an event cannot be read (${reasonOf(error)}). It is left out.`)
    }
  }

  function toEvent(event: OwnEvent): string {
    try {
      return eventOf(event, names)
    } catch (error) {
      const bare = eventOf({ ...event, params: undefined }, names)
      warn('params', `the parameters of "${event.name}" cannot be JSON (${reasonOf(error)}). They are left out.`)
      return bare
    }
  }

  /** Updates that the middleware has tracked: once, even if it is in use twice. */
  const tracked = new WeakSet<Update>()

  /** Tracks an update before it is handled, so that it counts even if a handler fails. Errors of handlers are the framework's. */
  const middleware: BotMiddleware = async ({ update, me }, next) => {
    if (!tracked.has(update)) {
      tracked.add(update)
      trackUpdate(update, typeof me === 'string' ? me : me?.username)
    }
    await next()
  }

  return {
    trackUpdate: (update) => trackUpdate(update),
    track,
    flush: run,
    close() {
      isClosed = true
      timer.clear()
      outbox.retryNow()
      configuration.retryNow()
      return run()
    },
    grammy: () => middleware,
    telegraf: () => middleware,
    get dropped() {
      return overflow + outbox.dropped
    },
  }
}
