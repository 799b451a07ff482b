import { Field, InputField, type Option, Options } from '../../forms/field.tsx'
import { conditionField } from '../../forms/fields-of-form.ts'
import { inWords, type PageProblem } from '../../request/problem.tsx'
import type { ConditionFields } from './draft.ts'

export interface ConditionShown {
  readonly place: number
  readonly fields: ConditionFields
  readonly problem: PageProblem | null
  /** Of events, as `params.<name>`. */
  readonly params: readonly string[]
}

/** What is wrong with a field of a condition, named as the operation names it. */
export function faultsAt({ place, problem }: Pick<ConditionShown, 'place' | 'problem'>, ...path: (string | number)[]) {
  const at = ['body', 'conditions', place, ...path]
  const found = problem?.faults.filter(({ loc }) => at.every((step, index) => loc[index] === step)) ?? []
  return [...new Set(found.map(inWords))]
}

interface ShownField extends ConditionShown {
  readonly name: string
  readonly label: string
  readonly path: readonly (string | number)[]
  readonly value?: string
}

export function Text({ name, label, path, value, ...shown }: ShownField & Partial<Parameters<typeof InputField>[0]>) {
  const { place, fields, problem, params, ...input } = shown
  const id = conditionField(place, name)
  const faults = faultsAt({ place, problem }, ...path)
  return <InputField {...input} label={label} name={id} value={value ?? fields.text(name)} faults={faults} />
}

export function Select({ name, label, path, value, options, ...shown }: ShownField & { options: readonly Option[] }) {
  const id = conditionField(shown.place, name)
  return (
    <Field label={label} id={id} faults={faultsAt(shown, ...path)}>
      {(attributes) => (
        <select name={id} {...attributes}>
          <Options options={options} chosen={value ?? shown.fields.text(name)} />
        </select>
      )}
    </Field>
  )
}

export function Lines({ name, label, path, hint, rows, ...shown }: ShownField & { hint: string; rows: number }) {
  const id = conditionField(shown.place, name)
  return (
    <Field label={label} id={id} hint={hint} faults={faultsAt(shown, ...path)}>
      {(attributes) => (
        <textarea name={id} rows={rows} autocapitalize="none" spellcheck={false} {...attributes}>
          {shown.fields.text(name)}
        </textarea>
      )}
    </Field>
  )
}

/** What is wrong with several fields together. */
export function wholeFaults({ place, problem }: ConditionShown, ...path: string[]): string[] {
  const length = 3 + path.length
  const found = problem?.faults.filter(({ loc }) => loc.length === length) ?? []
  return faultsAt({ place, problem: problem && { ...problem, faults: found } }, ...path)
}

export function Faults({ faults }: { faults: readonly string[] }) {
  if (faults.length === 0) return null
  return (
    <p class="fault" role="alert">
      {faults.join('. ')}
    </p>
  )
}
