import { SORT_KEYS, type SortKey } from '../../../questions/users/contract.ts'
import { hrefWith, toQuery, type View } from '../../address.ts'
import { type Option, Options } from '../../components/field.tsx'
import { Chip, OtherParams } from '../../components/filter-bar.tsx'
import { flagValues, labelOfProperty, labelOfValue } from '../../labels.ts'
import { offeredValuesHref } from '../../property-values.ts'

export const USER_FILTERS = ['country', 'city', 'language', 'utm', 'is_premium'] as const

/** Filters whose values are typed, with the event property whose values are offered. */
const TYPED = [
  { name: 'country', property: 'country' },
  { name: 'city', property: 'city' },
  { name: 'language', property: 'language' },
  { name: 'utm', property: 'start_parameter' },
] as const

const ORDERS: Readonly<Record<SortKey, string>> = {
  total_events: 'Events',
  total_sessions: 'Sessions',
  country: 'Country',
  city: 'City',
  language: 'Language',
  is_premium: 'Premium',
  provider: 'Wallet provider',
  curr_balance: 'Wallet balance',
  curr_volume: 'Wallet payments',
  name: 'Name',
  first_active_at: 'First seen',
  last_active_at: 'Last seen',
}

/** The longest period of a question. */
const OFFERED_DAYS = 366

export function offeredPeriod({ today }: View) {
  return toQuery({ from: today - OFFERED_DAYS + 1, to: today })
}

function valuesHref(view: View, home: string, property: string): string {
  const params = new URLSearchParams({ property, ...offeredPeriod(view) })
  return `${offeredValuesHref(home)}?${params}`
}

export interface Sorting {
  readonly sort_by: string
  readonly sort_order: string
}

interface ControlsShown {
  readonly view: View
  readonly home: string
  readonly sorting: Sorting
  readonly wrongId: string | null
}

export function UserControls({ wrongId, ...shown }: ControlsShown) {
  return (
    <>
      <div class="filters">
        <div class="chips">
          <Chips view={shown.view} />
          <details class="menu">
            <summary>Filter and sort</summary>
            <Choices {...shown} />
          </details>
        </div>
        <Finder view={shown.view} wrongId={wrongId} />
      </div>
      <p class="hint">
        All users ever seen, with their latest properties. The period and filters of other pages do not apply here.
      </p>
    </>
  )
}

function Chips({ view }: { view: View }) {
  return USER_FILTERS.flatMap((name) =>
    view.params.getAll(name).map((value) => {
      const label = labelOfValue(name, value)
      const title = `${labelOfProperty(name)} is ${label}`
      const href = hrefWith(view, { [name]: null, offset: null })
      return <Chip text={name === 'is_premium' ? label : title} title={title} href={href} />
    }),
  )
}

function Choices({ view, home, sorting }: Omit<ControlsShown, 'wrongId'>) {
  const premium = view.params.get('is_premium') ?? ''
  return (
    <form method="get" action={view.path} class="panel">
      <OtherParams view={view} without={[...USER_FILTERS, 'sort_by', 'sort_order', 'offset', 'telegram_id']} />
      {TYPED.map(({ name, property }) => (
        <label>
          {labelOfProperty(name)}
          <input
            name={name}
            list={`values-of-${name}`}
            data-values={valuesHref(view, home, property)}
            autocomplete="off"
            value={view.params.get(name) ?? ''}
          />
          <datalist id={`values-of-${name}`}></datalist>
        </label>
      ))}
      <Choice label="Premium" name="is_premium" chosen={premium} options={PREMIUM} />
      <div class="row">
        <Choice label="Sort by" name="sort_by" chosen={sorting.sort_by} options={SORTINGS} />
        <Choice label="Order" name="sort_order" chosen={sorting.sort_order} options={DIRECTIONS} />
      </div>
      <button type="submit">Apply</button>
    </form>
  )
}

const PREMIUM: readonly Option[] = [
  ['', 'Any'],
  ...flagValues('is_premium').map((value) => [value, labelOfValue('is_premium', value)] as const),
]
const SORTINGS: readonly Option[] = SORT_KEYS.map((key) => [key, ORDERS[key]])
const DIRECTIONS: readonly Option[] = [
  ['desc', 'Largest first'],
  ['asc', 'Smallest first'],
]

interface ChoiceShown {
  readonly label: string
  readonly name: string
  readonly chosen: string
  readonly options: readonly Option[]
}

function Choice({ label, name, chosen, options }: ChoiceShown) {
  return (
    <label>
      {label}
      <select name={name}>
        <Options options={options} chosen={chosen} />
      </select>
    </label>
  )
}

function Finder({ view, wrongId }: Pick<ControlsShown, 'view' | 'wrongId'>) {
  const isWrong = wrongId !== null
  return (
    <search class="finder">
      <form method="get" action={view.path}>
        <OtherParams view={view} without={['telegram_id']} />
        <input
          name="telegram_id"
          inputmode="numeric"
          autocomplete="off"
          required
          placeholder="User id"
          aria-label="Search by user id"
          value={wrongId ?? ''}
          aria-invalid={isWrong ? 'true' : undefined}
          aria-describedby={isWrong ? 'wrong-id' : undefined}
        />
        <button type="submit" class="quiet">
          Search
        </button>
      </form>
      {isWrong && (
        <p class="fault" id="wrong-id">
          A user id is a number, such as 7234567890.
        </p>
      )}
    </search>
  )
}
