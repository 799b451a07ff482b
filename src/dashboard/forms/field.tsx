import type { Child, JSX } from 'hono/jsx'
import type { Fault } from '../../base/errors.ts'
import { COHORT } from '../../columns/selection/filter.ts'
import { inWords, type PageProblem } from '../request/problem.tsx'
import { CONTEXT_PROPERTIES, labelOfProperty, USER_PROPERTIES } from '../words/labels.ts'

export interface FieldShown {
  readonly label: Child
  readonly id: string
  readonly hint?: Child
  readonly faults: readonly string[]
  /** Whether it needs more room than other fields of its row. */
  readonly isLong?: boolean | undefined
  /** Makes the input, select or textarea; what it is told goes onto it. */
  readonly children: (attributes: FieldAttributes) => Child
}

interface FieldAttributes {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: 'true'
  readonly autofocus?: true
}

/** A labelled field of a form, with what is wrong beside it. The first that is wrong is where the page opens. */
export function Field({ label, id, hint, faults, isLong = false, children }: FieldShown) {
  const isWrong = faults.length > 0
  const described = [hint ? `${id}-hint` : '', isWrong ? `${id}-faults` : ''].filter(Boolean).join(' ')
  const attributes = {
    id,
    ...(isWrong && { 'aria-invalid': 'true' as const }),
    ...(described && { 'aria-describedby': described }),
    ...(isWrong && { autofocus: true as const }),
  }
  return (
    <div class={isLong ? 'field long' : 'field'}>
      <label for={id}>{label}</label>
      {children(attributes)}
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <FaultsOfField id={id} faults={faults} />
    </div>
  )
}

type InputAttributes = Omit<JSX.IntrinsicElements['input'], keyof FieldShown | 'name'>

/** With further attributes of the input. */
interface InputShown extends InputAttributes, Pick<FieldShown, 'label' | 'hint' | 'isLong'> {
  readonly name: string
  readonly id?: string
  readonly problem?: PageProblem | null
  readonly faults?: readonly string[]
}

export function InputField({ label, name, id = name, hint, isLong, problem = null, faults, ...input }: InputShown) {
  return (
    <Field label={label} id={id} hint={hint} isLong={isLong} faults={faults ?? faultsOf(problem, name)}>
      {(attributes) => <input name={name} autocomplete="off" {...input} {...attributes} />}
    </Field>
  )
}

export function FaultsOfField({ id, faults }: Pick<FieldShown, 'id' | 'faults'>) {
  if (faults.length === 0) return null
  return (
    <span class="fault" id={`${id}-faults`}>
      {faults.join('. ')}
    </span>
  )
}

/** The faults of a field, in the words of a form. `items` are the entered items of a list. */
export function faultsOf(problem: PageProblem | null, field: string, items: readonly string[] = []): string[] {
  return faultsIn(problem, field).map((fault) => {
    const place = fault.loc[2]
    const item = typeof place === 'number' ? items[place] : undefined
    return item === undefined ? inWords(fault) : ofItem(item, inWords(fault))
  })
}

/** What is wrong with one item of a list, which has a field of its own. */
export function faultsOfItem(problem: PageProblem | null, field: string, place: number): string[] {
  return faultsIn(problem, field)
    .filter(({ loc }) => loc[2] === place)
    .map(inWords)
}

/** What is wrong with a list as a whole. */
export function faultsOfList(problem: PageProblem | null, field: string): string[] {
  return faultsIn(problem, field)
    .filter(({ loc }) => typeof loc[2] !== 'number')
    .map(inWords)
}

function faultsIn(problem: PageProblem | null, field: string): readonly Fault[] {
  return (problem?.faults ?? []).filter(({ loc }) => loc[1] === field)
}

const ITEM_CHARACTERS = 30

/** A fault of one item of a list that is typed into one field. */
export function ofItem(item: string, fault: string): string {
  const characters = [...item]
  const start = characters.slice(0, ITEM_CHARACTERS).join('')
  return `“${start}${characters.length > ITEM_CHARACTERS ? '…' : ''}”: ${fault}`
}

export type Option = readonly [value: string, label: string]

export function Options({ options, chosen }: { options: readonly Option[]; chosen?: string | undefined }) {
  return options.map(([value, label]) => (
    <option value={value} selected={value === chosen}>
      {label}
    </option>
  ))
}

interface SelectShown extends Pick<FieldShown, 'label' | 'hint' | 'isLong'> {
  readonly name: string
  readonly id?: string
  readonly value?: string | undefined
  readonly options: readonly Option[]
  readonly problem: PageProblem | null
}

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

export interface PropertyOptionsShown {
  /** Parameters, as `params.<name>`. */
  readonly params: readonly string[]
  /** The names of cohorts, where they may be chosen, too. */
  readonly cohorts?: readonly string[]
  readonly chosen?: string | undefined
  /** Whether also those that belong to the user of an event; by default they do. */
  readonly hasUser?: boolean | undefined
  /** How a property is written in an address. */
  readonly toValue?: (property: string) => string
}

/** The properties of an event and of its user, as the options of a select. One that is chosen but not known stays. */
export function PropertyOptions({
  params,
  cohorts = [],
  chosen,
  hasUser = true,
  toValue = (property) => property,
}: PropertyOptionsShown) {
  const byCohort = cohorts.map((name) => `${COHORT}:${name}`)
  const isListed =
    chosen === undefined || [CONTEXT_PROPERTIES, USER_PROPERTIES, params, byCohort].some((all) => all.includes(chosen))
  const toOptions = (properties: readonly string[]) =>
    properties.map((property) => [toValue(property), labelOfProperty(property)] as const)
  const value = chosen && toValue(chosen)
  return (
    <>
      <Options options={toOptions([...(isListed ? [] : [chosen]), ...CONTEXT_PROPERTIES])} chosen={value} />
      {hasUser && (
        <optgroup label="Acquisition">
          <Options options={toOptions(USER_PROPERTIES)} chosen={value} />
        </optgroup>
      )}
      {cohorts.length > 0 && (
        <optgroup label="Cohorts">
          <Options options={cohorts.map((name, place) => [toValue(byCohort[place] ?? ''), name])} chosen={value} />
        </optgroup>
      )}
      {params.length > 0 && (
        <optgroup label="Event parameters">
          <Options options={toOptions(params)} chosen={value} />
        </optgroup>
      )}
    </>
  )
}
