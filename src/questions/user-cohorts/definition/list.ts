import { type Fault, Invalid } from '../../../base/errors.ts'

/** The most messenger ids that a cohort may list as CSV. */
export const MAX_LISTED = 100_000
/** The most wrong lines that an error names. */
export const MAX_NAMED = 20
const MAX_SHOWN = 30

/**
 * Reads the messenger ids of a list, one per line, each once. The first line is a header if it contains no digit.
 * Throws `Invalid` with the numbers of the wrong lines.
 */
export function readList(text: string): number[] {
  const ids = new Set<number>()
  const faults: Fault[] = []
  let line = 0
  for (const written of linesOf(text.replace(/^\ufeff/, ''))) {
    line++
    const cell = written
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim()
    if (cell === '' || (line === 1 && !/\d/.test(cell))) continue
    const id = /^[1-9]\d{0,15}$/.test(cell) ? Number(cell) : 0
    if (id > 0 && Number.isSafeInteger(id)) ids.add(id)
    else faults.push(wrong(line, cell))
    if (faults.length === MAX_NAMED || ids.size > MAX_LISTED) break
  }
  if (faults.length > 0) throw new Invalid(faults)
  if (ids.size > MAX_LISTED) throw new Invalid([tooMany()])
  if (ids.size === 0) throw new Invalid([NONE_LISTED])
  return [...ids]
}

/** The lines of a text, without the array that `split` would make. */
function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const to = end === -1 ? text.length : end
    yield text.slice(from, to)
    from = to + 1
  }
}

function wrong(line: number, cell: string): Fault {
  const shown = [...cell.slice(0, 2 * MAX_SHOWN)]
  const text = shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN).join('')}…` : cell
  return { loc: ['body', line], msg: `Line ${line} should be one telegram id, not "${text}"`, type: 'value_error' }
}

function tooMany(): Fault {
  return { loc: ['body'], msg: `List should have at most ${MAX_LISTED} telegram ids`, type: 'too_long' }
}

const NONE_LISTED: Fault = { loc: ['body'], msg: 'List should have at least 1 telegram id', type: 'too_short' }
