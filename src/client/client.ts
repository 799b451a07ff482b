import { startCapture } from './capture/capture.ts'
import type { CaptureSettings } from './capture/page.ts'
import { attempt, guarded, say } from './console.ts'
import { findSender } from './messenger.ts'
import type { Client, Options } from './options.ts'
import { persist } from './requests.ts'
import { createSending } from './sending.ts'
import { sessionAt, textOf } from './session.ts'
import { keep } from './storage.ts'
import { holdLock, takeOver } from './tabs.ts'
import { firstCharacters } from './text.ts'

/** What the service takes; the rest of a longer name is cut off. */
const NAME_CHARACTERS = 255
/** Said where it is given anything else. */
const USAGE = 'track(text, object)'

/**
 * Starts the client of a page, once for each page. Never throws. Without a user it does nothing, and says so.
 */
export function createClient(options: Options): Client {
  return attempt(() => start(options), say) ?? NOTHING
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

function start(options: Options): Client | undefined {
  const { host, key, project, storage = attempt(() => localStorage) } = options
  if (!key || !project) return say('no key or project')
  const sender = findSender(options)
  if (!sender) return say('no user: open it from your bot')
  const kept = keep(storage)
  const base = host.replace(/\/*$/, '/v1/client/')
  const all = `mauve:${project}:`
  const configurationKey = `${all}config`
  // Each person has their own: what waits must not be sent in another's name, nor does one stop for another.
  const own = `${all}${sender.id}:`
  const outKey = `${own}out`
  const sessionKey = `${own}session`
  const walletKey = `${own}wallet`
  const waitingKeys = `${own}waiting:`
  const waitingKey = waitingKeys + newId()

  let isCapturing = false
  let stopCapture = () => {}
  let isClosed = false
  let starts = 0

  const isOut = () => kept.get(outKey)
  const headers = {
    'content-type': 'application/json',
    // The configuration is asked for with the first of these, events are sent with the second.
    authorization: key,
    'x-api-key': key,
    'x-project-id': project,
  }
  const sending = createSending(kept, waitingKey, `${base}events`, headers, sender, isOut)

  /** The session that goes on now, announced where anything is captured. Returns its id. */
  function enterSession(now: number): number {
    const [start, isAnnounced] = sessionAt(kept.get(sessionKey), now)
    kept.set(sessionKey, textOf([start, isAnnounced || isCapturing], now))
    if (isCapturing && !isAnnounced) add('Session start', start, start)
    return start
  }

  function add(event_type: string, datetime: number, session: number, params?: unknown): void {
    const json = attempt(() => JSON.stringify(params))
    // An event counts also where its parameters cannot be JSON (a cycle, a BigInt).
    const isObject = json?.[0] === '{'
    if (params && !isObject) say(USAGE)
    sending.gather([
      {
        event_type,
        datetime,
        event_id: newId(),
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
    const settings: CaptureSettings = JSON.parse(found)
    stopCapture()
    isCapturing = settings.auto_capture
    stopCapture = startCapture(settings, track, kept, walletKey)
    kept.set(configurationKey, found)
  })

  /** Goes on with the configuration of the last start until the service tells the one of now. */
  async function begin(): Promise<void> {
    for (const name of kept.keys(waitingKeys)) adopt(name)
    apply(kept.get(configurationKey))
    const count = ++starts
    const [status, text] = await persist(`${base}config`, () => (isOut() || count !== starts ? undefined : { headers }))
    if (status === 200) apply(text)
    else if (status) sending.stop()
  }

  /** Takes over what a page has left that is gone. */
  const adopt = guarded((name: string) => {
    const read = () => JSON.parse(kept.get(name) ?? '[]')
    takeOver(name, read()[0], () => {
      // Not before: until it is gone, it may write more.
      const [, ...events] = read()
      // First, in case there is no space for both.
      kept.set(name, null)
      sending.gather(events, true)
    })
  })

  holdLock(waitingKey)
  // Hidden, a page may be gone in a moment; shown again, its events may have been taken over by another.
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

/** 128 random bits. Neither the oldest browsers nor a page without https have `randomUUID`; games give `Math.random` a seed. */
function newId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join()
}
