import type { Context } from 'hono'
import { actorOf, noteAct } from '../../access/audit.ts'
import { findOwnApplication, type OwnApplication } from '../../accounts/applications/applications.ts'
import type { SavedQuestion } from '../../accounts/applications/saved-questions.ts'
import { calendarOf } from '../../base/time/calendar.ts'
import { PROPERTY_NAMES, USER_PROPERTY_NAMES } from '../../columns/selection/filter.ts'
import { contextOf } from '../../http/api/operation.ts'
import type { AppEnv, RequestContext } from '../../http/context.ts'
import type { Clock } from '../words/format.ts'
import { homeOf, readView, type View } from './address.ts'
import type { Visitor } from './visitor.ts'

/** A request for a page about one application, and what its questions need. */
export interface ApplicationRequest {
  readonly c: Context<AppEnv>
  readonly visitor: Visitor
  readonly application: OwnApplication
  readonly home: string
  readonly view: View
  readonly clock: Clock
  /** For `ask` of any operation; the answers are about this application. */
  readonly context: RequestContext
  /** Parameters of events that occurred, as `params.<name>`, to choose from. */
  readonly params: Promise<readonly string[]>
  /** The names of the application's cohorts, to choose from. */
  readonly cohorts: Promise<readonly string[]>
  /** Names of events that occurred, to choose from. */
  readonly names: () => Promise<OccurredNames>
  /** Whether any event ever arrived, as far as that can be said. */
  readonly hasEvents: () => Promise<boolean>
  /** Null if the page cannot be saved. */
  readonly saved: Promise<readonly SavedQuestion[] | null>
}

/** Names of events that occurred in the period, most events first. */
export interface OccurredNames {
  readonly names: readonly string[]
  /** In the same order. */
  readonly users: readonly number[]
  readonly isAll: boolean
}

/** What the parts of a page link and write moments with. */
export type OnPage = Pick<ApplicationRequest, 'view' | 'home' | 'clock'>

/** Throws `not-found`. */
export function findApplication(c: Context<AppEnv>): Promise<OwnApplication> {
  return findOwnApplication(c.get('db'), c.req.param('handle') ?? '', c.get('visitor'))
}

/** What a page asks with, before its frame is known; or a part of it that a script asks for. Throws `not-found`. */
export async function requestAt(c: Context<AppEnv>, url = new URL(c.req.url)) {
  const application = await findApplication(c)
  const clock = { now: c.get('now'), timeZone: application.timeZone }
  const view = readView(url, calendarOf(clock.timeZone).dayOf(clock.now))
  const visitor = c.get('visitor')
  return { c, visitor, application, home: homeOf(application), view, clock, ...contextAbout(c, application) }
}

/** Adds something that only pages do to the audit list. `target` is an id, or a name that is stored without what may be a user's id. */
export function noteOnPage(
  c: Context<AppEnv>,
  { id: applicationId }: OwnApplication,
  act: { readonly action: string; readonly target: string },
): Promise<void> {
  const visitor = c.get('visitor')
  const noted = { accountId: visitor.accountId, actor: actorOf(visitor), applicationId, ...act }
  return noteAct(c.get('db'), noted, c.get('now'))
}

const AS_OF = 'figures-as-of'

/**
 * What questions of this page may use, about an application if there is one. The oldest moment that their answers are of is
 * what the page says, and what they warn of stands above its figures.
 */
export function contextAbout(c: Context<AppEnv>, application: OwnApplication | null) {
  const { accountId, plan, applicationId: onlyApplicationId } = c.get('visitor')
  c.set('access', { accountId, plan, scope: 'full', keyHash: '', application, onlyApplicationId })
  let oldest: string | null = null
  const setHeader = (name: string, value: string) => {
    if (name === AS_OF && (oldest === null || value < oldest)) oldest = value
  }
  const warnings = new Set<string>()
  const asked = [...new URL(c.req.url).searchParams.values()]
  const warn = (sentence: string, name: string) => {
    if (!isOfPage(name) || asked.some((value) => value.includes(name))) warnings.add(sentence)
  }
  const context: RequestContext = { ...contextOf(c), setHeader, warn }
  return { context, asOf: () => oldest, warnings }
}

/** Pages ask about properties that every event may have, whether or not any event has them. */
function isOfPage(name: string): boolean {
  return [...PROPERTY_NAMES, ...USER_PROPERTY_NAMES].includes(name)
}

/** For questions whose answers are not figures of the page: they do not change its "Up to date", and need no warnings. */
export function besideFigures(context: RequestContext): RequestContext {
  return { ...context, setHeader: () => undefined, warn: () => undefined }
}

export type AnswerTo<R extends { ask: (...args: never[]) => Promise<unknown> }> = Awaited<ReturnType<R['ask']>>
