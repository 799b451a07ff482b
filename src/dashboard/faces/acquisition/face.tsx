import { getAcquisitionRoute } from '../../../questions/acquisition/routes.ts'
import { Bar } from '../../figures/bars.tsx'
import { Nothing } from '../../figures/empty.tsx'
import { type UsersHref, usersHrefOf } from '../../figures/figure-users.ts'
import { Pagination } from '../../figures/pagination.tsx'
import { ListTable, NumberCell, numberColumn } from '../../figures/table.tsx'
import { InputField } from '../../forms/field.tsx'
import { Choice, EventInput, type QuestionFields, QuestionForm } from '../../forms/question-form.tsx'
import { commonQuery, hrefTo, ownQuery, type View } from '../../request/address.ts'
import type { AnswerTo, ApplicationRequest } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'
import { toAmount, toDuration, toFigure, toPercent } from '../../words/format.ts'
import { labelOfProperty, labelOfValue, USER_PROPERTIES } from '../../words/labels.ts'
import { namedIn } from '../cell-words.ts'
import { cardReport, type Face, given } from '../face.ts'
import { questionPage } from '../question-page.tsx'
import { drawAcquisition } from './card.ts'
import { acquisitionQuery, BY_SOURCE, byOf, FIELDS, OWN_PARAMS } from './question.ts'
import { findReferrals, Referrals } from './referrals.tsx'

const BY_OPTIONS = USER_PROPERTIES.map((property) => [property, labelOfProperty(property)] as const)

type Answer = AnswerTo<typeof getAcquisitionRoute>
type Row = Answer['data'][number]

/** Where new users came from, and what became of them. */
function acquisitionPage(request: ApplicationRequest) {
  const { view, home, context } = request
  const query = acquisitionQuery(view)
  return questionPage(request, {
    title: 'Acquisition',
    command: { operation: getAcquisitionRoute, query },
    asking: attempt(Promise.all([getAcquisitionRoute.ask({ query }, context), findReferrals(request)])),
    fields: FIELDS,
    form: AcquisitionForm,
    figures: ([answer, referrals]) => (
      <>
        <Figures view={view} home={home} answer={answer} />
        {answer.all.users > 0 && <Referrals view={view} home={home} {...referrals} />}
      </>
    ),
  })
}

function AcquisitionForm({ view, names, problem }: QuestionFields) {
  const asked = (name: string) => view.params.get(name) ?? ''
  return (
    <QuestionForm view={view} own={OWN_PARAMS} names={names} hasAny>
      <Choice view={view} label="New users by" name="by" unsaid={BY_SOURCE} options={BY_OPTIONS} problem={problem} />
      <EventInput
        label="Activation event"
        name="activation_event"
        value={asked('activation_event')}
        placeholder="Marks a user as activated"
        problem={problem}
      />
      <InputField
        label="Currency"
        name="currency"
        value={asked('currency')}
        placeholder="Most used"
        problem={problem}
      />
    </QuestionForm>
  )
}

interface FiguresShown {
  readonly view: View
  readonly home: string
  readonly answer: Answer
}

function Figures({ view, home, answer }: FiguresShown) {
  const { all, data, currency, offset, limit, total } = answer
  if (all.users === 0) {
    return (
      <Nothing view={view} title="No new users in this period">
        {view.filters.length > 0
          ? 'No first event on these days passes the filters.'
          : 'No user had their first event on these days. Choose a longer period.'}
      </Nothing>
    )
  }
  const by = byOf(view)
  const isActivation = view.params.has('activation_event')
  const most = Math.max(...data.map(({ users }) => users), 1)
  const asked = { ...commonQuery(view), ...ownQuery(view, OWN_PARAMS), currency }
  const usersHref = usersHrefOf(home, '/acquisition', asked)
  return (
    <section class="card">
      <h2>New users</h2>
      <p class="hint">
        Users whose first event is in the period, and what they have done since. Figures marked as unusual are far above
        those of other groups and may indicate fake users.{' '}
        <a href={hrefTo(view, `${home}/settings/sources`)}>Say what start parameters mean</a>, or{' '}
        <a href={hrefTo(view, `${home}/acquisition/links`)}>build a link</a> whose users you can tell apart.
      </p>
      <ListTable
        label="New users"
        kind="sources"
        columns={columnsOf(labelOfProperty(by), currency, isActivation)}
        isTall
      >
        <tr>
          <th scope="row">All</th>
          <Cells row={all} usersHref={usersHref} isActivation={isActivation} />
        </tr>
        {data.map((row) => (
          <tr>
            <th scope="row">
              <Bar part={row.users} whole={most} />
              <RowLinks view={view} home={home} by={by} name={row.name} isUnusual={Boolean(row.unusual?.length)} />
            </th>
            <Cells row={row} usersHref={(at) => usersHref({ ...at, group: row.name })} isActivation={isActivation} />
          </tr>
        ))}
      </ListTable>
      <Pagination view={view} offset={offset} limit={limit} total={total} shown={data.length} />
    </section>
  )
}

interface RowLinksShown extends Pick<FiguresShown, 'view' | 'home'> {
  readonly by: string
  readonly name: string
  readonly isUnusual: boolean
}

