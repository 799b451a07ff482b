import type { Handler } from 'hono'
import type { AppEnv } from '../../context.ts'
import { listLatestEventsRoute } from '../../reports/latest-events/routes.ts'
import { homeOf } from '../address.ts'
import { type ApplicationRequest, besideFigures, contextAbout, findApplication } from '../application-request.ts'
import { Ago } from '../components/ago.tsx'
import { attempt, type Problem } from '../components/problem.tsx'

type LatestEvent = Awaited<ReturnType<typeof listLatestEventsRoute.ask>>['data'][number]

/** The newest event of an application; null where none has arrived yet. */
export interface Connection {
  readonly event: LatestEvent | null
  readonly problem: Problem | null
  readonly now: number
}

export async function readConnection({ c, context }: Pick<ApplicationRequest, 'c' | 'context'>): Promise<Connection> {
  const asked = listLatestEventsRoute.ask({ query: { limit: '1' } }, besideFigures(context))
  const { data, problem } = await attempt(asked)
  return { event: data?.data[0] ?? null, problem, now: c.get('now') }
}

interface ConnectionShown {
  readonly connection: Connection
  readonly application: ApplicationRequest['application']
  /** The page that is shown, for whoever has no scripts. */
  readonly again: string
}

/** A light that turns green with the first event: the script of the page asks every few seconds. */
export function ConnectionBox({ connection, application, again }: ConnectionShown) {
  const isWaiting = connection.event === null
  return (
    <div>
      <div role="status" data-connection={isWaiting ? connectionHref(application) : undefined}>
        <ConnectionLight connection={connection} />
      </div>
      {isWaiting && (
        <noscript>
          <a href={again}>Look again</a>
        </noscript>
      )}
    </div>
  )
}

function connectionHref(application: ApplicationRequest['application']): string {
  return `${homeOf(application)}/connection`
}

/** What the script of the page asks for while it waits. Throws `not-found`. */
export const connectionFragment: Handler<AppEnv> = async (c) => {
  const application = await findApplication(c)
  const connection = await readConnection({ c, ...contextAbout(c, application) })
  return c.html(<ConnectionLight connection={connection} />, connection.problem ? 503 : 200)
}

function ConnectionLight({ connection: { event, problem, now } }: { connection: Connection }) {
  if (problem) return <p>{problem.sentence}</p>
  if (event === null) {
    return (
      <p class="light" data-light="waiting">
        Waiting for the first event
      </p>
    )
  }
  return (
    <p class="light on" data-light="connected">
      Connected: last event <Ago iso={event.time} now={now} />, <bdi>{event.name}</bdi>
    </p>
  )
}
