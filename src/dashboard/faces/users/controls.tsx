import { MAX_PERIOD_DAYS } from '../../../base/time/period.ts'
import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { MAX_SEARCHED, type SortKey } from '../../../questions/users/contract.ts'
import { type Option, Options } from '../../forms/field.tsx'
import { Chip, OtherParams } from '../../forms/filter-bar.tsx'
import { EventNames, NAMES_LIST } from '../../forms/question-form.tsx'
import { SearchForm } from '../../forms/search.tsx'
import { hrefWith, toQuery, type View } from '../../request/address.ts'
import { flagValues, labelOfProperty, labelOfValue } from '../../words/labels.ts'
import { offeredValuesHref } from '../values/offered.ts'
import { USER_FILTERS } from './face.ts'
import type { Sorting } from './table.tsx'

/** The days in which users had the event that they are listed by. */
export const DID_DAYS = 30

export function offeredPeriod({ today }: Pick<View, 'today'>) {
  return toQuery({ from: today - MAX_PERIOD_DAYS + 1, to: today })
}

/** Filters whose values are typed, with the event property whose values are offered. */
const TYPED = [
  { name: 'country', property: 'country' },
  { name: 'city', property: 'city' },
  { name: 'language', property: 'language' },
  { name: 'utm', property: 'start_parameter' },
] as const

const ORDERS: Readonly<Record<SortKey, string>> = {
  last_active_at: 'Last seen',
  first_active_at: 'First seen',
  name: 'Name',
  total_events: 'Events',
  total_sessions: 'Client sessions',
  country: 'Country',
  city: 'City',
  language: 'Language',
  is_premium: 'Premium',
  provider: 'Wallet provider',
  curr_balance: 'Wallet balance',
  curr_volume: 'Wallet payments',
}

interface ControlsShown {
  readonly view: View
  readonly home: string
  readonly sorting: Sorting
  /** The names of the events of the last days. */
  readonly names: readonly string[]
}

export function UserControls({ view, home, sorting, names }: ControlsShown) {
  return (
    <div class="filters finding">
      <SearchForm
        action={view.path}
        name="search"
        label="Search by id, @username or name"
        value={view.params.get('search') ?? ''}
        maxlength={MAX_SEARCHED}
      >
        <OtherParams view={view} without={['search', 'offset']} />
      </SearchForm>
      <div class="chips">
        <DidMenu view={view} names={names} />
        <details class="menu">
          <summary>+ Filter</summary>
          <FilterForm view={view} home={home} />
        </details>
        <details class="menu">
          <summary>{`Sort: ${Object.hasOwn(ORDERS, sorting.sort_by) ? ORDERS[sorting.sort_by as SortKey] : sorting.sort_by}`}</summary>
          <SortForm view={view} sorting={sorting} />
        </details>
        <Chips view={view} />
      </div>
    </div>
  )
}

function DidMenu({ view, names }: Pick<ControlsShown, 'view' | 'names'>) {
  const did = view.params.get('did')
  return (
    <details class="menu">
      <summary aria-current={did === null ? undefined : 'true'}>{`Did event in ${DID_DAYS} days`}</summary>
      <form method="get" action={view.path} class="panel">
        <OtherParams view={view} without={['did', 'offset']} />
        <label>
          Event
          <input name="did" list={NAMES_LIST} dir="auto" autocomplete="off" required value={did ?? ''} />
        </label>
        <EventNames names={names} hasAny />
        <button type="submit">Apply</button>
      </form>
    </details>
  )
}

function Chips({ view }: Pick<ControlsShown, 'view'>) {
  const did = view.params.get('did')
  return (
    <>
      {did !== null && (
        <Chip
          text={`Did ${did === ANY_EVENT ? 'any event' : did}`}
          href={hrefWith(view, { did: null, offset: null })}
        />
      )}
      {USER_FILTERS.flatMap((name) =>
        view.params.getAll(name).map((value) => {
          const label = labelOfValue(name, value)
          const title = `${labelOfProperty(name)} is ${label}`
          const href = hrefWith(view, { [name]: null, offset: null })
          return <Chip text={name === 'is_premium' ? label : title} title={title} href={href} />
        }),
      )}
    </>
  )
}

function FilterForm({ view, home }: Pick<ControlsShown, 'view' | 'home'>) {
  return (
    <form method="get" action={view.path} class="panel">
      <OtherParams view={view} without={[...USER_FILTERS, 'offset']} />
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
      <Choice label="Premium" name="is_premium" chosen={view.params.get('is_premium') ?? ''} options={PREMIUM} />
      <button type="submit">Apply</button>
    </form>
  )
}

function valuesHref(view: View, home: string, property: string): string {
  const params = new URLSearchParams({ property, ...offeredPeriod(view) })
  return `${offeredValuesHref(home)}?${params}`
}

function SortForm({ view, sorting }: Pick<ControlsShown, 'view' | 'sorting'>) {
  return (
    <form method="get" action={view.path} class="panel">
      <OtherParams view={view} without={['sort_by', 'sort_order', 'offset']} />
      <Choice label="Sort by" name="sort_by" chosen={sorting.sort_by} options={Object.entries(ORDERS)} />
      <Choice label="Order" name="sort_order" chosen={sorting.sort_order} options={DIRECTIONS} />
      <button type="submit">Apply</button>
    </form>
  )
}

const PREMIUM: readonly Option[] = [
  ['', 'Any'],
  ...flagValues('is_premium').map((value) => [value, labelOfValue('is_premium', value)] as const),
]
const DIRECTIONS: readonly Option[] = [
  ['desc', 'Descending (newest, most)'],
  ['asc', 'Ascending (oldest, fewest)'],
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