const OTHER_PAGES = [
  ['retention', 'Retention'],
  ['funnels', 'Funnel'],
] as const

/** Other pages about the users of a row alone. */
function RowLinks({ view, home, by, name, isUnusual }: RowLinksShown) {
  const filters = [...view.filters, JSON.stringify({ prop: by, op: 'is', values: [name] })]
  const label = labelOfValue(by, name)
  return (
    <>
      <a href={hrefTo(view, home, { filters })}>
        <bdi>{label}</bdi>
      </a>
      <span class="hint">
        {OTHER_PAGES.map(([page, title], index) => (
          <>
            {index > 0 && ' · '}
            <a href={hrefTo(view, `${home}/${page}`, { filters })} aria-label={`${title} of ${label}`}>
              {title}
            </a>
          </>
        ))}
        {isUnusual && ' · Unusual'}
      </span>
    </>
  )
}

/** What the figures are, and what a pointer over their heads says. */
function columnsOf(by: string, currency: string, isActivation: boolean) {
  const heads: readonly (readonly [label: string, hint: string])[] = [
    ['Users', 'New users of the period'],
    ...(isActivation ? ([['Activated', 'Had the activation event']] as const) : []),
    ['Day 1', 'Came back a day after their first, of those for whom that day is over'],
    ['Day 7', 'Came back 7 days after their first, of those for whom that day is over'],
    ['Day 30', 'Came back 30 days after their first, of those for whom that day is over'],
    ['Payers', 'Have paid since'],
    [`Net, ${currency}`, 'What they have paid since, without refunds'],
    ['One event only', 'Never had a second event'],
    ['Peak per minute', 'The most new users in one minute'],
    ['Sessions per user', 'Since their first event'],
    ['Median session', 'Half of their sessions are shorter'],
    ['Premium', 'Have Telegram Premium'],
    ['Verified', 'Their messenger vouches for who they are'],
  ]
  return [by, ...heads.map(([label, hint]) => numberColumn(<span title={hint}>{label}</span>))]
}

interface CellsShown {
  readonly row: Row
  readonly usersHref: UsersHref
  readonly isActivation: boolean
}

/** In the order of the columns. */
function Cells({ row, usersHref, isActivation }: CellsShown) {
  const unusual = new Set<string>(row.unusual)
  return (
    <>
      <NumberCell value={row.users} users={usersHref({ figure: 'users' })} />
      {isActivation && <Share percent={row.activated} users={usersHref({ figure: 'activated' })} />}
      <Share percent={row.d1} users={usersHref({ figure: 'd1' })} />
      <Share percent={row.d7} users={usersHref({ figure: 'd7' })} />
      <Share percent={row.d30} users={usersHref({ figure: 'd30' })} />
      <Share percent={row.payers} users={usersHref({ figure: 'payers' })} />
      <NumberCell value={row.net} text={toAmount(row.net)} />
      <Share
        percent={row.single_event}
        users={usersHref({ figure: 'single_event' })}
        isUnusual={unusual.has('single_event')}
      />
      <NumberCell
        value={row.peak_per_minute}
        text={unusual.has('peak_per_minute') ? `${row.peak_per_minute} (unusual)` : String(row.peak_per_minute)}
      />
      <Figure value={row.sessions_per_user} toText={toFigure} />
      <Figure value={row.median_session_seconds} toText={toDuration} />
      <Share percent={row.premium} users={usersHref({ figure: 'premium' })} />
      <Share percent={row.verified} users={usersHref({ figure: 'verified' })} />
    </>
  )
}

interface ShareShown {
  readonly percent: number | null
  readonly users: string
  readonly isUnusual?: boolean
}

function Share({ percent, users, isUnusual = false }: ShareShown) {
  if (percent === null) return <td class="number">–</td>
  const text = toPercent(percent)
  return <NumberCell value={percent} text={isUnusual ? `${text} (unusual)` : text} users={users} />
}

/** Null where there is nothing to count. */
function Figure({ value, toText }: { value: number | null; toText: (value: number) => string }) {
  return value === null ? <td class="number">–</td> : <NumberCell value={value} text={toText(value)} />
}

const FIGURES: ReadonlyMap<string, string> = new Map([
  ['users', 'New users'],
  ['activated', 'Activated'],
  ['d1', 'Came back on day 1'],
  ['d7', 'Came back on day 7'],
  ['d30', 'Came back on day 30'],
  ['verified', 'Verified'],
  ['premium', 'Premium'],
  ['single_event', 'Single event'],
  ['payers', 'Payers'],
])

export const acquisitionFace: Face = {
  page: 'acquisition',
  navigation: { label: 'Acquisition', icon: 'door', isReport: true },
  make: acquisitionPage,
  answers: { getAcquisition: ({ query }) => given(query, FIELDS) },
  words: { [getAcquisitionRoute.contract.path]: ({ cell }) => [namedIn(FIGURES, cell.figure, 'users')] },
  card: {
    ask: (view) =>
      cardReport(getAcquisitionRoute, acquisitionQuery(view), (answer) => drawAcquisition(answer, byOf(view))),
    breakdowns: (view) => [byOf(view)],
  },
}
