import { Failure, type Fault, Invalid } from '../../errors.ts'

/** Why something could not be shown, for people. */
export interface Problem {
  readonly sentence: string
  /** What was wrong with the input, if that was it. */
  readonly faults: readonly Fault[]
}

/** What was asked for, or why it is not there. */
export type Attempt<T> =
  | { readonly data: T; readonly problem: null }
  | { readonly data: null; readonly problem: Problem }

/** Waits for an answer. Errors that nobody foresaw are thrown on. */
export async function attempt<T>(answer: Promise<T>): Promise<Attempt<T>> {
  try {
    return { data: await answer, problem: null }
  } catch (error) {
    return { data: null, problem: toProblem(error) }
  }
}

/** What to tell people of a failure they may know about; throws any other error on. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Invalid) return { sentence: 'This question cannot be asked like this.', faults: error.faults }
  const failure = [error, (error as Error).cause].find((found) => found instanceof Failure)
  if (failure) return { sentence: failure.message, faults: [] }
  throw error
}

/** A problem in place of what it kept away. */
export function ProblemNote({ problem: { sentence, faults } }: { problem: Problem }) {
  return (
    <div class="problem" role="alert">
      <p>{sentence}</p>
      {faults.length > 0 && (
        <ul>
          {faults.map((fault) => (
            <li>{`${placeOf(fault)}: ${fault.msg}`}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** What parameters are called where people choose them. */
const FIELDS: Readonly<Record<string, string>> = {
  start: 'First day',
  end: 'Last day',
  filters: 'Filter',
  group_by: 'Grouped by',
  events: 'Step',
  event: 'Event',
}

function placeOf({ loc }: Fault): string {
  const [, name = '', ...rest] = loc
  const field = FIELDS[name] ?? String(name).replaceAll('_', ' ')
  const items = rest.map((step) => (typeof step === 'number' ? step + 1 : step))
  return [field, ...items].join(' ')
}
