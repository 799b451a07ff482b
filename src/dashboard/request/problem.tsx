import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Failure, type Fault, Invalid } from '../../base/errors.ts'
import { failureOf, STATUS } from '../../http/problem.ts'
import { labelOfProperty } from '../words/labels.ts'

/** Why something could not be shown, for people. */
export interface PageProblem {
  readonly status: ContentfulStatusCode
  readonly sentence: string
  readonly faults: readonly Fault[]
}

export type Attempt<T> =
  | { readonly data: T; readonly problem: null }
  | { readonly data: null; readonly problem: PageProblem }

/** Throws errors that nobody foresaw, or that are not for this page. */
export async function attempt<T>(
  answer: Promise<T>,
  isOurs: (error: unknown) => boolean = () => true,
): Promise<Attempt<T>> {
  try {
    return { data: await answer, problem: null }
  } catch (error) {
    if (!isOurs(error)) throw error
    return { data: null, problem: toProblem(error) }
  }
}

/** Null if it was not found. */
export async function ifKnown<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Failure && error.kind === 'not-found') return null
    throw error
  }
}

/** What to tell people about a failure; throws any other error. */
function toProblem(error: unknown): PageProblem {
  if (error instanceof Invalid) return { status: 422, sentence: UNASKABLE, faults: error.faults }
  const failure = failureOf(error as Error)
  if (failure) return { status: STATUS[failure.kind], sentence: failure.message, faults: [] }
  throw error
}

const UNASKABLE = 'Check these fields.'

export function ProblemNote({ problem: { sentence, faults } }: { problem: PageProblem }) {
  return (
    <div class="problem" role="alert">
      <p>{sentence}</p>
      <FaultList faults={faults} />
    </div>
  )
}

export function FaultList({ faults }: Pick<PageProblem, 'faults'>) {
  if (faults.length === 0) return null
  return (
    <ul>
      {faults.map((fault) => (
        <li>{[fieldOf(fault), inWords(fault)].filter(Boolean).join(': ')}</li>
      ))}
    </ul>
  )
}

/** The labels of parameters, as people see them on the pages. */
const FIELDS: ReadonlyMap<unknown, string> = new Map([
  ['start', 'First day'],
  ['end', 'Last day'],
  ['filters', 'Filter'],
  ['prop', 'property'],
  ['op', 'operator'],
  ['group_by', 'Breakdown'],
  ['of', 'Parameter'],
  ['by', 'New users by'],
  ['events', 'Step'],
  ['exclude', 'Excluded event'],
  ['order', 'Step order'],
  ['window_seconds', 'Conversion window'],
  ['offset', 'Page of the list'],
  ['before', 'Page of the list'],
  ['sort_order', 'Order'],
  ['telegram_id', 'User id'],
])

/** Where a fault is: `Step 2`, `Filter 1 property`. Empty if it is in the request as a whole. */
function fieldOf({ loc: [, name, ...rest] }: Fault): string {
  const field = FIELDS.get(name) ?? labelOfProperty(String(name ?? '')).replaceAll('_', ' ')
  const items = rest.map((step) => (typeof step === 'number' ? step + 1 : (FIELDS.get(step) ?? step)))
  return [field.replace(/^./, (first) => first.toUpperCase()), ...items].join(' ')
}

const EMPTY = 'Fill this in'

const WORDS: ReadonlyMap<string, string> = new Map([
  ['missing', EMPTY],
  ['string_too_short', EMPTY],
  ['string_pattern_mismatch', 'Use Latin letters, digits and underscores'],
  ['float_type', 'It should be a number'],
  ['int_type', 'It should be a whole number'],
  ['int_parsing', 'It should be a whole number'],
  ['json_invalid', 'It cannot be read. Remove it and add it again'],
  ['enum', 'Choose one of the options'],
])

/** A fault as one would say it to somebody who fills in a form. */
export function inWords({ type, msg, loc }: Fault): string {
  if (loc[1] === 'before') return 'There is no such page'
  if (type === 'enum' && (loc[1] === 'property' || loc.at(-1) === 'prop')) return 'Unknown property'
  if (type === 'extra_forbidden') return `Unknown name “${loc.at(-1)}”`
  return WORDS.get(type) ?? msg.replace(/^(String|Input|List) should/, 'It should').replace(/\.$/, '')
}
