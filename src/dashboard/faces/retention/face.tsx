import { boundsOf } from '../../../base/time/intervals.ts'
import type { QueryParams } from '../../../http/params.ts'
import { askBefore } from '../../figures/comparison.ts'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { fittingInterval } from '../../figures/fitting-interval.ts'
import { type AskedFields, BREAKDOWN } from '../../forms/question-form.tsx'
import { hasOpenInterval, type View } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'
import { cohortWords } from '../cell-words.ts'
import { type Face, faceOf, given } from '../face.ts'
import { questionPage } from '../question-page.tsx'
import { drawRetention } from './card.ts'
import { RetentionFigures } from './figures.tsx'
import { intervalOf, retention } from './question.ts'
import { INTERVAL_NAMES } from './triangle.tsx'

/** The page of retention: who comes back after their first time, and when. */
function retentionPage(request: ApplicationRequest) {
  const { view, home } = request
  const [query, interval] = [retention.query(view), intervalOf(view)]
  const bounds = view.period ? boundsOf(view.period, interval, view.today) : []
  return questionPage(request, {
    title: 'Retention',
    question: retention,
    subject: ['start_event', 'return_event'].flatMap((name) => view.params.get(name) ?? []).join(' → '),
    scripts: ['plots.js'],
    from: bounds[0],
    asking: askForRetention(request, query),
    isNothing: (answer) => answer?.data?.totalUsers === 0,
    form: fieldsOf(view),
    figures: ({ data, before }, offered) =>
      data && (
        <RetentionFigures
          view={view}
          data={data}
          before={before}
          interval={interval}
          isOpen={hasOpenInterval(view, interval)}
          usersHref={usersHrefOf(home, retention.path, query)}
          offered={offered}
        />
      ),
  })
}

/** With the previous period, where there is one to compare with. */
async function askForRetention(request: ApplicationRequest, query: QueryParams) {
  const ask = (days: QueryParams) => retention.operation.ask({ query: { ...query, ...days } }, request.context)
  const [now, { before }] = await Promise.all([attempt(ask({})), askBefore(request, ask)])
  if (now.problem) return now
  return { problem: null, data: { data: now.data.data[0], before: before?.data[0] ?? null } }
}

function fieldsOf({ period }: View): AskedFields {
  return {
    start_event: { label: 'Start event', placeholder: 'Any event', anyEvent: 'empty' },
    return_event: { label: 'Return event', placeholder: 'Any event', anyEvent: 'empty' },
    interval: { label: 'Interval', options: { '': `Auto (${fittingInterval(period)})`, ...INTERVAL_NAMES } },
    mode: {
      label: 'Retention type',
      isLong: true,
      options: { n: 'On exactly (N-day)', unbounded: 'On or after (unbounded)' },
    },
    ...BREAKDOWN,
  }
}

export const retentionFace: Face = faceOf(retention, {
  page: 'retention',
  navigation: { label: 'Retention', icon: 'grid' },
  make: retentionPage,
  // By default, the operation counts by day.
  answers: { analyzeRetention: ({ query }) => given(query, retention.own, { interval: 'day' }) },
  words: cohortWords('Came back'),
  draw: drawRetention,
})
