import type { Child } from 'hono/jsx'
import { NONE } from '../../../columns/selection/filter.ts'
import type { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import type { listPropertyValuesRoute } from '../../../questions/property-values/routes.ts'
import { Bars, rowsOfValues } from '../../figures/bars.tsx'
import { othersOf } from '../../figures/declared.ts'
import { chosenTab, Tabs } from '../../forms/tabs.tsx'
import { hrefTo, hrefWithFilter, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { type Attempt, ProblemNote } from '../../request/problem.tsx'
import { toCount, toShare } from '../../words/format.ts'
import { labelOfValue } from '../../words/labels.ts'

/** A property of users that a card can show. */
interface CardTab {
  readonly name: string
  readonly label: string
  /** What it has several of. */
  readonly noun: string
}

interface HomeCard {
  readonly id: string
  readonly title: string
  readonly tabs: readonly CardTab[]
}

const CARDS: readonly HomeCard[] = [
  {
    id: 'sources',
    title: 'Sources',
    tabs: [
      { name: 'start_parameter', label: 'Start parameter', noun: 'sources' },
      { name: 'referrer_type', label: 'Opened from', noun: 'chat types' },
    ],
  },
  {
    id: 'locations',
    title: 'Locations',
    tabs: [
      { name: 'country', label: 'Countries', noun: 'countries' },
      { name: 'city', label: 'Cities', noun: 'cities' },
      { name: 'language', label: 'Languages', noun: 'languages' },
    ],
  },
  {
    id: 'devices',
    title: 'Devices',
    tabs: [
      { name: 'device', label: 'Telegram client', noun: 'Telegram clients' },
      { name: 'os', label: 'OS', noun: 'operating systems' },
      { name: 'brand', label: 'Brand', noun: 'device brands' },
    ],
  },
]

/** The flags that stand on the card of devices. Without a bot id, nobody is verified. */
export function flagsShown({ botId }: { readonly botId: number | null }): readonly string[] {
  return botId === null ? ['is_premium'] : ['is_premium', 'verified']
}

/** The cards, each with the property of the tab that an address asks for. */
export function cardsOf(view: Pick<View, 'params'>) {
  return CARDS.map((card) => ({ ...card, chosen: chosenTab(view, card.tabs) }))
}

/** With users without a value, as the value `(none)`. */
export type CardValues = Attempt<AnswerTo<typeof listPropertyValuesRoute>>

export const ROWS = 8

interface Shown {
  readonly view: View
  readonly home: string
  /** Active users: the whole of the shares. */
  readonly users: number
}

interface PropertyCardShown extends Shown {
  readonly values: CardValues
  readonly card: ReturnType<typeof cardsOf>[number]
  readonly children?: Child
}

/** A user of two countries is in both rows, so shares may add up to more than 100%. */
export function PropertyCard({ card, values, view, home, users, children }: PropertyCardShown) {
  const { id, title, tabs, chosen } = card
  return (
    <section class="card tabbed" id={id}>
      <div class="heading">
        <h2>{title}</h2>
        {children}
        <Tabs view={view} label={title} id={id} tabs={tabs} />
      </div>
      {values.problem ? (
        <ProblemNote problem={values.problem} />
      ) : (
        <ValueRows view={view} home={home} users={users} tab={chosen} answer={values.data} />
      )}
    </section>
  )
}

interface ValueRowsShown extends Shown {
  readonly tab: CardTab
  readonly answer: AnswerTo<typeof listPropertyValuesRoute>
}

function ValueRows({ view, home, users, tab, answer }: ValueRowsShown) {
  const { name: property, label, noun } = tab
  const [known, none] = [false, true].map((isNone) => answer.data.filter(({ value }) => (value === NONE) === isNone))
  const shown = (known ?? []).slice(0, ROWS)
  const rows = [shown, none ?? []].flatMap((values) => rowsOfValues(view, home, { property, values }))
  if (rows.length === 0) return <p class="nothing">{`No ${noun} in this period.`}</p>
  const total = answer.total - (none?.length ?? 0)
  const others = othersOf({ groups_total: total }, shown.length, hrefTo(view, `${home}/values`, { property }))
  return <Bars title={label} rows={rows} of="Users" whole={users} others={others} />
}

interface EventsCardShown extends Pick<Shown, 'view' | 'home'> {
  readonly names: Attempt<AnswerTo<typeof listEventNamesRoute>>
}

export function EventsCard({ view, home, names }: EventsCardShown) {
  return (
    <section class="card" id="events">
      <div class="heading">
        <h2>Events</h2>
      </div>
      {names.problem ? <ProblemNote problem={names.problem} /> : <EventRows view={view} home={home} {...names.data} />}
    </section>
  )
}

function EventRows({ view, home, data, total }: Omit<EventsCardShown, 'names'> & AnswerTo<typeof listEventNamesRoute>) {
  const href = hrefTo(view, `${home}/events`)
  const rows = data.map(({ name, events }) => ({
    label: name,
    value: events,
    href: hrefTo(view, `${home}/events`, { event: name }),
    action: 'show trend',
  }))
  if (rows.length === 0) return <p class="nothing">No events in this period.</p>
  return <Bars title="Events" of="Events" rows={rows} others={othersOf({ groups_total: total }, rows.length, href)} />
}

interface FlagShown extends Shown {
  readonly property: string
  readonly values: CardValues
}

/** `Premium 6.6%`, with all of its values behind it. */
export function Flag({ view, home, users, property, values }: FlagShown) {
  const count = values.data?.data.find(({ value }) => value === 'true')?.users
  if (count === undefined) return null
  return (
    <span class="flag">
      <a href={hrefWithFilter(view, { prop: property, op: 'is', values: ['true'] })}>
        {labelOfValue(property, 'true')}
      </a>{' '}
      <a class="figure" href={hrefTo(view, `${home}/values`, { property })} title={`${toCount(count)} users`}>
        {toShare(count, users)}
      </a>
    </span>
  )
}
