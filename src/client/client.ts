import { type LoadFurther, startCapture } from './capture/capture.ts'
import type { PageSettings } from './capture/page.ts'
import { attempt, guarded, say } from './console.ts'
import { findSender } from './messenger.ts'
import type { Client, Options } from './options.ts'
import { persist } from './requests.ts'
import { createSending } from './sending.ts'
import { sessionAt, textOf } from './session.ts'
import { keep } from './storage.ts'
import { holdLock, takeOver } from './tabs.ts'
import { firstCharacters } from './text.ts'

/** The service's limit. Longer names are cut. */
const NAME_CHARACTERS = 255
/** Warns about other arguments. */
const USAGE = 'track(text, object)'

/**
 * Starts the client of a page; call it once per page. Never throws. Without a user it warns and does nothing.
 */
export function createClient(options: Options, load: LoadFurther): Client {
  return attempt(() => start(options, load), say) ?? NOTHING
}

const nothing = async () => {}

/** A client that does nothing. */
export const NOTHING: Client = {
  track: nothing,
  optOut: nothing,
  optIn: nothing,
  flush: nothing,
  close: nothing,
  dropped: 0,
}

function start(options: Options, load: LoadFurther): Client | undefined {
  const { host, key, project, storage = attempt(() => localStorage) } = options
  if (!key || !project) return say('no key or project')
  const sender = findSender(options)
  if (!sender) return say('no user: open your bot')
  const { opened } = sender
  const kept = keep(storage)
  const base = host.replace(/\/*$/, '/v1/client/')
  const all = `mauve:${project}:`
  const configurationKey = `${all}config`
  // Separate for each person: nobody's events are sent in another's name, and nobody opts out for another.
  const own = `${all}${sender.id}:`
  const outKey = `${own}out`
  const sessionKey = `${own}session`
  const waitingKeys = `${own}waiting:`
  // 128 random bits. Old browsers and pages without https lack `randomUUID`, and games may seed `Math.random`.
  const page = `${crypto.getRandomValues(new Uint32Array(4))}#`
  const waitingKey = waitingKeys + page

  let isCapturing = false
  let stopCapture = () => {}
  let isClosed = false
  let starts = 0
  let events = 0

  const isOut = () => kept.get(outKey)
  const headers = {
    'content-type': 'application/json',
    // The first is for the configuration, the second for events.
    authorization: key,
    'x-api-key': key,
    'x-project-id': project,
  }
  const sending = createSending(kept, waitingKey, `${base}events`, headers, sender, isOut)

  /** Continues or begins a session, which is announced if anything is captured. Returns its id. */
  function enterSession(now: number): number {
    const [start, isAnnounced] = sessionAt(kept.get(sessionKey), now)
    kept.set(sessionKey, textOf([start, isAnnounced || isCapturing], now))
    if (isCapturing && !isAnnounced) add('Session start', start, start, opened)
    return start
  }

  function add(event_type: string, datetime: number, session: number, params?: unknown): void {
    const json = attempt(() => JSON.stringify(params))
    // Parameters that cannot be JSON (a cycle, a BigInt) are left out; the event still counts.
    const isObject = json?.[0] === '{'
    if (params && !isObject) say(USAGE)
    sending.gather([
      {
        event_type,
        datetime,
        // Numbered ids of a page lie together in the database.
        event_id: page + events++,
        session_id: `${session}`,
        params: isObject ? JSON.parse(json) : undefined,
      },
    ])
  }

  const track = guarded((name: string, params?: object) => {
    if (isOut()) return
    if (typeof name !== 'string' || !name) return say(USAGE)
    const now = Date.now()
    add(firstCharacters(name, NAME_CHARACTERS), now, enterSession(now), params)
  })

  const apply = guarded((found: string | null) => {
    if (isOut() || isClosed || !found) return
    const settings: PageSettings = JSON.parse(found)
    stopCapture()
    isCapturing = settings.auto_capture
    stopCapture = startCapture(settings, track, kept, own, load)
    kept.set(configurationKey, found)
  })

  /** Uses the configuration of the last start until the service sends the current one. */
  async function begin(): Promise<void> {
    for (const name of kept.keys(waitingKeys)) adopt(name)
    apply(kept.get(configurationKey))
    const count = ++starts
    const [status, text] = await persist(`${base}config?client=mauve`, () =>
      isOut() || count !== starts ? undefined : { headers },
    )
    if (status === 200) apply(text)
    else if (status) sending.stop()
  }

  /** Takes over the events of a closed page. */
  const adopt = guarded((name: string) => {
    const read = () => JSON.parse(kept.get(name) ?? '[]')
    takeOver(name, read()[0], () => {
      // Read again: the page may have written more until it was closed.
      const [, ...events] = read()
      // Deleted first, in case there is no space for both.
      kept.set(name, null)
      sending.gather(events, true)
    })
  })

  holdLock(waitingKey)
  // A hidden page may be closed soon; while it was hidden, another page may have taken over its events.
  document.addEventListener('visibilitychange', sending.flush)
  addEventListener('pagehide', sending.flush)
  begin()
  return {
    track,
    optOut() {
      for (const name of kept.keys(own)) kept.set(name, null)
      kept.set(sessionKey, null)
      kept.set(outKey, '1')
      stopCapture()
      sending.flush()
    },
    optIn() {
      if (!isOut()) return
      kept.set(outKey, null)
      begin()
    },
    flush: sending.flush,
    close() {
      isClosed = true
      stopCapture()
      return sending.flush()
    },
    get dropped() {
      return sending.dropped
    },
  }
}
