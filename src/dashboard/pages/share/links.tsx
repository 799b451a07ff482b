import { listSavedQuestions } from '../../../accounts/applications/saved-questions.ts'
import { findBoard, listBoards } from '../../../accounts/boards/boards.ts'
import {
  ATTEMPTS_MINUTES,
  createShare,
  listShares,
  revokeShare,
  type Shared,
  type ShareLink,
} from '../../../accounts/shares/shares.ts'
import { Failure, Invalid } from '../../../base/errors.ts'
import { toIso } from '../../../base/time/days.ts'
import { cardOf } from '../../cards/card.tsx'
import { whyNotShared } from '../../cards/privacy.ts'
import type { FormFields } from '../../forms/fields-of-form.ts'
import { besideFields } from '../../forms/form-of.ts'
import type { Again } from '../../forms/sent-form.ts'
import type { FormPage } from '../../frame/form-page.ts'
import { type ApplicationRequest, noteOnPage } from '../../request/application-request.ts'
import type { PageContent } from '../../request/page-content.ts'
import { ProblemNote } from '../../request/problem.tsx'
import { toMoment } from '../../words/format.ts'
import { NewLink, ShareForm, shareForm } from './form.tsx'

/** The links of an application, and a form for a new one where the address names a board or a report. */
export const sharesPage: FormPage = {
  page: 'shares',
  content: sharesContent,
  forms: {
    shares: async (request, typed) => {
      const { c, application, home } = request
      const created = await create(request, typed)
      await noteOnPage(c, application, { action: 'createShare', target: created.id })
      return {
        title: 'Share',
        hasHeading: true,
        content: <NewLink home={home} origin={new URL(c.req.url).origin} name={application.name} {...created} />,
      }
    },
    'shares/revoke': async ({ c, application }, typed) => {
      const id = typed.text('id')
      const isRevoked = await revokeShare(c.get('db'), application.id, id)
      if (isRevoked) await noteOnPage(c, application, { action: 'revokeShare', target: id })
    },
  },
}

/** Throws `Invalid` and `conflict`, and `not-found` for a board or a report that is none of the application's. */
async function create(request: ApplicationRequest, typed: FormFields) {
  const { c, application } = request
  const now = c.get('now')
  const { shared, whyNot } = await sharedIn(request, typed.text('board') || null, typed.text('report') || null)
  const { days, password = null, hosts } = shareForm.parse(typed)
  if (whyNot !== null) throw new Invalid([{ loc: ['body'], msg: whyNot, type: 'value_error' }])
  return createShare(c.get('db'), {
    applicationId: application.id,
    shared,
    hosts: [...new Set(hosts)],
    password,
    expiresAt: days === '0' ? null : now + Number(days) * DAY_SECONDS * 1000,
    now,
  })
}

const DAY_SECONDS = 86_400

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

async function sharesContent(request: ApplicationRequest, again: Again | null): Promise<PageContent> {
  const { c, application, home, view, visitor } = request
  const [db, now] = [c.get('db'), c.get('now')]
  const named = (field: 'board' | 'report') => (again?.typed.text(field) ?? view.params.get(field)) || null
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
    content: (
      <>
        {meant && (
          <section class="card">
            <h2>
              Share <bdi>{meant.name}</bdi>
            </h2>
            {meant.whyNot && !again && <p class="note">{meant.whyNot}</p>}
            {again?.problem && <ProblemNote problem={besideFields(again.problem, shareForm)} />}
            <ShareForm action={`${home}/shares`} board={board} report={report} again={again} />
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
