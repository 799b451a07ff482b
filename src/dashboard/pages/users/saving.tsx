import { cohortsOfFigures } from '../../../questions/user-cohorts/cohorts.ts'
import { MAX_COHORT_NAME_CHARACTERS } from '../../../questions/user-cohorts/contract.ts'
import { parseDefinition } from '../../../questions/user-cohorts/definition/contract.ts'
import { InputField } from '../../forms/field.tsx'
import { keptFields } from '../../forms/form-of.ts'
import type { ListedCondition } from './question.ts'

interface SavingShown {
  readonly home: string
  readonly words: readonly string[]
  readonly definition: string
}

export function SaveAsCohort({ home, words, definition }: SavingShown) {
  const { match, conditions }: { match: string; conditions: ListedCondition[] } = JSON.parse(definition)
  if (cohortsOfFigures(parseDefinition(definition)).length > 0) {
    return <p class="hint">These users depend on a cohort, so they cannot be saved as another one.</p>
  }
  return (
    <details class="menu saved">
      <summary>Save as cohort</summary>
      <form method="post" action={`${home}/cohorts`} class="panel">
        <input type="hidden" name="match" value={match} />
        {conditions.flatMap((condition, place) =>
          keptFields(`conditions.${place}`, condition).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          )),
        )}
        <InputField
          label="Name"
          name="name"
          required
          maxlength={MAX_COHORT_NAME_CHARACTERS}
          value={[...words.join(' · ')].slice(0, MAX_COHORT_NAME_CHARACTERS).join('')}
          hint="Its users are found anew whenever the cohort is used."
        />
        <button type="submit">Save</button>
      </form>
    </details>
  )
}
