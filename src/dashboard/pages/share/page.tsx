import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { routePath } from 'hono/route'
import { listSavedQuestions } from '../../../accounts/applications/saved-questions.ts'
import { findBoard } from '../../../accounts/boards/boards.ts'
import { findOpenShare, NO_SHARE, type OpenShare, opensWith } from '../../../accounts/shares/shares.ts'
import { Failure } from '../../../base/errors.ts'
import { calendarOf } from '../../../base/time/calendar.ts'
import { limitKey } from '../../../http/api/budgets.ts'
import { contextOf } from '../../../http/api/operation.ts'
import type { AppEnv, RequestContext } from '../../../http/context.ts'
import { problemOf } from '../../../http/problem.ts'
import { reportsOf, viewOf } from '../../cards/boards.ts'
import { type CardsAbout, cardOf, drawCard, ReportCard, type SavedCard } from '../../cards/card.tsx'
import { inTurns } from '../../cards/in-turns.ts'
import {
  MIN_USERS,
  masked,
  sharedEarlier,
  sharedFigures,
  sharedFilters,
  sharedGroups,
  whyNotShown,
} from '../../cards/privacy.ts'
import { findEarlierData } from '../../figures/comparison.ts'
import { readFields } from '../../forms/fields-of-form.ts'
import { countAttempt } from '../../request/attempts.ts'
import { attempt, ifKnown } from '../../request/problem.tsx'
import { answerShared, PasswordForm } from './layout.tsx'

const MAX_FORM_BYTES = 10_000

/** Pages for whoever has a link: no script runs on them, they keep no cookie, and they lead nowhere. */
export function sharedPages(): Hono<AppEnv> {
  const pages = new Hono<AppEnv>()
  pages.onError(toSharedError)
  pages.use('/share/:token', asShared, bodyLimit({ maxSize: MAX_FORM_BYTES, onError: refuseLarge }))
  pages.on(['GET', 'POST'], '/share/:token', sharePage)
  return pages
}

function refuseLarge(): never {
  throw new Failure('too-large', 'The form is too large.')
}

const asShared: MiddlewareHandler<AppEnv> = async (c, next) => {
  const headers = c.get('headers')
  headers['content-security-policy'] = policyFor([])
  headers['x-robots-tag'] = 'noindex, nofollow'
  await next()
  // Never the path: it holds the token.
  c.set('operation', { operationId: 'share', path: routePath(c) })
}

function policyFor(hosts: readonly string[]): string {
  const ancestors = hosts.length > 0 ? hosts.join(' ') : "'none'"
  return `default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors ${ancestors}`
}

/** Lets the sites that the owner listed show this page, and no other one, in a frame. */
function allowFraming(c: Context<AppEnv>, hosts: readonly string[]): void {
  if (hosts.length === 0) return
  const headers = c.get('headers')
  headers['content-security-policy'] = policyFor(hosts)
  headers['cross-origin-resource-policy'] = 'cross-origin'
  // It knows no list.
  delete headers['x-frame-options']
}

async function sharePage(c: Context<AppEnv>): Promise<Response> {
  const [db, now] = [c.get('db'), c.get('now')]
  const { open, refusal } = await countAttempt(c, async () => {
    const found = await findOpenShare(db, c.req.param('token') ?? '', now)
    return found ? { open: found } : { refusal: NO_SHARE }
  })
  if (!open) throw new Failure('not-found', refusal)
  limitKey(c, 'questions', open.share.hash)
  allowFraming(c, open.share.hosts)
  if (open.share.password !== null) {
    const isSent = c.req.method === 'POST'
    const password = isSent ? (await readFields(c)).text('password') : ''
    if (!isSent || !(await opensWith(db, open.share, password, now))) {
      const content = <PasswordForm isWrong={isSent} />
      return answerShared(c, { title: 'Password', status: isSent ? 403 : 200, content })
    }
  }
  return showShared(c, open)
}

