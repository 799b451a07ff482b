import type { getAcquisitionRoute } from '../../../questions/acquisition/routes.ts'
import { COUNT, type Declared, PERCENT } from '../../figures/declared.ts'
import { Nothing } from '../../figures/empty.tsx'
import { type FigureColumn, FigureTable } from '../../figures/figure-table.tsx'
import { type UsersHref, usersHrefOf } from '../../figures/figure-users.ts'
import { Pagination } from '../../figures/pagination.tsx'
import type { AskedFields } from '../../forms/question-form.tsx'
import { hrefTo } from '../../request/address.ts'
import type { AnswerTo, ApplicationRequest } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'
import { labelOfProperty, labelOfValue, USER_PROPERTIES } from '../../words/labels.ts'
import { namedIn } from '../cell-words.ts'
import { type Face, faceOf, given } from '../face.ts'
import { questionPage } from '../question-page.tsx'
import { drawAcquisition } from './card.ts'
import { acquisition, byOf, figuresIn } from './question.ts'
import { findReferrals, Referrals } from './referrals.tsx'

const FORM: AskedFields = {
  by: {
    label: 'New users by',
    options: Object.fromEntries(USER_PROPERTIES.map((property) => [property, labelOfProperty(property)])),
  },
  activation_event: { label: 'Activation event', placeholder: 'Marks a user as activated', anyEvent: 'offered' },
  currency: { label: 'Currency', placeholder: 'Most used' },
}

type Answer = AnswerTo<typeof getAcquisitionRoute>
type Row = Answer['data'][number]

/** Where new users came from, and what became of them. */
function acquisitionPage(request: ApplicationRequest) {
  const { view, home, context } = request
  const query = acquisition.query(view)
  return questionPage(request, {
    title: 'Acquisition',
    question: acquisition,
    asking: attempt(Promise.all([acquisition.operation.ask({ query }, context), findReferrals(request)])),
    form: FORM,
    figures: ([answer, referrals]) => (
      <>
        <Figures view={view} home={home} answer={answer} />
        {answer.all.users > 0 && <Referrals view={view} home={home} {...referrals} />}
      </>
    ),
  })
}

interface FiguresShown extends Pick<ApplicationRequest, 'view' | 'home'> {
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
  const columns = columnsOf(
    answer,
    isActivation,
    usersHrefOf(home, acquisition.path, { ...acquisition.query(view), currency }),
  )
  return (
    <section class="card">
      <h2>New users</h2>
      <p class="hint">
        Users whose first event is in the period, and what they have done since. Figures marked as unusual are far above
        those of other groups and may indicate fake users.{' '}
        <a href={hrefTo(view, `${home}/settings/sources`)}>Say what start parameters mean</a>, or{' '}
        <a href={hrefTo(view, `${home}/acquisition/links`)}>build a link</a> whose users you can tell apart.
      </p>
      <FigureTable
        label="New users"
        kind="sources"
        of={labelOfProperty(by)}
        isTall
        rows={[all, ...data]}
        sizeOf={(row) => (row === all ? 0 : row.users)}
        nameOf={(row) => (row === all ? 'All' : <RowLinks view={view} home={home} by={by} row={row} />)}
        columns={columns}
      />
      <Pagination view={view} offset={offset} limit={limit} total={total} shown={data.length} />
    </section>
  )
}

interface RowLinksShown extends Pick<FiguresShown, 'view' | 'home'> {
  readonly by: string
  readonly row: Row
}

const OTHER_PAGES = [
  ['retention', 'Retention'],
  ['funnels', 'Funnel'],
] as const

/** Other pages about the users of a row alone. */
function RowLinks({ view, home, by, row: { name, unusual = [] } }: RowLinksShown) {
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
        {unusual.length > 0 && ' · Unusual'}
      </span>
    </>
  )
}

/** Without an activation event, nobody can be activated. Lists of users name those whom a figure counts as the answer names the figure. */
function columnsOf({ all, currency }: Answer, isActivation: boolean, usersHref: UsersHref): FigureColumn<Row>[] {
  const { activated, ...others } = figuresIn(currency)
  const { users, ...later } = others
  const shown: Partial<Record<keyof Row, Declared>> = isActivation ? { users, activated, ...later } : others
  return Object.entries(shown).map(([name, figure]) => ({
    ...figure,
    of: (row) => row[name as keyof typeof others],
    users: FIGURES.has(name)
      ? (row) => usersHref({ ...(row !== all && { group: row.name }), figure: name })
      : undefined,
    about: ({ unusual = [] }) => ({ remark: unusual.some((one) => one === name) ? 'unusual' : null }),
  }))
}

/** The figures that count users, as lists of these users name them. */
const FIGURES: ReadonlyMap<string, string> = new Map(
  Object.entries(figuresIn(''))
    .filter(([, { unit }]) => unit === COUNT || unit === PERCENT)
    .map(([name, { label }]) => [name, label.replace(/^Day/, 'Came back on day')]),
)

export const acquisitionFace: Face = faceOf(acquisition, {
  page: 'acquisition',
  navigation: { label: 'Acquisition', icon: 'door' },
  make: acquisitionPage,
  answers: { getAcquisition: ({ query }) => given(query, Object.keys(FORM)) },
  words: ({ cell }) => [namedIn(FIGURES, cell.figure, 'users')],
  draw: drawAcquisition,
  card: { breakdowns: (view) => [byOf(view)] },
})
