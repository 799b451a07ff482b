import { say } from './console.ts'

/** The timeout of a request. */
const ANSWER_MS = 30_000
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 5 * 60_000
/** 23 days, about the longest that a timer can be set for. */
const LONGEST_TIMER_MS = 2e9

/** Statuses that another attempt would not change. */
const FINAL = /^(200|4(?!08|29))/

/** The status is 0 if the request was given up. */
export type Answer = readonly [status: number, text: string]

/**
 * Repeats a request until its response is final (a 200, or a refusal, which the console shows) and returns that.
 *
 * @param make Creates each attempt; undefined gives up. An attempt also fails if this throws.
 * @param failed Called after each failed attempt, before the pause.
 */
export async function persist(url: string, make: () => RequestInit | undefined, failed?: () => void): Promise<Answer> {
  for (let failures = 1; ; ) {
    let answer: Response | undefined
    try {
      const init = make()
      if (!init) return [0, '']
      // Older browsers have no `timeout`.
      answer = await fetch(url, { ...init, signal: AbortSignal.timeout?.(ANSWER_MS) })
      const { status } = answer
      const text = await answer.text()
      if (FINAL.test(status as unknown as string)) {
        if (status !== 200) say(`refused: ${status} ${text}`)
        return [status, text]
      }
    } catch (error) {
      // The service is unavailable, or something in the page prevents sending.
      say(error)
    }
    failed?.()
    const ms = pauseMs(failures++, answer?.headers.get('retry-after'), Math.random())
    await new Promise((resolve) => setTimeout(resolve, ms))
  }
}

/**
 * The pause after this many failures in a row (from 1), in milliseconds: what the service asks for in seconds, else one second,
 * doubled with each failure up to five minutes, and shortened by up to a half (`random` is from 0 to 1) so that pages do not
 * return together.
 */
export function pauseMs(failures: number, retryAfter: string | null | undefined, random: number): number {
  const grownMs = Math.min((FIRST_PAUSE_MS / 2) * 2 ** failures, LONGEST_PAUSE_MS) * (1 - random / 2)
  const toldMs = Number(retryAfter) * 1000
  return Math.min(toldMs > 0 ? toldMs : grownMs, LONGEST_TIMER_MS)
}
