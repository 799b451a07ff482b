import type { Fault } from './errors.ts'

interface JsonFault extends Pick<Fault, 'msg' | 'type'> {
  /** Where the text stops being JSON, in characters before it; null if that would take long to find out. */
  readonly position: number | null
}

/** Why a text is no JSON, from the error that `JSON.parse` threw. */
export function jsonFault(text: string, error: unknown): JsonFault {
  const position = findBreak(text, (error as Error).message)
  const lines = text.slice(0, position ?? 0).split('\n')
  const where = position === null ? '' : ` at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
  return { type: 'json_invalid', msg: `JSON decode error${where}`, position }
}

/** Longer texts are not parsed again and again. */
const MAX_SEARCHED = 65_536
/** V8 quotes this many characters before the one that is wrong. */
const QUOTED_BEFORE = 10

/** V8 names the position of some faults; of others it quotes what stands around them. */
function findBreak(text: string, message: string): number | null {
  const named = namedPosition(text, message)
  if (named !== null) return named
  const quoted = /\.\.\."(.*)"(\.\.\.)? is not valid JSON$/s.exec(message)?.[1]
  const at = quoted === undefined ? -1 : text.indexOf(quoted)
  if (quoted !== undefined && at === text.lastIndexOf(quoted)) return at + QUOTED_BEFORE
  return text.length > MAX_SEARCHED ? null : searchBreak(text)
}

function namedPosition(text: string, message: string): number | null {
  if (message.startsWith('Unexpected end')) return text.length
  const named = / at position (\d+) /.exec(message)?.[1]
  return named === undefined ? null : Number(named)
}

/** Finds the longest beginning that could be continued as JSON. */
function searchBreak(text: string): number {
  let [good, bad] = [0, text.length]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (canGoOn(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return good
}

function canGoOn(beginning: string): boolean {
  try {
    JSON.parse(beginning)
    return true
  } catch (error) {
    return (namedPosition(beginning, (error as Error).message) ?? 0) >= beginning.length
  }
}
