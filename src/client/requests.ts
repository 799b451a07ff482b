import { say } from './console.ts'

/** A service that says nothing for so long does not answer. */
const ANSWER_MS = 30_000
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 5 * 60_000
/** 23 days: for much longer a timer cannot be set. */
const LONGEST_TIMER_MS = 2e9

/** Of everything else another attempt may make more. */
const FINAL = /^(200|4(?!08|29))/

/** The status is 0 where none was awaited any more. */
export type Answer = readonly [status: number, text: string]

/**
 * Asks until there is an answer that stays the same however often one asks, and returns it: a 200, or a refusal,
 * which the console is told of.
 *
 * @param make Makes each attempt; with undefined there is none. It fails also if this throws.
 * @param failed Is called when an attempt failed, before the pause.
 */
export async function persist(url: string, make: () => RequestInit | undefined, failed?: () => void): Promise<Answer> {
  for (let failures = 1; ; ) {
    let answer: Response | undefined
    try {
      const init = make()
      if (!init) return [0, '']
      // Older browsers wait for as long as they like.
      answer = await fetch(url, { ...init, signal: AbortSignal.timeout?.(ANSWER_MS) })
      const { status } = answer
      const text = await answer.text()
      if (FINAL.test(status as unknown as string)) {
        if (status !== 200) say(`refused: ${status} ${text}`)
        return [status, text]
      }
    } catch (error) {
      // The service is away, or something in the page is such that nothing can be sent now.
      say(error)
    }
    failed?.()
    const ms = pauseMs(failures++, answer?.headers.get('retry-after'), Math.random())
    await new Promise((resolve) => setTimeout(resolve, ms))
  }
}

/**
 * How long to wait after so many failures in a row (from 1), in milliseconds: as the service says, in seconds, else from one
 * second, doubled with each failure, to five minutes, and up to a half less (`random` is from 0 to 1), so that not all come
 * back at once.
 */
export function pauseMs(failures: number, retryAfter: string | null | undefined, random: number): number {
  const grownMs = Math.min((FIRST_PAUSE_MS / 2) * 2 ** failures, LONGEST_PAUSE_MS) * (1 - random / 2)
  const toldMs = Number(retryAfter) * 1000
  return Math.min(toldMs > 0 ? toldMs : grownMs, LONGEST_TIMER_MS)
}
