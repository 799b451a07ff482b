import { randomUUID } from 'node:crypto'
import { listSavedQuestions, type SavedQuestion } from '../../../accounts/applications/saved-questions.ts'
import {
  type Board,
  type BoardFields,
  changeBoard,
  createBoard,
  deleteBoard,
  findBoard,
  listBoards,
  MAX_REPORTS,
  revisionOf,
} from '../../../accounts/boards/boards.ts'
import { Failure, Invalid } from '../../../base/errors.ts'
import { withoutNumbers } from '../../../base/text/messenger-ids.ts'
import { reportsOf, viewOf } from '../../cards/boards.ts'
import { type CardsAbout, cardOf, drawCard, ReportCard } from '../../cards/card.tsx'
import { inTurns } from '../../cards/in-turns.ts'
import { findEarlierData } from '../../figures/comparison.ts'
import { Confirmation } from '../../forms/confirmation.tsx'
import { type FormFields, readFields } from '../../forms/fields-of-form.ts'
import { applicationPage, plainPage } from '../../frame/application-page.tsx'
import { hrefOfSaved } from '../../frame/saved-menu.tsx'
import { hrefTo } from '../../request/address.ts'
import { type ApplicationRequest, noteOnPage } from '../../request/application-request.ts'
import type { PageContent } from '../../request/page-content.ts'
import { attempt, type PageProblem, ProblemNote } from '../../request/problem.tsx'
import { counted } from '../../words/format.ts'
import { BoardForm, readBoard } from './form.tsx'

interface Refused {
  readonly typed: FormFields
  readonly problem: PageProblem
}

/** All boards of an application. */
export const boardsPage = plainPage((request) => boardsContent(request, null))

export const createBoardOnPage = plainPage(async (request) => {
  const typed = await readFields(request.c)
  const id = randomUUID()
  const { problem } = await attempt(create(request, id, typed), isOfForm)
  if (problem) return boardsContent(request, { typed, problem })
  return request.c.redirect(hrefOfBoard(request, id), 303)
})

/** The reports of a board, for its period and with its filters, or for those of the address. */
export const boardPage = applicationPage((request) => boardContent(request, null))

export const changeBoardOnPage = applicationPage(async (request) => {
  const typed = await readFields(request.c)
  const board = await boardOf(request)
  const { problem } = await attempt(change(request, board, typed), isOfForm)
  if (problem) return boardContent(request, { typed, problem })
  return request.c.redirect(hrefOfBoard(request, board.id), 303)
})

export const deleteBoardOnPage = plainPage(async (request) => {
  const { id, name } = await boardOf(request)
  await deleteBoard(request.c.get('db'), request.application.id, id)
  await note(request, 'deleteBoard', name)
  return request.c.redirect(`${request.home}/boards`, 303)
})

function isOfForm(error: unknown): boolean {
  return error instanceof Invalid || (error instanceof Failure && error.kind === 'conflict')
}

async function create(request: ApplicationRequest, id: string, typed: FormFields): Promise<void> {
  const { c, application } = request
  const fields = await fieldsIn(request, typed)
  await createBoard(c.get('db'), { applicationId: application.id, id, createdAt: c.get('now'), ...fields })
  await note(request, 'putBoard', fields.name)
}

async function change(request: ApplicationRequest, board: Board, typed: FormFields): Promise<void> {
  const fields = await fieldsIn(request, typed)
  await changeBoard(request.c.get('db'), board, { ...fields, of: typed.text('of') })
  await note(request, 'putBoard', fields.name)
}

async function fieldsIn({ c, application }: ApplicationRequest, typed: FormFields): Promise<BoardFields> {
  return readBoard(typed, await listSavedQuestions(c.get('db'), application.id))
}

function note({ c, application }: ApplicationRequest, action: string, name: string): Promise<void> {
  return noteOnPage(c, application, { action, target: withoutNumbers(name) })
}

function hrefOfBoard({ home }: Pick<ApplicationRequest, 'home'>, id: string): string {
  return `${home}/boards/${id}`
}

function boardOf({ c, application }: ApplicationRequest): Promise<Board> {
  return findBoard(c.get('db'), application.id, c.req.param('id') ?? '')
}

