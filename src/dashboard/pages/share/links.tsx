import { listSavedQuestions } from '../../../accounts/applications/saved-questions.ts'
import { findBoard, listBoards } from '../../../accounts/boards/boards.ts'
import {
  ATTEMPTS_MINUTES,
  createShare,
  listShares,
  MAX_HOSTS,
  PASSWORD_CHARACTERS,
  readHost,
  revokeShare,
  type Shared,
  type ShareLink,
} from '../../../accounts/shares/shares.ts'
import { Failure, type Fault, Invalid } from '../../../base/errors.ts'
import { toIso } from '../../../base/time/days.ts'
import { isStorable } from '../../../http/params.ts'
import { cardOf } from '../../cards/card.tsx'
import { whyNotShared } from '../../cards/privacy.ts'
import { type FormFields, readFields } from '../../forms/fields-of-form.ts'
import { plainPage } from '../../frame/application-page.tsx'
import { type ApplicationRequest, noteOnPage } from '../../request/application-request.ts'
import type { PageContent } from '../../request/page-content.ts'
import { attempt, ProblemNote } from '../../request/problem.tsx'
import { toMoment } from '../../words/format.ts'
import { EXPIRY, NewLink, type RefusedSharing, ShareForm } from './form.tsx'

/** The links of an application, and a form for a new one where the address names a board or a report. */
export const sharesPage = plainPage((request) => sharesContent(request, null))

export const createShareOnPage = plainPage(async (request) => {
  const { c, application } = request
  const typed = await readFields(c)
  const { data: created, problem } = await attempt(create(request, typed), isOfForm)
  if (problem) return sharesContent(request, { typed, problem })
  await noteOnPage(c, application, { action: 'createShare', target: created.id })
  return {
    title: 'Share',
    hasHeading: true,
    content: <NewLink home={request.home} origin={new URL(c.req.url).origin} name={application.name} {...created} />,
  }
})

export const revokeShareOnPage = plainPage(async (request) => {
  const { c, application, home } = request
  const id = (await readFields(c)).text('id')
  const isRevoked = await revokeShare(c.get('db'), application.id, id)
  if (isRevoked) await noteOnPage(c, application, { action: 'revokeShare', target: id })
  return c.redirect(`${home}/shares`, 303)
})

function isOfForm(error: unknown): boolean {
  return error instanceof Invalid || (error instanceof Failure && error.kind === 'conflict')
}

/** Throws `Invalid` and `conflict`, and `not-found` for a board or a report that is none of the application's. */
async function create(request: ApplicationRequest, typed: FormFields) {
  const { c, application } = request
  const [db, now] = [c.get('db'), c.get('now')]
  const { shared, whyNot } = await sharedIn(request, typed.text('board') || null, typed.text('report') || null)
  const hosts = [...new Set(typed.lines('hosts'))].map((text) => ({ text, origin: readHost(text) }))
  const password = typed.text('password')
  const days = EXPIRY.find(([option]) => option === typed.text('days'))?.[0]
  const faults: Fault[] = [
    ...hosts.flatMap(({ origin, text }) =>
      origin ? [] : [fault('hosts', `“${text}” is no address such as https://example.com`)],
    ),
    ...(hosts.length > MAX_HOSTS ? [fault('hosts', `At most ${MAX_HOSTS} sites`)] : []),
    ...(password === '' || isFit(password) ? [] : [fault('password', PASSWORD_FAULT)]),
    ...(days ? [] : [fault('days', 'Choose one of the options')]),
    ...(whyNot === null ? [] : [fault('shared', whyNot)]),
  ]
  if (faults.length > 0) throw new Invalid(faults)
  return createShare(db, {
    applicationId: application.id,
    shared,
    hosts: hosts.flatMap(({ origin }) => origin ?? []),
    password: password === '' ? null : password,
    expiresAt: days === '0' ? null : now + Number(days) * DAY_SECONDS * 1000,
    now,
  })
}

const DAY_SECONDS = 86_400
const { min, max } = PASSWORD_CHARACTERS
const PASSWORD_FAULT = `A password has ${min} to ${max} characters`

function isFit(password: string): boolean {
  const { length } = [...password]
  return length >= min && length <= max && isStorable(password)
}

