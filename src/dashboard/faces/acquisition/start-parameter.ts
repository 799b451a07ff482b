import { fillPattern, partsOfPattern, type SourcePart, type SourceRule, sourceReader } from '../../../base/sources.ts'

/** What a start parameter opens, with the most characters that the messenger allows for it. */
export const TARGETS = {
  'mini-app': { label: 'Mini-app', characters: 512 },
  bot: { label: 'Bot', characters: 64 },
} as const

export type LinkTarget = keyof typeof TARGETS

export function isTarget(text: string): text is LinkTarget {
  return Object.hasOwn(TARGETS, text)
}

/** What the owner of an application filled in. */
export interface FilledLink {
  /** One of the rules; null for a start parameter of no pattern. */
  readonly pattern: string | null
  readonly values: Readonly<Partial<Record<SourcePart, string>>>
  /** The start parameter itself, where there is no pattern. */
  readonly parameter: string
  readonly target: LinkTarget
}

export interface BuiltParameter {
  readonly text: string
  /** What is wrong with each field, by its name; under an empty name what is wrong with the whole. */
  readonly faults: ReadonlyMap<string, string>
}

const ALLOWED = /^[\w-]+$/

/** The start parameter, and what is wrong with it: the messenger's rules, and whether reading it leads back to what was filled in. */
export function buildParameter({ pattern, values, parameter, target }: FilledLink, rules: readonly SourceRule[]) {
  const text = pattern === null ? parameter : fillPattern(pattern, values)
  const fields =
    pattern === null
      ? ([['parameter', parameter]] as const)
      : partsOfPattern(pattern).map((part) => [part, values[part] ?? ''] as const)
  const faults = new Map<string, string>()
  for (const [field, value] of fields) {
    if (value === '') faults.set(field, 'Fill in this field')
    else if (!ALLOWED.test(value)) faults.set(field, `Use ${LETTERS} only`)
    else if (field === 'referrer' && value === ERASED) faults.set(field, '0 stands for an erased user')
  }
  const whole =
    faults.size > 0 ? null : (messengerFault(text, target) ?? readingFault(text, { pattern, values }, rules))
  if (whole) faults.set('', whole)
  return { text, faults } satisfies BuiltParameter
}

/** What erasure leaves of an id: rules read no referrer in it. */
const ERASED = '0'

const LETTERS = 'the letters A to Z, digits, _ and -'

function messengerFault(text: string, target: LinkTarget): string | null {
  const { label, characters } = TARGETS[target]
  if (!ALLOWED.test(text)) return `Telegram allows ${LETTERS} only, and this pattern has other characters.`
  if (text.length <= characters) return null
  return `A start parameter of a ${label.toLowerCase()} has at most ${characters} characters; this one has ${text.length}.`
}

function readingFault(
  text: string,
  { pattern, values }: Pick<FilledLink, 'pattern' | 'values'>,
  rules: readonly SourceRule[],
) {
  if (pattern === null) return null
  const read = sourceReader(rules)(text)
  const other = rules[read.rule]?.pattern
  if (other !== pattern) return `Your rules read this as ${other}, which stands before this pattern.`
  const differing = partsOfPattern(pattern).find((part) => read.values[part] !== values[part])
  if (!differing) return null
  return `Your rules read the ${differing} of this as “${read.values[differing]}”: the values contain a separator of the pattern.`
}

/** The address that opens an application with a start parameter; null if its own link is none of the messenger's. */
export function linkWith(link: string, parameter: string, target: LinkTarget): string | null {
  const [, bot, app] = /^https?:\/\/(?:t|telegram)\.me\/(\w{4,32})(?:\/(\w{1,64}))?\/?(?:[?#].*)?$/.exec(link) ?? []
  if (bot === undefined) return null
  if (target === 'bot') return `https://t.me/${bot}?start=${parameter}`
  return `https://t.me/${app === undefined ? bot : `${bot}/${app}`}?startapp=${parameter}`
}
