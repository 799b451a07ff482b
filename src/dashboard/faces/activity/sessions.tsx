import { SESSION_GAP_MINUTES } from '../../../columns/selection/sessions.ts'
import { summarizeSessionsRoute } from '../../../questions/sessions/routes.ts'
import { Bars } from '../../figures/bars.tsx'
import { COUNT, RATIO, SECONDS } from '../../figures/declared.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { changeSince, type HomeFigure, seriesOf } from '../home-figure.ts'

type Sessions = HomeFigure<AnswerTo<typeof summarizeSessionsRoute>>

const ask: Sessions['ask'] = (query, context) => summarizeSessionsRoute.ask({ query }, context)

export const SESSIONS: Sessions = {
  name: 'sessions',
  label: 'Sessions',
  hint: `A session ends after ${SESSION_GAP_MINUTES} minutes of inactivity`,
  unit: COUNT,
  ask,
  seriesIn: ({ averages }) => seriesOf(averages, 'sessions'),
  asidesIn: ({ averages }, { compared }) => {
    const { key_value: value, change } = seriesOf(averages, 'sessions_per_user')
    return [{ label: 'Sessions per user', unit: RATIO, value, change: changeSince(compared, change) }]
  },
}

export const AVERAGE_SESSION: Sessions = {
  name: 'session',
  label: 'Avg. session',
  hint: 'Time from the first event of a session to its last, on average',
  unit: SECONDS,
  ask,
  seriesIn: ({ averages }) => seriesOf(averages, 'average_session_length'),
  drawBelow: ({ lengths }) => <SessionLengths {...lengths.data} />,
}

interface LengthsShown {
  readonly series: readonly (readonly number[])[]
  readonly xValues: readonly string[]
}

function SessionLengths({ series, xValues }: LengthsShown) {
  const counts = series[0] ?? []
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  const rows = xValues.map((label, place) => ({ label, value: counts[place] ?? 0 }))
  return (
    <section class="beside">
      <h3>Session length</h3>
      <Bars title="Session length" of="Sessions" rows={rows} whole={all} />
    </section>
  )
}
