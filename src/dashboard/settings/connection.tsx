import type { Handler } from 'hono'
import type { OwnApplication } from '../../accounts/applications/applications.ts'
import { Failure } from '../../base/errors.ts'
import { toIso } from '../../base/time/days.ts'
import type { AppEnv } from '../../http/context.ts'
import { mainObject } from '../../storage/application-objects.ts'
import { newestEvent } from '../faces/events/offered.ts'
import { Ago } from '../figures/table.tsx'
import { homeOf } from '../request/address.ts'
import {
  type ApplicationRequest,
  besideFigures,
  contextAbout,
  findApplication,
} from '../request/application-request.ts'
import { attempt, type PageProblem } from '../request/problem.tsx'

/** The newest event of an application, or of a key that was just made; null where none has arrived yet. */
export interface Connection {
  readonly application: Pick<OwnApplication, 'id' | 'handle' | 'timeZone'>
  /** The key that is meant; null for all of the application. */
  readonly keyId: string | null
  readonly event: ShownEvent | null
  readonly problem: PageProblem | null
  readonly now: number
}

type ShownEvent = Pick<NonNullable<Awaited<ReturnType<typeof newestEvent>>>, 'name' | 'telegram_id' | 'time'>

type Asking = Pick<ApplicationRequest, 'c' | 'context'> & Pick<Connection, 'application'>

export async function readConnection({ c, context, application }: Asking): Promise<Connection> {
  const { data: event, problem } = await attempt(newestEvent({ context: besideFigures(context) }))
  return { application, keyId: null, event, problem, now: c.get('now') }
}

type KeyAsking = Pick<Asking, 'c' | 'application'> & { readonly keyId: string }

/** What has arrived with a key that was made within the hour: what came with others does not count. */
export async function readConnectionOfKey({ c, application, keyId }: KeyAsking): Promise<Connection> {
  const object = mainObject(application.id, c.env.APPLICATIONS)
  const { data, problem } = await attempt(ask(object.latestEventOfKey(keyId)))
  const event = data && { name: data.name, telegram_id: data.telegramId, time: toIso(data.time) }
  return { application, keyId, event, problem, now: c.get('now') }
}

async function ask<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    throw new Failure('unavailable', OBJECT_AWAY, { cause })
  }
}

const OBJECT_AWAY = 'The connection cannot be checked right now. Events are stored all the same; try again in a minute.'

interface ConnectionShown {
  readonly connection: Connection
  /** The address of the page, to reload it without scripts. */
  readonly again: string
}

/** A light that turns green with the first event and tells the latest: the script of the page asks every few seconds. */
export function ConnectionBox({ connection, again }: ConnectionShown) {
  return (
    <div>
      <div role="status" data-connection={connectionHref(connection)}>
        <ConnectionLight connection={connection} />
      </div>
      <noscript>
        <a href={again}>Reload</a>
      </noscript>
    </div>
  )
}

function connectionHref({ application, keyId }: Connection): string {
  return `${homeOf(application)}/connection${keyId === null ? '' : `?key=${keyId}`}`
}

/** What the script of the page asks for. Throws `not-found`. */
export const connectionFragment: Handler<AppEnv> = async (c) => {
  const application = await findApplication(c)
  const keyId = c.req.query('key')
  const connection = await (keyId === undefined
    ? readConnection({ c, application, ...contextAbout(c, application) })
    : readConnectionOfKey({ c, application, keyId }))
  return c.html(<ConnectionLight connection={connection} />, connection.problem ? 503 : 200)
}

function ConnectionLight({ connection }: { connection: Connection }) {
  const { application, keyId, event, problem, now } = connection
  if (problem) return <p>{problem.sentence}</p>
  if (event === null) {
    return (
      <p class="light" data-light="waiting">
        {keyId === null ? 'Waiting for the first event' : 'Waiting for the first event of this key'}
      </p>
    )
  }
  return (
    <p class="light on" data-light="connected">
      Connected: last event{keyId !== null && ' of this key'} <bdi>{event.name}</bdi>, user{' '}
      <a href={`${homeOf(application)}/users/${event.telegram_id}`}>{event.telegram_id}</a>,{' '}
      {/* It changes with each look, which is no news. */}
      <span aria-live="off">
        <Ago iso={event.time} clock={{ now, timeZone: application.timeZone }} />
      </span>
    </p>
  )
}
