import { Field, InputField, type Option, Options, SelectField } from '../../forms/field.tsx'
import { conditionField } from '../../forms/fields-of-form.ts'
import { EventNames } from '../../forms/question-form.tsx'
import type { PageProblem } from '../../request/problem.tsx'
import { ConditionRows } from './condition.tsx'
import { type ConditionShown, Faults, faultsAt, wholeFaults } from './condition-fields.tsx'
import { type Draft, MAX_CONDITIONS, TYPES } from './draft.ts'

const MATCHES = [
  ['all', 'all of these conditions'],
  ['any', 'any of these conditions'],
] as const

interface CohortFormShown {
  readonly home: string
  readonly draft: Draft
  readonly problem: PageProblem | null
  readonly names: readonly string[]
  readonly params: readonly string[]
}

/** A cohort's rule in fields. Buttons add and remove conditions; a script does so without a new page. */
export function CohortForm({ home, draft, problem, names, params }: CohortFormShown) {
  const { name, match, conditions } = draft
  return (
    <form method="post" action={`${home}/cohorts`} class="card rows" id="cohort" data-rows>
      <h2>{name === '' ? 'New cohort' : 'Edit or copy this cohort'}</h2>
      {/* The first button is the one that Enter presses. */}
      <button type="submit" name="action" value="save" class="unseen" tabindex={-1}>
        Save
      </button>
      <div class="row">
        <InputField label="Name" name="name" value={name} required maxlength={100} problem={problem} />
        <SelectField label="Users who meet" name="match" value={match} options={MATCHES} problem={problem} />
      </div>
      {conditions.map((fields, place) => (
        <Condition place={place} fields={fields} problem={problem} params={params} isOnly={conditions.length === 1} />
      ))}
      <div class="row">
        {conditions.length < MAX_CONDITIONS && (
          <button type="submit" name="action" value="add" class="quiet" formnovalidate>
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

function Condition({ isOnly, ...shown }: ConditionShown & { isOnly: boolean }) {
  const { place, fields } = shown
  const type = fields.text('type')
  const options: readonly Option[] = TYPES.some(([known]) => known === type) ? TYPES : [[type, type], ...TYPES]
  const id = conditionField(place, 'type')
  return (
    <fieldset class="condition">
      <legend>{`Condition ${place + 1}`}</legend>
      <div class="row">
        <Field label="Type" id={id} faults={faultsAt(shown, 'type')}>
          {(attributes) => (
            <select name={id} data-edits {...attributes}>
              <Options options={options} chosen={type} />
            </select>
          )}
        </Field>
        <button type="submit" name="action" value="edit" class="quiet" formnovalidate>
          Change type
        </button>
        {!isOnly && (
          <button
            type="submit"
            name="action"
            value={`remove ${place}`}
            class="quiet"
            formnovalidate
            aria-label={`Remove condition ${place + 1}`}
          >
            Remove
          </button>
        )}
      </div>
      <Faults faults={wholeFaults(shown)} />
      <ConditionRows {...shown} />
    </fieldset>
  )
}
