import { distance } from 'fastest-levenshtein'
import { compareTexts } from './order.ts'

/** Typing errors that any name but a short one may have. Two characters that changed places are two. */
const MOST_TYPOS = 2
/** Comparing two names takes as long as one has characters times the other. */
const MOST_CHARACTERS = 100
/** The share of a longer name's characters that may be wrong. */
const MOST_WRONG = 0.3
/** The share of a short name's characters that may be wrong: with two of three it would be another name. */
const LEAST_RIGHT = 0.5

/**
 * The name that may have been meant by one with typing errors: the one with the fewest, ties by name; case does not count. Null if none
 * is near, or if the name is too long to compare.
 */
export function nearestOf(name: string, names: Iterable<string>): string | null {
  if (name.length > MOST_CHARACTERS) return null
  const typed = name.toLowerCase()
  let most = Math.min(Math.max(MOST_TYPOS, name.length * MOST_WRONG), name.length * LEAST_RIGHT)
  let nearest: string | null = null
  for (const other of names) {
    if (other === name || Math.abs(other.length - name.length) > most) continue
    const typos = distance(typed, other.toLowerCase())
    if (typos > most || (typos === most && nearest !== null && compareTexts(nearest, other) <= 0)) continue
    most = typos
    nearest = other
  }
  return nearest
}

/** A sentence about a name, with the one that may have been meant. */
export function withNearest(sentence: string, nearest: string | null): string {
  return nearest === null ? `${sentence}.` : `${sentence}; did you mean '${nearest}'?`
}
