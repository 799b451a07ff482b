import { BoundField, type ShownForm, Variants } from '../../forms/bound-field.tsx'
import { valueAt } from '../../forms/form-of.ts'
import { EventNames } from '../../forms/question-form.tsx'
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
  const conditions = conditionsIn(of)
  const most = of.form.schemaAt('conditions')?.maxItems ?? conditions.length
  return (
    <form method="post" action={`${home}/cohorts`} class="card rows" id="cohort" data-rows>
      <h2>{valueAt(of.body, 'name') ? 'Edit or copy this cohort' : 'New cohort'}</h2>
      {/* The first button is the one that Enter presses. */}
      <button type="submit" name="action" value="save" class="unseen" tabindex={-1}>
        Save
      </button>
      <div class="row">
        <BoundField of={of} at="name" label="Name" />
        <BoundField of={of} at="match" label="Users who meet" options={MATCHES} />
      </div>
      {conditions.map((_, place) => (
        <Condition of={of} place={place} params={params} isOnly={conditions.length === 1} />
      ))}
      <div class="row">
        {conditions.length < most && (
          <button type="submit" name="action" value="add conditions" class="quiet" formnovalidate>
            Add condition
          </button>
        )}
        <button type="submit" name="action" value="save">
          Save cohort
        </button>
      </div>
      <EventNames names={names} hasAny />
    </form>
  )
}

function conditionsIn({ body }: ShownForm): readonly unknown[] {
  const conditions = valueAt(body, 'conditions')
  return Array.isArray(conditions) ? conditions : []
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
        {!isOnly && (
          <button
            type="submit"
            name="action"
            value={`remove conditions ${place}`}
            class="quiet"
            formnovalidate
            aria-label={`Remove condition ${place + 1}`}
          >
            Remove
          </button>
        )}
      </Variants>
    </fieldset>
  )
}