function fault(field: string, msg: string): Fault {
  return { loc: ['body', field], msg, type: 'value_error' }
}

interface Meant {
  readonly shared: Shared
  readonly name: string
  /** Why strangers may not see it. */
  readonly whyNot: string | null
}

/** What a form or an address names. Throws `not-found`. */
async function sharedIn(
  { c, application, view }: ApplicationRequest,
  board: string | null,
  report: string | null,
): Promise<Meant> {
  const db = c.get('db')
  if (board !== null) {
    const { id, name } = await findBoard(db, application.id, board)
    return { shared: { boardId: id, report: null }, name, whyNot: null }
  }
  const question = (await listSavedQuestions(db, application.id)).find(({ name }) => name === report)
  if (!question) throw new Failure('not-found', 'There is no saved report of this name. It may have been deleted.')
  const { name } = question
  return { shared: { boardId: null, report: name }, name, whyNot: whyNotShared(cardOf(question, view.today)) }
}

async function sharesContent(request: ApplicationRequest, refused: RefusedSharing | null): Promise<PageContent> {
  const { c, application, home, view, visitor } = request
  const [db, now] = [c.get('db'), c.get('now')]
  const named = (field: 'board' | 'report') => (refused?.typed.text(field) ?? view.params.get(field)) || null
  const [board, report] = [named('board'), named('report')]
  const isNew = visitor.canChange && (board !== null || report !== null)
  const [shares, boards, meant] = await Promise.all([
    listShares(db, application.id, now),
    listBoards(db, application.id),
    isNew ? sharedIn(request, board, report) : null,
  ])
  const nameOf = ({ boardId, report: name }: ShareLink) => name ?? boards.find(({ id }) => id === boardId)?.name ?? ''
  return {
    title: 'Share links',
    hasHeading: true,
    status: refused?.problem.status,
    content: (
      <>
        {meant && (
          <section class="card">
            <h2>
              Share <bdi>{meant.name}</bdi>
            </h2>
            {meant.whyNot && !refused && <p class="note">{meant.whyNot}</p>}
            {refused && <ProblemNote problem={{ ...refused.problem, faults: ofWhole(refused) }} />}
            <ShareForm action={`${home}/shares`} board={board} report={report} refused={refused} />
          </section>
        )}
        <section class="card">
          <h2>Share links</h2>
          {shares.length === 0 && (
            <p class="nothing">No links yet. Open a board, or a saved report, and choose Share.</p>
          )}
          <ul class="questions">
            {shares.map((share) => (
              <ShareRow share={share} name={nameOf(share)} request={request} />
            ))}
          </ul>
        </section>
      </>
    ),
  }
}

function ofWhole({ problem }: RefusedSharing): readonly Fault[] {
  return problem.faults.filter(({ loc }) => loc[1] === 'shared').map(({ msg, type }) => ({ loc: ['body'], msg, type }))
}

function ShareRow({ share, name, request }: { share: ShareLink; name: string; request: ApplicationRequest }) {
  const { home, clock, visitor } = request
  const { id, expiresAt, createdAt, hasPassword, hosts } = share
  const facts = [
    `Created ${toMoment(toIso(createdAt), clock)}`,
    expiresAt === null ? 'no expiry' : `expires ${toMoment(toIso(expiresAt), clock)}`,
    ...(hasPassword ? ['password'] : []),
    ...(share.isLocked ? [`locked for up to ${ATTEMPTS_MINUTES} minutes: too many wrong passwords`] : []),
    ...(hosts.length > 0 ? [`embedded in ${hosts.join(', ')}`] : []),
  ]
  return (
    <li>
      <div>
        <bdi>{name}</bdi> <span class="hint">{share.boardId === null ? 'Report' : 'Board'}</span>
        <p class="hint">{facts.join(' · ')}</p>
      </div>
      {visitor.canChange && (
        <form method="post" action={`${home}/shares/revoke`}>
          <input type="hidden" name="id" value={id} />
          <button type="submit" class="danger" aria-label={`Revoke the link to ${name}`}>
            Revoke
          </button>
        </form>
      )}
    </li>
  )
}
