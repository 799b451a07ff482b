import type { Child } from 'hono/jsx'
import { wordItems } from '../../http/list-params.ts'
import type { View } from '../address.ts'
import { Field, type FieldShown, faultsOf, PropertyOptions, SelectField } from './field.tsx'
import { OtherParams } from './filter-bar.tsx'
import type { PageProblem } from './problem.tsx'

/** What the form of a question is made of. */
export interface QuestionFields {
  readonly view: View
  /** The names that occurred. */
  readonly names: readonly string[]
  /** Parameters of events that occurred. */
  readonly params: readonly string[]
  readonly problem: PageProblem | null
}

interface QuestionFormShown extends Pick<QuestionFields, 'view' | 'names'> {
  /** The parameters that the form itself sends, and those that mean nothing to its answer. */
  readonly own: readonly string[]
  /** Whether any event can be asked for by a name that stands for it. */
  readonly hasAny?: boolean
  readonly children: Child
}

/** A form that asks: it leads to the address of its question. */
export function QuestionForm({ view, own, names, hasAny = false, children }: QuestionFormShown) {
  return (
    <form method="get" action={view.path} class="card question">
      <OtherParams view={view} without={own} />
      {children}
      <datalist id={NAMES_LIST}>
        {hasAny && <option value={ANY_EVENT}>Any event</option>}
        {names.map((name) => (
          <option value={name}></option>
        ))}
      </datalist>
    </form>
  )
}

const NAMES_LIST = 'event-names'

/** Stands for any event, where an operation takes that. */
export const ANY_EVENT = '_active'

interface ChoiceShown extends Omit<Parameters<typeof SelectField>[0], 'value'> {
  readonly view: View
  /** The option for an address that says nothing. */
  readonly unsaid?: string
  /** Another word of the address for the same. */
  readonly byDefault?: string
}

/** A field with a few answers. One of the address that is none of them stays, so that what is wrong can be seen. */
export function Choice({ view, unsaid = '', byDefault, options, ...shown }: ChoiceShown) {
  const asked = view.params.get(shown.name) ?? ''
  const value = asked === '' || asked === byDefault ? unsaid : asked
  const isOffered = options.some(([offered]) => offered === value)
  return <SelectField {...shown} value={value} options={isOffered ? options : [...options, [value, value]]} />
}

interface EventInputShown {
  readonly label: Child
  readonly name: string
  /** Its name, where that is unique on the page. */
  readonly id?: string
  readonly value: string
  readonly placeholder: string
  readonly isRequired?: boolean
  readonly faults: readonly string[]
}

/** A field for the name of an event. */
export function EventInput({ label, name, id = name, value, placeholder, isRequired, faults }: EventInputShown) {
  return (
    <Field label={label} id={id} faults={faults} isLong>
      {(attributes) => (
        <input
          name={name}
          list={NAMES_LIST}
          autocomplete="off"
          dir="auto"
          required={isRequired}
          placeholder={placeholder}
          value={value}
          {...attributes}
        />
      )}
    </Field>
  )
}

/** The event that a page is about. */
export function EventField({ view, problem }: Pick<QuestionFields, 'view' | 'problem'>) {
  return (
    <EventInput
      label="Event"
      name="event"
      value={view.params.get('event') ?? ''}
      placeholder="Choose an event"
      isRequired
      faults={faultsOf(problem, 'event')}
    />
  )
}

type GroupFields = Omit<QuestionFields, 'names'>

/** One property to group by, or none. */
export function OneGroupPicker({ view, params, problem }: GroupFields) {
  const faults = faultsOf(problem, 'group_by')
  return <GroupPicker label="Breakdown" id="group" chosen={groupsOf(view)[0]} params={params} faults={faults} />
}

/** Two properties to group by, each of which may be none. */
export function GroupPickers({ view, params, problem }: GroupFields) {
  const [first, second] = groupsOf(view)
  const faults = faultsOf(problem, 'group_by')
  return (
    <>
      <GroupPicker label="Breakdown" id="group-1" chosen={first} params={params} faults={faults} />
      <GroupPicker label="+ breakdown" id="group-2" chosen={second} params={params} faults={[]} />
    </>
  )
}

interface GroupPickerShown extends Pick<FieldShown, 'label' | 'id' | 'faults'>, Pick<QuestionFields, 'params'> {
  readonly chosen: string | undefined
}

function GroupPicker({ chosen, params, ...shown }: GroupPickerShown) {
  // A comma would make two properties of it.
  const toValue = (property: string) => (property.includes(',') ? JSON.stringify([property]) : property)
  return (
    <Field {...shown}>
      {(attributes) => (
        <select name="group_by" {...attributes}>
          <option value="">none</option>
          <PropertyOptions params={params} chosen={chosen} toValue={toValue} />
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

/** Operations tell of no more groups. */
export const MAX_GROUPS = 20
