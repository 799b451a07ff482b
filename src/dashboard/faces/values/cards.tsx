import type { Child } from 'hono/jsx'
import { NONE } from '../../../columns/selection/filter.ts'
import { listPropertyValuesRoute } from '../../../questions/property-values/routes.ts'
import { Bars } from '../../figures/bars.tsx'
import { othersOf } from '../../figures/declared.ts'
import { chosenTab, Tabs } from '../../forms/tabs.tsx'
import { commonQuery, hrefTo, hrefWithFilter } from '../../request/address.ts'
import type { AnswerTo, ApplicationRequest } from '../../request/application-request.ts'
import { type Attempt, attempt, ProblemNote } from '../../request/problem.tsx'
import { toCount, toShare } from '../../words/format.ts'
import { labelOfValue } from '../../words/labels.ts'
import { rowsOfValues } from './rows.ts'

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
function flagsOn({ id }: HomeCard, { botId }: ApplicationRequest['application']): readonly string[] {
  return id !== 'devices' ? [] : botId === null ? ['is_premium'] : ['is_premium', 'verified']
}

/** So that users without a value are among them, however few they are. */
const LISTED = '1000'

type Values = AnswerTo<typeof listPropertyValuesRoute>

/** With users without a value, as the value `(none)`. */
function askForValues(property: string, { view, context }: ApplicationRequest): Promise<Attempt<Values>> {
  const query = { ...commonQuery(view), missing: 'true', limit: LISTED }
  return attempt(listPropertyValuesRoute.ask({ path: { property }, query }, context))
}

const ROWS = 8

/** Active users by their properties. `users`: all of them, of whom shares are shown. */
export function valueCards(request: ApplicationRequest, users: Promise<number>): Promise<Child[]> {
  return Promise.all(CARDS.map((card) => valueCard(card, request, users)))
}

/** A user of two countries is in both rows, so shares may add up to more than 100%. */
async function valueCard(card: HomeCard, request: ApplicationRequest, users: Promise<number>): Promise<Child> {
  const { id, title, tabs } = card
  const { view, application } = request
  const chosen = chosenTab(view, tabs)
  const [{ data, problem }, ...flags] = await Promise.all([
    askForValues(chosen.name, request),
    ...flagsOn(card, application).map((property) => drawFlag(property, request, users)),
  ])
  return (
    <section class="card tabbed" id={id}>
      <div class="heading">
        <h2>{title}</h2>
        {flags}
        <Tabs view={view} label={title} id={id} tabs={tabs} />
      </div>
      {problem ? (
        <ProblemNote problem={problem} />
      ) : (
        <ValueRows {...request} users={await users} tab={chosen} {...data} />
      )}
    </section>
  )
}

interface ValueRowsShown extends Pick<ApplicationRequest, 'view' | 'home'>, Values {
  readonly tab: CardTab
  readonly users: number
}

function ValueRows({ view, home, users, tab, data, total }: ValueRowsShown) {
  const { name: property, label, noun } = tab
  const [known, none] = [false, true].map((isNone) => data.filter(({ value }) => (value === NONE) === isNone))
  const shown = (known ?? []).slice(0, ROWS)
  const rows = [shown, none ?? []].flatMap((values) => rowsOfValues(view, home, { property, values }))
  if (rows.length === 0) return <p class="nothing">{`No ${noun} in this period.`}</p>
  const groups = { groups_total: total - (none?.length ?? 0) }
  const others = othersOf(groups, shown.length, hrefTo(view, `${home}/values`, { property }))
  return <Bars title={label} rows={rows} of="Users" whole={users} others={others} />
}

/** `Premium 6.6%`, with all of its values behind it. */
async function drawFlag(property: string, request: ApplicationRequest, users: Promise<number>): Promise<Child> {
  const { view, home } = request
  const { data } = await askForValues(property, request)
  const count = data?.data.find(({ value }) => value === 'true')?.users
  if (count === undefined) return null
  return (
    <span class="flag">
      <a href={hrefWithFilter(view, { prop: property, op: 'is', values: ['true'] })}>
        {labelOfValue(property, 'true')}
      </a>{' '}
      <a class="figure" href={hrefTo(view, `${home}/values`, { property })} title={`${toCount(count)} users`}>
        {toShare(count, await users)}
      </a>
    </span>
  )
}
