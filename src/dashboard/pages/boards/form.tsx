import { z } from 'zod'
import { MAX_NAME_CHARACTERS, type SavedQuestion } from '../../../accounts/applications/saved-questions.ts'
import { type Board, type BoardFields, MAX_REPORTS } from '../../../accounts/boards/boards.ts'
import { type Fault, Invalid } from '../../../base/errors.ts'
import { text } from '../../../http/params.ts'
import { PERIOD_WORDS } from '../../cards/card.tsx'
import { BoundField } from '../../forms/bound-field.tsx'
import { Field, faultsOf } from '../../forms/field.tsx'
import type { FormFields } from '../../forms/fields-of-form.ts'
import { formOf } from '../../forms/form-of.ts'
import type { View } from '../../request/address.ts'
import type { PageProblem } from '../../request/problem.tsx'

const KEPT_WORDS = [...PERIOD_WORDS, 'filters']
const DEFAULT_PERIOD = ['period', '30d']
const MAX_QUERY_CHARACTERS = 4_000

/** The period and the filters of a view, as a board keeps them. It always names a period. */
function boardQuery(params: URLSearchParams): string {
  const kept = [...params].filter(([name]) => KEPT_WORDS.includes(name))
  const hasPeriod = kept.some(([name]) => PERIOD_WORDS.includes(name))
  return String(new URLSearchParams(hasPeriod ? kept : [DEFAULT_PERIOD, ...kept]))
}

const boardForm = formOf(z.object({ name: text({ min: 1, max: MAX_NAME_CHARACTERS }) }))

/** What a form says about a board. Throws `Invalid`. */
export function readBoard(typed: FormFields, saved: readonly SavedQuestion[]): BoardFields {
  const { name } = boardForm.parse(typed)
  const query = boardQuery(new URLSearchParams(typed.text('query')))
  const chosen = typed.list('reports').filter((report) => saved.some((question) => question.name === report))
  const reports = [...new Set(chosen)].slice(0, MAX_REPORTS)
  const faults: Fault[] = []
  if (query.length > MAX_QUERY_CHARACTERS) faults.push(fault('name', 'These filters are too long to be saved'))
  if (reports.length === 0) faults.push(fault('reports', 'Choose at least one report'))
  if (faults.length > 0) throw new Invalid(faults)
  return { name, query, reports }
}

function fault(field: string, msg: string): Fault {
  return { loc: ['body', field], msg, type: 'value_error' }
}

interface BoardFormShown {
  readonly action: string
  readonly board: Pick<Board, 'name' | 'reports'>
  /** The revision of the board that is changed. */
  readonly revision?: string
  readonly saved: readonly SavedQuestion[]
  /** The view whose period and filters are saved with the board. */
  readonly view: Pick<View, 'params'>
  readonly problem: PageProblem | null
  readonly button: string
}

/** Empty choices that a form offers beyond those that are made. */
const MORE_CHOICES = 4

export function BoardForm({ action, board, revision, saved, view, problem, button }: BoardFormShown) {
  const { length } = board.reports
  const choices = Array.from(
    { length: Math.min(MAX_REPORTS, length + MORE_CHOICES) },
    (_, place) => board.reports[place],
  )
  return (
    <form method="post" action={action} class="fields">
      <input type="hidden" name="query" value={boardQuery(view.params)} />
      {revision !== undefined && <input type="hidden" name="of" value={revision} />}
      <BoundField of={{ form: boardForm, body: board, problem, id: 'board' }} at="name" label="Name" />
      {choices.map((chosen, place) => (
        <Field
          label={`Report ${place + 1}`}
          id={`report-${place + 1}`}
          faults={place === 0 ? faultsOf(problem, 'reports') : []}
        >
          {(attributes) => (
            <select name="reports" {...attributes}>
              <option value="">none</option>
              {saved.map(({ name }) => (
                <option value={name} selected={name === chosen}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      ))}
      <div>
        <button type="submit">{button}</button>
      </div>
    </form>
  )
}
