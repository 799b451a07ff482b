import type { Handler } from 'hono'
import type { AppEnv } from '../../../http/context.ts'
import { analyzeFunnelRoute } from '../../../questions/funnels/routes.ts'
import { FUNNEL_PARAMS, funnelQuery, namesIn } from '../../../questions/saved/contract.ts'
import { groupsOf } from '../../forms/question-form.tsx'
import { applicationPage } from '../../frame/application-page.tsx'
import { offeredNames, questionPage } from '../../frame/question-page.tsx'
import { canonical } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { type Attempt, attempt } from '../../request/problem.tsx'
import { FunnelResult, isTrend } from './figures.tsx'
import { FunnelForm } from './form.tsx'
import { Guesses, guessFunnels } from './guesses.tsx'
import { askForFunnel, type FunnelFigures, MIN_STEPS, NEW_FUNNEL, queryOf } from './question.ts'
import { hrefOfFunnel, SavedRow, savedFunnels } from './saved.tsx'
import { askForTrend, type FunnelTrend } from './trend.tsx'
import { withWindowSeconds } from './window.ts'

const page = applicationPage(async (request) => {
  const { view, home, c } = request
  const steps = namesIn(view, 'events')
  const query = queryOf(view)
  const [saved, guesses] = await Promise.all([
    savedFunnels(request),
    steps.length === 0 ? guessFunnels(request, offeredNames(request)) : [],
  ])
  const [first] = saved
  if (steps.length === 0 && first && !view.params.has(NEW_FUNNEL)) return c.redirect(hrefOfFunnel(view, first))
  return questionPage(request, {
    title: 'Funnels',
    command: query ? { operation: analyzeFunnelRoute, query } : undefined,
    subject: steps.join(' → '),
    scripts: isTrend(view) ? ['plots.js'] : [],
    asking: query && askForPage(request),
    fields: FUNNEL_PARAMS,
    isNothing: (_, { names }) => steps.length === 0 && names.length === 0,
    form: (fields) => (
      <>
        <SavedRow view={view} saved={saved} />
        {steps.length === 0 && <Guesses view={view} guesses={guesses} />}
        {steps.length > 0 && steps.length < MIN_STEPS && (
          <p class="note">A funnel has at least two steps. Add the event that comes after this one.</p>
        )}
        <FunnelForm {...fields} />
      </>
    ),
    figures: (figures, { names, isAll }) => (
      <FunnelResult
        view={view}
        home={home}
        query={query ?? {}}
        properties={groupsOf(view)}
        names={names}
        unknown={new Set(isAll ? steps.filter((name) => !names.includes(name)) : [])}
        {...figures}
      />
    ),
  })
})

/** Conversion over time is asked for where it is drawn: on its own, and for each group. */
async function askForPage(
  request: ApplicationRequest,
): Promise<Attempt<FunnelFigures & { readonly trend: FunnelTrend | null }>> {
  const { view, context } = request
  const own = { ...queryOf(view) }
  const isDrawn = isTrend(view) || groupsOf(view).length > 0
  const ask = (days: object) => analyzeFunnelRoute.ask({ query: { ...own, ...days, ...funnelQuery(view) } }, context)
  const [figures, trend] = await Promise.all([askForFunnel(request), isDrawn ? attempt(askForTrend(view, ask)) : null])
  return figures.problem ? figures : { problem: null, data: { ...figures.data, trend: trend?.data ?? null } }
}

/** A form says the time span in a unit; the address says it in seconds. */
export const funnelsPage: Handler<AppEnv> = (c, next) => {
  const better = withWindowSeconds(new URL(c.req.url))
  if (better === null) return page(c, next)
  return c.redirect(canonical(better) ?? better.pathname + better.search)
}
