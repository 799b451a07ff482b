import { CONTEXT_PROPERTIES, labelOfProperty } from '../labels.ts'
import { Field, type FieldShown, faultsOf } from './field.tsx'
import type { PageProblem } from './problem.tsx'

export type Option = readonly [value: string, label: string]

/** The options of a select. */
export function Options({ options, chosen }: { options: readonly Option[]; chosen?: string | undefined }) {
  return options.map(([value, label]) => (
    <option value={value} selected={value === chosen}>
      {label}
    </option>
  ))
}

interface SelectShown extends Pick<FieldShown, 'label' | 'hint' | 'isLong'> {
  readonly name: string
  /** Its name by default. */
  readonly id?: string
  readonly value?: string | undefined
  readonly options: readonly Option[]
  readonly problem: PageProblem | null
}

/** A labelled field with a few answers. */
export function SelectField({ label, name, id = name, hint, isLong, value, options, problem }: SelectShown) {
  return (
    <Field label={label} id={id} hint={hint} isLong={isLong} faults={faultsOf(problem, name)}>
      {(attributes) => (
        <select name={name} {...attributes}>
          <Options options={options} chosen={value} />
        </select>
      )}
    </Field>
  )
}

interface PropertyOptionsShown {
  /** Parameters of events that occurred, as `params.<name>`. */
  readonly params: readonly string[]
  readonly chosen?: string | undefined
  /** How a property is written in an address; as it is by default. */
  readonly toValue?: (property: string) => string
}

/** The properties of an event, as the options of a select. One that is chosen but not known stays. */
export function PropertyOptions({ params, chosen, toValue = (property) => property }: PropertyOptionsShown) {
  const isListed = chosen === undefined || CONTEXT_PROPERTIES.includes(chosen) || params.includes(chosen)
  const toOptions = (properties: readonly string[]) =>
    properties.map((property) => [toValue(property), labelOfProperty(property)] as const)
  const value = chosen && toValue(chosen)
  return (
    <>
      <Options options={toOptions([...(isListed ? [] : [chosen]), ...CONTEXT_PROPERTIES])} chosen={value} />
      {params.length > 0 && (
        <optgroup label="Event parameters">
          <Options options={toOptions(params)} chosen={value} />
        </optgroup>
      )}
    </>
  )
}