async function boardsContent(request: ApplicationRequest, refused: Refused | null): Promise<PageContent> {
  const { c, application, home, view, visitor } = request
  const db = c.get('db')
  const [boards, saved] = await Promise.all([listBoards(db, application.id), listSavedQuestions(db, application.id)])
  const typed = refused && { name: refused.typed.text('name'), reports: refused.typed.list('reports') }
  return {
    title: 'Boards',
    status: refused?.problem.status,
    content: (
      <>
        <section class="card">
          <h2>All boards</h2>
          {boards.length === 0 && (
            <p class="nothing">{`No boards yet. A board shows up to ${MAX_REPORTS} saved reports for one period.`}</p>
          )}
          <ul class="questions">
            {boards.map(({ id, name, reports }) => (
              <li>
                <div>
                  <a href={hrefOfBoard(request, id)}>
                    <bdi>{name}</bdi>
                  </a>
                  <p class="hint">{counted(reports.length, 'report')}</p>
                </div>
              </li>
            ))}
          </ul>
        </section>
        {visitor.canChange && (
          <section class="card">
            <h2>New board</h2>
            {refused && <ProblemNote problem={{ ...refused.problem, faults: [] }} />}
            {saved.length === 0 ? (
              <p class="nothing">
                Save a report first: open <a href={hrefTo(view, `${home}/retention`)}>Retention</a>,{' '}
                <a href={hrefTo(view, `${home}/funnels`)}>a funnel</a> or{' '}
                <a href={hrefTo(view, `${home}/trends`)}>Explore</a>, and choose <q>Save report</q>.
              </p>
            ) : (
              <BoardForm
                action={`${home}/boards`}
                board={typed ?? { name: '', reports: view.params.getAll('report') }}
                saved={saved}
                view={view}
                problem={refused?.problem ?? null}
                button="Create board"
              />
            )}
          </section>
        )}
      </>
    ),
  }
}

async function boardContent(request: ApplicationRequest, refused: Refused | null): Promise<PageContent | Response> {
  const { c, application, home, view, visitor } = request
  const [board, saved] = await Promise.all([boardOf(request), listSavedQuestions(c.get('db'), application.id)])
  const own = hrefOfBoard(request, board.id)
  if (refused === null && view.params.size === 0) return c.redirect(`${own}?${board.query}`)
  const about = { ...request, earlier: await findEarlierData(application, request.context) }
  const shown = refused ? viewOf({ query: refused.typed.text('query') }, view.today) : view
  return {
    title: board.name,
    status: refused?.problem.status,
    content: (
      <>
        {visitor.canChange && (
          <p>
            <a class="button quiet" href={`${home}/shares?board=${board.id}`}>
              Share
            </a>
          </p>
        )}
        <div class="cards">{await inTurns(reportsOf(board, saved), (question) => drawn(about, question, shown))}</div>
        {board.reports.length === 0 && <p class="nothing">The reports of this board were deleted. Add others below.</p>}
        {visitor.canChange && <Editor board={board} saved={saved} shown={shown} refused={refused} own={own} />}
      </>
    ),
  }
}

interface EditorShown {
  readonly board: Board
  readonly saved: readonly SavedQuestion[]
  readonly shown: Parameters<typeof BoardForm>[0]['view']
  readonly refused: Refused | null
  readonly own: string
}

function Editor({ board, saved, shown, refused, own }: EditorShown) {
  const typed = refused && { name: refused.typed.text('name'), reports: refused.typed.list('reports') }
  return (
    <section class="card">
      <details open={refused !== null}>
        <summary>Edit board</summary>
        {refused && <ProblemNote problem={{ ...refused.problem, faults: [] }} />}
        <p class="hint">The period and the filters above are saved with the board.</p>
        <BoardForm
          action={own}
          board={typed ?? board}
          revision={revisionOf(board)}
          saved={saved}
          view={shown}
          problem={refused?.problem ?? null}
          button="Save board"
        />
      </details>
      <Confirmation action="Delete board" sure="Delete" href={`${own}/delete`}>
        Its share links stop working. The saved reports are kept.
      </Confirmation>
    </section>
  )
}

async function drawn(
  about: ApplicationRequest & CardsAbout,
  question: SavedQuestion,
  board: ApplicationRequest['view'],
) {
  const card = cardOf(question, board.today, board)
  const href = hrefOfSaved(about.home, card.view.params.size === 0 ? card.page : `${card.page}?${card.view.params}`)
  return <ReportCard card={card} drawn={await drawCard(card, about)} href={href} />
}
