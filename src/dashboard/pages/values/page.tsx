import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { listPropertyValuesRoute } from '../../../questions/property-values/routes.ts'
import { commonQuery, hrefTo } from '../../address.ts'
import { applicationPage } from '../../application-page.tsx'
import { BarList, rowsOfValues } from '../../components/bars.tsx'
import { OtherParams } from '../../components/filter-bar.tsx'
import { toCount } from '../../format.ts'
import { labelOfProperty } from '../../labels.ts'
import { attempt, ProblemNote } from '../../problem.tsx'

const LIMIT = 500

export const valuesPage = applicationPage(async ({ view, context, home }) => {
  const property = view.params.get('property') ?? ''
  const contains = view.params.get('contains') ?? ''
  const query = { ...commonQuery(view), contains, limit: String(LIMIT) }
  const { data: answer, problem } = await attempt(listPropertyValuesRoute.ask({ path: { property }, query }, context))
  const title = labelOfProperty(property)
  if (problem) return { title, status: problem.status, content: <ProblemNote problem={problem} /> }
  const overview = { ...view, path: home, params: withoutOwn(view.params) }
  const rows = rowsOfValues(overview, home, { property, values: answer.data })
  return {
    title,
    content: (
      <>
        <form method="get" action={view.path} class="row">
          <OtherParams view={view} without={['contains']} />
          <label>
            Search values
            <input type="search" name="contains" value={contains} />
          </label>
          <button type="submit" class="quiet">
            Search
          </button>
        </form>
        <BarList
          title={answer.total > rows.length ? `${title}: ${toCount(rows.length)} of ${toCount(answer.total)}` : title}
          of="Users"
          rows={rows}
          nothing={
            contains === '' ? 'No values in this period. Choose a longer period.' : 'No values match this search.'
          }
        >
          <p class="more">
            <a href={hrefTo(view, `${home}/events`, { event: ANY_EVENT, group_by: property })}>Trend of the top 20</a>
          </p>
        </BarList>
      </>
    ),
  }
})

function withoutOwn(params: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...params].filter(([name]) => !['property', 'contains'].includes(name)))
}