async function showShared(c: Context<AppEnv>, open: OpenShare): Promise<Response> {
  const { application } = open
  const found = await cardsOf(c, open)
  // The board was deleted while its link was opened.
  if (!found || found.cards.length === 0) throw new Failure('not-found', NO_SHARE)
  const context = contextFor(c, open)
  const about = { application, context, home: null, earlier: await findEarlierData(application, context) }
  // Each report costs as much as a question of a key.
  for (const _ of found.cards.slice(1)) limitKey(c, 'questions', open.share.hash)
  const drawn = await inTurns(found.cards, (card) => drawShared(card, about))
  const content = (
    <>
      <div class="heading">
        <h1>
          <bdi>{masked(found.name)}</bdi>
        </h1>
        <p class="hint">
          <bdi>{masked(application.name)}</bdi>
        </p>
      </div>
      <div class="cards">{drawn}</div>
      <footer>
        <p>
          Groups, events and days of revenue with fewer than {MIN_USERS} users are left out. So is the smallest of the
          others, so that totals do not reveal them.
        </p>
        <p>{`Time zone: ${application.timeZone}`}</p>
      </footer>
    </>
  )
  return answerShared(c, { title: masked(found.name), content })
}

interface Found {
  readonly name: string
  readonly cards: readonly SavedCard[]
}

/** Null if what was shared is gone. */
async function cardsOf(c: Context<AppEnv>, { share, application }: OpenShare): Promise<Found | null> {
  const db = c.get('db')
  const today = calendarOf(application.timeZone).dayOf(c.get('now'))
  const saved = await listSavedQuestions(db, application.id)
  if (share.boardId === null) {
    const cards = saved.filter(({ name }) => name === share.report).map((question) => cardOf(question, today))
    return { name: share.report ?? '', cards }
  }
  const board = await ifKnown(findBoard(db, application.id, share.boardId))
  if (!board) return null
  const view = viewOf(board, today)
  return { name: board.name, cards: reportsOf(board, saved).map((question) => cardOf(question, today, view)) }
}

/** What the questions of a link may use: they wait in line as its own, and are about its application. */
function contextFor(c: Context<AppEnv>, { share, application, plan }: OpenShare): RequestContext {
  const { accountId, id } = application
  c.set('access', { accountId, plan, scope: 'read', keyHash: share.hash, application, onlyApplicationId: id })
  return { ...contextOf(c), setHeader: () => undefined }
}

/** What is wrong with a question may name cohorts or values: strangers only learn that there are no figures. */
const CANNOT_BE_SHOWN = 'This report cannot be shown right now.'

const FEW_IN_GROUPS = 'Not shown in shared reports: too few users are in the groups of this breakdown.'

async function drawShared(card: SavedCard, about: CardsAbout) {
  const { context } = about
  const { data: whyNot, problem } = await attempt(whyNotShown(card, context))
  const isShown = whyNot === null && !problem
  const drawn = isShown ? await drawCard(card, { ...about, earlier: await sharedEarlier(card, about) }) : null
  const groups = drawn?.data ? await attempt(sharedGroups(card, context)) : null
  const isOfFew = drawn?.data?.chart?.lines.length !== 0 && groups?.data?.size === 0
  const note =
    whyNot ??
    (isOfFew ? FEW_IN_GROUPS : null) ??
    (problem || drawn?.problem || groups?.problem ? CANNOT_BE_SHOWN : null)
  const data = drawn?.data ? sharedFigures(drawn.data, groups?.data ?? null, card) : null
  const shown = { name: masked(card.name), kind: card.kind, view: card.view }
  return <ReportCard card={shown} drawn={{ data, problem: null }} note={note} filters={sharedFilters(card)} />
}

function toSharedError(error: Error, c: Context): Response {
  const { status, detail } = problemOf(error, c)
  const text = typeof detail === 'string' && detail !== '' ? detail : 'This request cannot be answered.'
  const content = (
    <section class="card door">
      <h1>{status === 404 ? 'Link not found' : 'Something went wrong'}</h1>
      <p>{text}</p>
    </section>
  )
  return answerShared(c, { title: 'Shared report', status, content })
}
