import { OPERATORS } from '../../columns/selection/filter.ts'
import { labelOfOperator } from '../words/labels.ts'
import { type BoundAttributes, BoundField, FaultsOf, type ShownForm } from './bound-field.tsx'
import { PropertyOptions, type PropertyOptionsShown } from './field.tsx'
import { NAMES_LIST } from './question-form.tsx'

interface RowsShown {
  readonly of: ShownForm
  /** The list, as `conditions`, or a part of the form that one belongs to. */
  readonly at: string
}

/** The rows of a list, followed by `empty` rows for further items, as far as the contract has room. */
export function rowsOf({ form, body }: ShownForm, at: string, empty = 0): string[] {
  const filled = form.fill(body, at)
  const most = form.schemaAt(at)?.maxItems ?? Number.POSITIVE_INFINITY
  const length = Math.min(most, (Array.isArray(filled) ? filled.length : 0) + empty)
  return Array.from({ length }, (_, place) => `${at}.${place}`)
}

/** The button that Enter presses: the first one of a form whose rows have buttons of their own. */
export function SaveOnEnter() {
  return (
    <button type="submit" name="action" value="save" class="unseen" tabindex={-1}>
      Save
    </button>
  )
}

/** Nothing where the list is full. */
export function AddRow({ of, at, item }: RowsShown & { item: string }) {
  if (rowsOf(of, at, 1).length === rowsOf(of, at).length) return null
  return (
    <button type="submit" name="action" value={`add ${at}`} class="quiet" formnovalidate>
      {`Add ${item}`}
    </button>
  )
}

export function RemoveRow({ at, item, place }: Pick<RowsShown, 'at'> & { item: string; place: number }) {
  return (
    <button
      type="submit"
      name="action"
      value={`remove ${at} ${place}`}
      class="quiet"
      formnovalidate
      aria-label={`Remove ${item} ${place + 1}`}
    >
      Remove
    </button>
  )
}

/** An input that offers the names of events. */
export const EVENT_INPUT = { list: NAMES_LIST, dir: 'auto', isLong: true } as const

export const OPERATOR_OPTIONS = OPERATORS.map((operator) => [operator, labelOfOperator(operator)] as const)

interface FiltersShown extends RowsShown, Pick<PropertyOptionsShown, 'params' | 'hasUser'> {}

/** The filters of an event, and a row for a further one. */
export function FilterRows({ of, at, params, hasUser }: FiltersShown) {
  return (
    <fieldset>
      <legend>Where</legend>
      {rowsOf(of, at, 1).map((row) => (
        <div class="row">
          <BoundField of={of} at={`${row}.prop`} label="Property">
            {(attributes) => <PropertySelect {...attributes} unsaid="any" params={params} hasUser={hasUser} />}
          </BoundField>
          <BoundField of={of} at={`${row}.op`} label="Operator" options={OPERATOR_OPTIONS} />
          <BoundField of={of} at={`${row}.values`} label="Values, one per line" rows={1} />
        </div>
      ))}
      <FaultsOf of={of} at={at} />
    </fieldset>
  )
}

interface PropertyShown extends BoundAttributes, Pick<PropertyOptionsShown, 'params' | 'hasUser'> {
  readonly unsaid?: string
}

export function PropertySelect({ name, value, unsaid, params, hasUser, ...attributes }: PropertyShown) {
  return (
    <select name={name} {...attributes}>
      {unsaid && <option value="">{unsaid}</option>}
      <PropertyOptions params={params} hasUser={hasUser} chosen={value || undefined} />
    </select>
  )
}
