import type { Child } from 'hono/jsx'
import type { Schema } from '../../http/api/json-schema.ts'
import { wordItems } from '../../http/list-params.ts'
import { ANY_EVENT } from '../../questions/engine/event-name.ts'
import type { View } from '../request/address.ts'
import type { PageQuestion } from '../request/page-question.ts'
import type { PageProblem } from '../request/problem.tsx'
import { Field, type FieldShown, faultsOf, InputField, type Option, PropertyOptions, SelectField } from './field.tsx'
import { OtherParams } from './filter-bar.tsx'

export interface QuestionFields {
  readonly view: View
  readonly names: readonly string[]
  readonly params: readonly string[]
  /** The names of cohorts that filters may use. */
  readonly cohorts: readonly string[]
  readonly problem: PageProblem | null
}

/** A field of a form that asks. What it takes, and what it takes by default, is the contract's. */
interface AskedField {
  readonly label: string
  readonly placeholder?: string
  readonly isLong?: boolean
  /**
   * The words of its choices. What the operation takes by default is not sent; of a parameter of the page itself, the first one. An empty
   * choice stands for what the page takes by default in place of the operation.
   */
  readonly options?: Readonly<Record<string, string>>
  /** How an address says any event: as one of the names that are offered, or with an empty field. */
  readonly anyEvent?: 'offered' | 'empty'
}

/** The fields of a form that asks, by the names of their parameters. */
export type AskedFields = Readonly<Record<string, AskedField>>

/** One property or two, as many as the contract takes. */
export const BREAKDOWN: AskedFields = { group_by: { label: 'Breakdown' } }

interface QuestionFormShown extends QuestionFields {
  readonly question: Pick<PageQuestion, 'own' | 'schemaOf'>
  /** The fields that are declared. */
  readonly fields: AskedFields
  /** Further parameters that the form itself sends, and those that mean nothing to its answer. */
  readonly own?: readonly string[]
  /** Stands above the row of fields. */
  readonly above?: Child
  /** Whether any event can be chosen in what the form has besides declared fields. */
  readonly hasAny?: boolean
  /** Further classes of the row; a row of five declared fields has one anyway. */
  readonly rowKind?: string
  /** Stands in the row before the declared fields. */
  readonly children?: Child
}

/** A form that asks. It applies when a field changes; where no scripts run, by its button. */
export function QuestionForm({
  question,
  fields,
  own = [],
  hasAny,
  above,
  rowKind,
  children,
  ...offered
}: QuestionFormShown) {
  const { view, names } = offered
  const all = Object.entries(fields)
  const hasEvents = Boolean(above || children) || all.some(([name]) => isEvent(name))
  const kind = rowKind ?? (all.length === 5 ? 'five' : undefined)
  return (
    <form method="get" action={view.path} class="card question" data-here="">
      <OtherParams view={view} without={[...question.own, ...Object.keys(fields), ...own]} />
      {above}
      <div class={kind ? `row ${kind}` : 'row'}>
        {children}
        {all.map(([name, field]) => (
          <Asked name={name} field={field} schema={question.schemaOf(name)} {...offered} />
        ))}
        <button type="submit" class="apply">
          Apply
        </button>
      </div>
      {hasEvents && (
        <EventNames names={names} hasAny={hasAny || all.some(([, { anyEvent }]) => anyEvent === 'offered')} />
      )}
    </form>
  )
}

function isEvent(name: string): boolean {
  return name === 'event' || name.endsWith('_event')
}

interface AskedShown extends QuestionFields {
  readonly name: string
  readonly field: AskedField
  readonly schema: Schema | undefined
}

function Asked({ name, field: { anyEvent, options, ...field }, schema, view, problem, ...offered }: AskedShown) {
  const shared = { ...field, name, problem }
  const choices = options ? Object.entries(options) : numbersIn(schema)
  if (name === 'group_by') return <GroupPickers most={schema?.maxItems} view={view} problem={problem} {...offered} />
  const value = view.params.get(name) ?? ''
  if (choices) {
    const first = schema ? String(schema.default) : choices[0]?.[0]
    const unsaid = options && '' in options ? '' : first
    const toOption = ([choice, label]: Option) => [choice === unsaid ? '' : choice, label] as const
    return <Choice {...shared} value={value === unsaid ? '' : value} options={choices.map(toOption)} />
  }
  if (!isEvent(name)) return <InputField value={value} {...shared} />
  return <EventInput value={anyEvent === 'empty' && value === ANY_EVENT ? '' : value} {...shared} />
}

/** All numbers between the bounds of a parameter; undefined without bounds. */
function numbersIn({ minimum, maximum }: Schema = {}): readonly Option[] | undefined {
  if (minimum === undefined || maximum === undefined) return undefined
  return Array.from({ length: maximum - minimum + 1 }, (_, place) => [`${minimum + place}`, `${minimum + place}`])
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

/** A select that keeps an unknown value of the address, so that people see what is wrong. */
function Choice({ value = '', options, ...shown }: Parameters<typeof SelectField>[0]) {
  const isOffered = options.some(([offered]) => offered === value)
  return <SelectField {...shown} value={value} options={isOffered ? options : [...options, [value, value]]} />
}

/** With the names that occurred to choose from. */
export function EventInput(shown: Parameters<typeof InputField>[0]) {
  return <InputField list={NAMES_LIST} dir="auto" isLong {...shown} />
}

interface EventChoiceShown extends Pick<QuestionFields, 'names' | 'problem'> {
  readonly label: Child
  readonly name: string
  readonly value: string
  /** Whether these are all names; otherwise others can be typed. */
  readonly isAll: boolean
}

/** One of the names that occurred, or any event. One that did not occur stays. */
export function EventChoice({ names, isAll, ...shown }: EventChoiceShown) {
  if (!isAll) return <EventInput {...shown} />
  const unchosen = shown.value === '' ? [['', 'Choose an event'] as const] : []
  const options = [...unchosen, [ANY_EVENT, 'Any event'] as const, ...names.map((one) => [one, one] as const)]
  return <Choice {...shown} isLong options={options} />
}

interface GroupPickersShown extends QuestionFields {
  /** How many properties an address can group by. */
  readonly most: number | undefined
}

function GroupPickers({ view, problem, most = 1, ...offered }: GroupPickersShown) {
  const [first, second] = groupsOf(view)
  const faults = faultsOf(problem, 'group_by')
  const id = most === 1 ? 'group' : 'group-1'
  return (
    <>
      <GroupPicker label="Breakdown" id={id} chosen={first} faults={faults} {...offered} />
      {most > 1 && <GroupPicker label="+ breakdown" id="group-2" chosen={second} faults={[]} {...offered} />}
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
