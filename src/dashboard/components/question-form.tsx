import type { Child } from 'hono/jsx'
import { wordItems } from '../../http/list-params.ts'
import type { PageContent } from '../application-page.tsx'
import type { View } from '../view.ts'
import { Field, type FieldAttributes, faultsOf } from './field.tsx'
import { OtherParams } from './filter-bar.tsx'
import { type PageProblem, ProblemNote } from './problem.tsx'
import { PropertyOptions, SelectField } from './select.tsx'

interface QuestionAsked extends Pick<PageContent, 'title' | 'scripts' | 'from'> {
  readonly form: Child
  /** Why it cannot be answered, if so. */
  readonly problem: PageProblem | null
  /** Its parameters that have a field in the form: what stands beside those is not said twice. */
  readonly fields: readonly string[]
  readonly figures: Child
}

/** The page of a question: its form, and its answer or what is wrong with it. */
export function questionPage({ form, problem, fields, figures, ...page }: QuestionAsked): PageContent {
  const faults = problem?.faults.filter(({ loc }) => !fields.includes(String(loc[1]))) ?? []
  return {
    ...page,
    status: problem?.status,
    content: (
      <>
        {form}
        {problem && <ProblemNote problem={{ ...problem, faults }} />}
        {figures}
      </>
    ),
  }
}

interface QuestionFormShown {
  readonly view: View
  /** The parameters that the form itself sends, and those that mean nothing to its answer. */
  readonly own: readonly string[]
  /** The names that occurred, for its fields to offer. */
  readonly names: readonly string[]
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

/** A field with a few answers. One of the address that is none of them stays, so that what is wrong can be seen. */
export function Choice({ value, options, ...shown }: Parameters<typeof SelectField>[0] & { value: string }) {
  const isOffered = options.some(([offered]) => offered === value)
  const all = isOffered ? options : [...options, [value, value] as const]
  return <SelectField {...shown} value={value} options={all} />
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
export function EventField({ view, problem }: { view: View; problem: PageProblem | null }) {
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

interface GroupPickersShown {
  readonly view: View
  /** Parameters of events that occurred. */
  readonly params: readonly string[]
  readonly problem: PageProblem | null
}

/** One property to group by, or none. */
export function OneGroupPicker({ view, params, problem }: GroupPickersShown) {
  return (
    <Field label="Breakdown" id="group" faults={faultsOf(problem, 'group_by')}>
      {(attributes) => <GroupPicker attributes={attributes} chosen={groupsOf(view)[0]} params={params} />}
    </Field>
  )
}

/** Two properties to group by, each of which may be none. */
export function GroupPickers({ view, params, problem }: GroupPickersShown) {
  const [first, second] = groupsOf(view)
  const faults = faultsOf(problem, 'group_by')
  return (
    <>
      <Field label="Breakdown" id="group-1" faults={faults}>
        {(attributes) => <GroupPicker attributes={attributes} chosen={first} params={params} />}
      </Field>
      <Field label="+ breakdown" id="group-2" faults={[]}>
        {(attributes) => <GroupPicker attributes={attributes} chosen={second} params={params} />}
      </Field>
    </>
  )
}

interface GroupPickerShown {
  readonly attributes: FieldAttributes
  readonly chosen: string | undefined
  readonly params: readonly string[]
}

function GroupPicker({ attributes, chosen, params }: GroupPickerShown) {
  // A comma would make two properties of it.
  const toValue = (property: string) => (property.includes(',') ? JSON.stringify([property]) : property)
  return (
    <select name="group_by" {...attributes}>
      <option value="">none</option>
      <PropertyOptions params={params} chosen={chosen} toValue={toValue} />
    </select>
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
