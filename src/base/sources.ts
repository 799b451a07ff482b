import type { Described } from './described.ts'
import { ERASED_ID } from './text/messenger-ids.ts'

/** What an owner says that start parameters mean: the first rule that matches decides. */
export type SourceRule = Described['sourceRule']

export const SOURCE_PARTS = ['source', 'medium', 'campaign', 'content', 'referrer'] as const

export type SourcePart = (typeof SOURCE_PARTS)[number]

/** A pattern as literals and parts in turn: one more literal than parts, the first and the last perhaps empty. */
interface ParsedPattern {
  readonly literals: readonly string[]
  readonly parts: readonly SourcePart[]
}

const PART = new RegExp(`\\{(${SOURCE_PARTS.join('|')})\\}`)

function parsePattern(pattern: string): ParsedPattern {
  const pieces = pattern.split(PART)
  return {
    literals: pieces.filter((_, index) => index % 2 === 0),
    parts: pieces.filter((_, index) => index % 2 === 1) as SourcePart[],
  }
}

const BRACES = /\{[^{}]*\}/

const KNOWN_PARTS = SOURCE_PARTS.map((part) => `{${part}}`).join(', ')

/** What is wrong with a pattern; null if nothing is. */
export function patternProblem(pattern: string): string | null {
  const { literals, parts } = parsePattern(pattern)
  const [unknown] = literals.flatMap((literal) => BRACES.exec(literal) ?? [])
  if (unknown) return `${unknown} is not a part of a start parameter: use ${KNOWN_PARTS}`
  const twice = parts.find((part, index) => parts.indexOf(part) !== index)
  if (twice) return `The pattern should name {${twice}} only once`
  const joined = parts.findIndex((_, index) => index > 0 && literals[index] === '')
  if (joined === -1) return null
  return `The pattern should have a separator between {${parts[joined - 1]}} and {${parts[joined]}}`
}

/** The parts that a pattern names. */
export function partsOfPattern(pattern: string): readonly SourcePart[] {
  return parsePattern(pattern).parts
}

/** The start parameter that a pattern makes of the values of its parts. */
export function fillPattern(pattern: string, values: Readonly<Partial<Record<SourcePart, string>>>): string {
  const { literals, parts } = parsePattern(pattern)
  return literals.map((literal, index) => literal + (values[parts[index] as SourcePart] ?? '')).join('')
}

type SourceValues = Readonly<Partial<Record<SourcePart, string | undefined>>>

/** What a start parameter means; `rule` is the index of the one that matched, -1 for none. */
interface SourceMatch {
  readonly rule: number
  readonly values: SourceValues
}

/** Reads start parameters by rules, which are parsed once. */
export function sourceReader(rules: readonly SourceRule[]): (startParameter: string) => SourceMatch {
  const parsed = rules.map(({ pattern, set }) => ({ ...parsePattern(pattern), set }))
  return (text) => {
    for (const [rule, { literals, parts, set }] of parsed.entries()) {
      const found = match(text, literals)
      if (!found) continue
      const named: Partial<Record<SourcePart, string | undefined>> = Object.fromEntries(
        parts.map((part, index) => [part, found[index] as string]),
      )
      if (named.referrer === ERASED_ID) named.referrer = undefined
      return { rule, values: { source: text, ...set, ...named } }
    }
    return { rule: -1, values: { source: text } }
  }
}

/**
 * What the parts between literals are if they match a whole text, each as short as possible and at least a character; null if they do
 * not. The earliest next literal leaves the most for all that follows, so nothing is ever tried twice.
 */
function match(text: string, literals: readonly string[]): string[] | null {
  const [first = '', ...others] = literals
  if (others.length === 0) return text === first ? [] : null
  if (!text.startsWith(first)) return null
  const last = others.pop() as string
  const parts: string[] = []
  let from = first.length
  for (const literal of others) {
    const end = text.indexOf(literal, from + 1)
    if (end === -1) return null
    parts.push(text.slice(from, end))
    from = end + literal.length
  }
  const end = text.length - last.length
  if (end <= from || !text.endsWith(last)) return null
  return [...parts, text.slice(from, end)]
}
