import { BoundField, type ShownForm, Variants } from '../../forms/bound-field.tsx'
import { valueAt } from '../../forms/form-of.ts'
import { EventNames } from '../../forms/question-form.tsx'
import { AddRow, RemoveRow, rowsOf, SaveOnEnter } from '../../forms/rows.tsx'
import { conditionVariants } from './condition.tsx'

const MATCHES = [
  ['all', 'all of these conditions'],
  ['any', 'any of these conditions'],
] as const

interface CohortFormShown {
  readonly home: string
  readonly of: ShownForm
  readonly names: readonly string[]
  /** The parameters of events, as `params.<name>`. */
  readonly params: readonly string[]
}

/** A cohort's rule in fields. Buttons add and remove conditions; a script does so without a new page. */
export function CohortForm({ home, of, names, params }: CohortFormShown) {
  const conditions = rowsOf(of, 'conditions')
  return (
    <form method="post" action={`${home}/cohorts`} class="card rows" id="cohort" data-rows>
      <h2>{valueAt(of.body, 'name') ? 'Edit or copy this cohort' : 'New cohort'}</h2>
      <SaveOnEnter />
      <div class="row">
        <BoundField of={of} at="name" label="Name" />
        <BoundField of={of} at="match" label="Users who meet" options={MATCHES} />
      </div>
      {conditions.map((_, place) => (
        <Condition of={of} place={place} params={params} isOnly={conditions.length === 1} />
      ))}
      <div class="row">
        <AddRow of={of} at="conditions" item="condition" />
        <button type="submit" name="action" value="save">
          Save cohort
        </button>
      </div>
      <EventNames names={names} hasAny />
    </form>
  )
}

interface ConditionShown extends Pick<CohortFormShown, 'of' | 'params'> {
  readonly place: number
  readonly isOnly: boolean
}

function Condition({ of, place, params, isOnly }: ConditionShown) {
  const at = `conditions.${place}`
  return (
    <fieldset class="condition">
      <legend>{`Condition ${place + 1}`}</legend>
      <Variants
        of={of}
        at={at}
        label="Type"
        byDefault="did"
        variants={conditionVariants({ of, at, params })}
        isOneAtATime
      >
        <button type="submit" name="action" value="edit" class="quiet" formnovalidate>
          Change type
        </button>
        {!isOnly && <RemoveRow at="conditions" item="condition" place={place} />}
      </Variants>
    </fieldset>
  )
}
