import { MAX_GROUPS } from '../../../columns/selection/filter.ts'
import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { listPropertyValuesRoute } from '../../../questions/property-values/routes.ts'
import { aggregateUsersRoute } from '../../../questions/user-properties/routes.ts'
import { BarList } from '../../figures/bars.tsx'
import { othersOf } from '../../figures/declared.ts'
import { OtherParams } from '../../forms/filter-bar.tsx'
import { commonQuery, hrefTo } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { attempt, ProblemNote } from '../../request/problem.tsx'
import { labelOfProperty, labelOfValue } from '../../words/labels.ts'
import { textIn } from '../cell-words.ts'
import { type Face, given } from '../face.ts'
import { rowsOfValues } from './rows.ts'

const LIMIT = 500

async function valuesPage({ view, context, home }: ApplicationRequest) {
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
          title={title}
          of="Users"
          rows={rows}
          others={othersOf({ groups_total: answer.total }, rows.length)}
          nothing={
            contains === '' ? 'No values in this period. Choose a longer period.' : 'No values match this search.'
          }
        >
          <p class="more">
            <a href={hrefTo(view, `${home}/events`, { event: ANY_EVENT, group_by: property })}>
              Trend of the top {MAX_GROUPS}
            </a>
          </p>
        </BarList>
      </>
    ),
  }
}

function withoutOwn(params: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...params].filter(([name]) => !['property', 'contains'].includes(name)))
}

/** All values of a property. */
export const valuesFace: Face = {
  page: 'values',
  make: valuesPage,
  answers: {
    aggregateUsers: ({ query }) => [['property', query.get('aggregation_param') ?? 'language']],
    listPropertyValues: ({ path, query }) => [['property', path.property ?? ''], ...given(query, ['contains'])],
  },
  words: {
    [aggregateUsersRoute.contract.path]: ({ params, cell }) => {
      const property = params.get('aggregation_param') ?? 'language'
      return [labelOfProperty(property), textIn(cell.value) && labelOfValue(property, String(cell.value))]
    },
  },
}
