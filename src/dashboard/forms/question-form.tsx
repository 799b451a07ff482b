import type { Child } from 'hono/jsx'
import { wordItems } from '../../http/list-params.ts'
import { ANY_EVENT } from '../../questions/engine/event-name.ts'
import type { View } from '../request/address.ts'
import type { PageProblem } from '../request/problem.tsx'
import { Field, type FieldShown, faultsOf, InputField, Options, PropertyOptions, SelectField } from './field.tsx'
import { OtherParams } from './filter-bar.tsx'

export interface QuestionFields {
  readonly view: View
  readonly names: readonly string[]
  readonly params: readonly string[]
  /** The names of cohorts that filters may use. */
  readonly cohorts: readonly string[]
  readonly problem: PageProblem | null
}

interface QuestionFormShown extends Pick<QuestionFields, 'view'> {
  /** Where it has an `EventInput`. */
  readonly names?: readonly string[]
  /** The parameters that the form itself sends, and those that mean nothing to its answer. */
  readonly own: readonly string[]
  /** Whether `ANY_EVENT` can be chosen. */
  readonly hasAny?: boolean
  /** Stands above the row of fields. */
  readonly above?: Child
  /** Further classes of the row. */
  readonly rowKind?: string
  /** The fields of the row. */
  readonly children: Child
}

/** A form that asks. It applies when a field changes; where no scripts run, by its button. */
export function QuestionForm({ view, own, names, hasAny = false, above, rowKind, children }: QuestionFormShown) {
  return (
    <form method="get" action={view.path} class="card question" data-here="">
      <OtherParams view={view} without={own} />
      {above}
      <div class={rowKind ? `row ${rowKind}` : 'row'}>
        {children}
        <button type="submit" class="apply">
          Apply
        </button>
      </div>
      {names && <EventNames names={names} hasAny={hasAny} />}
    </form>
  )
}

interface FieldsMenuShown {
  /** What is chosen, in words. */
  readonly label: string
  readonly isChosen: boolean
  readonly isOpen: boolean
  readonly isWide?: boolean
  readonly children: Child
}

/** Fields that make one choice together: they apply by a button, with or without scripts. */
export function FieldsMenu({ label, isChosen, isOpen, isWide = false, children }: FieldsMenuShown) {
  return (
    <details class="menu" open={isOpen}>
      <summary aria-current={isChosen ? 'true' : undefined}>{label}</summary>
      <div class={isWide ? 'panel wide' : 'panel'}>
        {children}
        <button type="submit">Apply</button>
      </div>
    </details>
  )
}

/** The names that `EventInput` offers. */
export function EventNames({ names, hasAny }: { names: readonly string[]; hasAny: boolean }) {
  return (
    <datalist id={NAMES_LIST}>
      {hasAny && <option value={ANY_EVENT}>Any event</option>}
      {names.map((name) => (
        <option value={name}></option>
      ))}
    </datalist>
  )
}

export const NAMES_LIST = 'event-names'

interface ChoiceShown extends Omit<Parameters<typeof SelectField>[0], 'value'> {
  readonly view: View
  readonly unsaid?: string
  readonly byDefault?: string
}

/** A select that keeps an unknown value of the address, so that people see what is wrong. */
export function Choice({ view, unsaid = '', byDefault, options, ...shown }: ChoiceShown) {
  const asked = view.params.get(shown.name) ?? ''
  const value = asked === '' || asked === byDefault ? unsaid : asked
  const isOffered = options.some(([offered]) => offered === value)
  return <SelectField {...shown} value={value} options={isOffered ? options : [...options, [value, value]]} />
}

/** With the names that occurred to choose from. */
export function EventInput(shown: Parameters<typeof InputField>[0]) {
  return <InputField list={NAMES_LIST} dir="auto" isLong {...shown} />
}

interface EventChoiceShown extends Partial<Pick<FieldShown, 'label' | 'faults'>> {
  readonly name: string
  readonly value: string
  readonly names: readonly string[]
  /** Whether these are all names; otherwise others can be typed. */
  readonly isAll: boolean
}

/** One of the names that occurred, or any event. One that did not occur stays. */
export function EventChoice({ label, name, value, names, isAll, faults = [] }: EventChoiceShown) {
  const isOffered = value === '' || value === ANY_EVENT || names.includes(value)
  return (
    <Field label={label ?? <span class="unseen">Event</span>} id={name} faults={faults} isLong>
      {(attributes) =>
        isAll ? (
          <select name={name} {...attributes}>
            {value === '' && <option value="">Choose an event</option>}
            <Options options={[[ANY_EVENT, 'Any event'], ...names.map((one) => [one, one] as const)]} chosen={value} />
            {!isOffered && (
              <option value={value} selected>
                {value}
              </option>
            )}
          </select>
        ) : (
          <input name={name} value={value} list={NAMES_LIST} dir="auto" autocomplete="off" {...attributes} />
        )
      }
    </Field>
  )
}
type GroupFields = Omit<QuestionFields, 'names'>

export function OneGroupPicker({ view, problem, ...offered }: GroupFields) {
  const faults = faultsOf(problem, 'group_by')
  return <GroupPicker label="Breakdown" id="group" chosen={groupsOf(view)[0]} faults={faults} {...offered} />
}

export function GroupPickers({ view, problem, ...offered }: GroupFields) {
  const [first, second] = groupsOf(view)
  const faults = faultsOf(problem, 'group_by')
  return (
    <>
      <GroupPicker label="Breakdown" id="group-1" chosen={first} faults={faults} {...offered} />
      <GroupPicker label="+ breakdown" id="group-2" chosen={second} faults={[]} {...offered} />
    </>
  )
}

interface GroupPickerShown
  extends Pick<FieldShown, 'label' | 'id' | 'faults'>,
    Pick<QuestionFields, 'params' | 'cohorts'> {
  readonly chosen: string | undefined
}

function GroupPicker({ chosen, params, cohorts, ...shown }: GroupPickerShown) {
  // A comma would make two properties of it.
  const toValue = (property: string) => (property.includes(',') ? JSON.stringify([property]) : property)
  return (
    <Field {...shown}>
      {(attributes) => (
        <select name="group_by" {...attributes}>
          <option value="">none</option>
          <PropertyOptions params={params} cohorts={cohorts} chosen={chosen} toValue={toValue} />
        </select>
      )}
    </Field>
  )
}

/** The properties by which an address groups, as the operations read them. */
export function groupsOf({ params }: Pick<View, 'params'>): string[] {
  return params.getAll('group_by').flatMap((text) => {
    try {
      return wordItems(text, false).filter((item) => typeof item === 'string')
    } catch {
      return []
    }
  })
}
