import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../../../http/context.ts'
import type { QueryParams } from '../../../http/params.ts'
import { STEPS } from '../../../questions/funnels/contract.ts'
import { namesIn } from '../../../questions/funnels/saved.ts'
import { jsonIn, usersHrefOf } from '../../figures/figure-users.ts'
import { groupsOf } from '../../forms/question-form.tsx'
import { canonical, type View } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { type Attempt, attempt } from '../../request/problem.tsx'
import { type Face, faceOf } from '../face.ts'
import { questionPage } from '../question-page.tsx'
import { drawFunnel } from './card.ts'
import { FunnelResult, isTrend } from './figures.tsx'
import { FunnelForm } from './form.tsx'
import { Guesses, guessFunnels } from './guesses.tsx'
import { askForFunnel, type FunnelFigures, funnel, NEW_FUNNEL } from './question.ts'
import { hrefOfFunnel, SavedRow, savedFunnels } from './saved.tsx'
import { askForTrend, type FunnelTrend } from './trend.tsx'
import { withWindowSeconds } from './window.ts'

async function funnelsPage(request: ApplicationRequest) {
  const { view, home, c } = request
  const steps = namesIn(view, 'events')
  const query = funnel.query(view)
  const [saved, guesses] = await Promise.all([savedFunnels(request), steps.length === 0 ? guessFunnels(request) : []])
  const [first] = saved
  if (steps.length === 0 && first && !view.params.has(NEW_FUNNEL)) return c.redirect(hrefOfFunnel(view, first))
  return questionPage(request, {
    title: 'Funnels',
    question: funnel,
    subject: steps.join(' → '),
    scripts: isTrend(view) ? ['plots.js'] : [],
    asking: query && askForPage(request),
    isNothing: (_, { names }) => steps.length === 0 && names.length === 0,
    form: (fields) => (
      <>
        <SavedRow view={view} saved={saved} />
        {steps.length === 0 && <Guesses view={view} guesses={guesses} />}
        {steps.length > 0 && steps.length < STEPS.min && (
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
        usersHref={usersHrefOf(home, funnel.path, query ?? {})}
        names={names}
        unknown={new Set(isAll ? steps.filter((name) => !names.includes(name)) : [])}
        {...figures}
      />
    ),
  })
}

/** Conversion over time is asked for where it is drawn: on its own, and for each group. */
async function askForPage(
  request: ApplicationRequest,
): Promise<Attempt<FunnelFigures & { readonly trend: FunnelTrend | null }>> {
  const { view, context } = request
  const isDrawn = isTrend(view) || groupsOf(view).length > 0
  const ask = (days: QueryParams) => funnel.operation.ask({ query: { ...funnel.query(view), ...days } }, context)
  const [figures, trend] = await Promise.all([askForFunnel(request), isDrawn ? attempt(askForTrend(view, ask)) : null])
  return figures.problem ? figures : { problem: null, data: { ...figures.data, trend: trend?.data ?? null } }
}

/** A form says the time span in a unit; the address says it in seconds. */
const toSecondsInAddress: MiddlewareHandler<AppEnv> = async (c, next) => {
  const better = withWindowSeconds(new URL(c.req.url))
  if (better === null) return next()
  return c.redirect(canonical(better) ?? better.pathname + better.search)
}

function stepsIn(params: URLSearchParams): string[] {
  const written = params.getAll('events')
  const list = written.length === 1 ? jsonIn(written[0] ?? '') : written
  return Array.isArray(list) ? list.map(String) : written
}

/** A card has no room for groups. */
function wholeFunnel(view: View): QueryParams | null {
  const { group_by: _, ...whole } = funnel.query(view) ?? {}
  return funnel.query(view) && whole
}

export const funnelsFace: Face = faceOf(
  { ...funnel, query: wholeFunnel },
  {
    page: 'funnels',
    navigation: { label: 'Funnels', icon: 'funnel', isInBar: true },
    make: funnelsPage,
    before: toSecondsInAddress,
    words: ({ params, cell: { step, stopped } }) => {
      const steps = stepsIn(params)
      const name = params.get('order') === 'any' ? `${step} of ${steps.length}` : (steps[Number(step) - 1] ?? '')
      return [`${stopped === true ? 'Dropped off after' : 'Reached'} step ${step}`, name]
    },
    draw: drawFunnel,
  },
)
