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
import { withoutNumbers } from '../../../base/text/messenger-ids.ts'
import { reportsOf, viewOf } from '../../cards/boards.ts'
import { type CardsAbout, cardOf, drawCard, ReportCard } from '../../cards/card.tsx'
import { inTurns } from '../../cards/in-turns.ts'
import { findEarlierData } from '../../figures/comparison.ts'
import { Confirmation } from '../../forms/confirmation.tsx'
import type { FormFields } from '../../forms/fields-of-form.ts'
import type { Again } from '../../forms/sent-form.ts'
import type { FormPage } from '../../frame/form-page.ts'
import { hrefOfSaved } from '../../frame/saved-menu.tsx'
import { hrefTo } from '../../request/address.ts'
import { type ApplicationRequest, noteOnPage } from '../../request/application-request.ts'
import type { PageContent } from '../../request/page-content.ts'
import { ProblemNote } from '../../request/problem.tsx'
import { counted } from '../../words/format.ts'
import { BoardForm, readBoard } from './form.tsx'

/** All boards of an application. */
export const boardsPage: FormPage = {
  page: 'boards',
  content: boardsContent,
  forms: {
    boards: async (request, typed) => {
      const id = randomUUID()
      await create(request, id, typed)
      return request.c.redirect(hrefOfBoard(request, id), 303)
    },
  },
}

/** The reports of a board, for its period and with its filters, or for those of the address. */
export const boardPage: FormPage = {
  page: 'boards/:id',
  content: boardContent,
  hasFilters: true,
  forms: {
    'boards/:id': async (request, typed) => {
      const board = await boardOf(request)
      await change(request, board, typed)
      return request.c.redirect(hrefOfBoard(request, board.id), 303)
    },
    'boards/:id/delete': async (request) => {
      const { id, name } = await boardOf(request)
      await deleteBoard(request.c.get('db'), request.application.id, id)
      await note(request, 'deleteBoard', name)
      return request.c.redirect(`${request.home}/boards`, 303)
    },
  },
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

async function boardsContent(request: ApplicationRequest, again: Again | null): Promise<PageContent> {
  const { c, application, home, view, visitor } = request
  const db = c.get('db')
  const [boards, saved] = await Promise.all([listBoards(db, application.id), listSavedQuestions(db, application.id)])
  const problem = again?.problem ?? null
  return {
    title: 'Boards',
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
            {problem && <ProblemNote problem={{ ...problem, faults: [] }} />}
            {saved.length === 0 ? (
              <p class="nothing">
                Save a report first: open <a href={hrefTo(view, `${home}/retention`)}>Retention</a>,{' '}
                <a href={hrefTo(view, `${home}/funnels`)}>a funnel</a> or{' '}
                <a href={hrefTo(view, `${home}/trends`)}>Explore</a>, and choose <q>Save report</q>.
              </p>
            ) : (
              <BoardForm
                action={`${home}/boards`}
                board={typedIn(again) ?? { name: '', reports: view.params.getAll('report') }}
                saved={saved}
                view={view}
                problem={problem}
                button="Create board"
              />
            )}
          </section>
        )}
      </>
    ),
  }
}

function typedIn(again: Again | null) {
  return again && { name: again.typed.text('name'), reports: again.typed.list('reports') }
}

async function boardContent(request: ApplicationRequest, again: Again | null): Promise<PageContent | Response> {
  const { c, application, home, view, visitor } = request
  const [board, saved] = await Promise.all([boardOf(request), listSavedQuestions(c.get('db'), application.id)])
  const own = hrefOfBoard(request, board.id)
  if (again === null && view.params.size === 0) return c.redirect(`${own}?${board.query}`)
  const about = { ...request, earlier: await findEarlierData(application, request.context) }
  const shown = again ? viewOf({ query: again.typed.text('query') }, view.today) : view
  return {
    title: board.name,
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
        {visitor.canChange && <Editor board={board} saved={saved} shown={shown} again={again} own={own} />}
      </>
    ),
  }
}

interface EditorShown {
  readonly board: Board
  readonly saved: readonly SavedQuestion[]
  readonly shown: Parameters<typeof BoardForm>[0]['view']
  readonly again: Again | null
  readonly own: string
}

function Editor({ board, saved, shown, again, own }: EditorShown) {
  const problem = again?.problem ?? null
  return (
    <section class="card">
      <details open={again !== null}>
        <summary>Edit board</summary>
        {problem && <ProblemNote problem={{ ...problem, faults: [] }} />}
        <p class="hint">The period and the filters above are saved with the board.</p>
        <BoardForm
          action={own}
          board={typedIn(again) ?? board}
          revision={revisionOf(board)}
          saved={saved}
          view={shown}
          problem={problem}
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
