import type { Context, Handler } from 'hono'
import { z } from 'zod'
import {
  changePin,
  deleteSavedQuestion,
  listSavedQuestions,
  MAX_ADDRESS_CHARACTERS,
  MAX_NAME_CHARACTERS,
  pinnedOf,
  type SavedQuestion,
  saveQuestion,
} from '../../../accounts/applications/saved-questions.ts'
import { isShared } from '../../../accounts/shares/shares.ts'
import { Failure } from '../../../base/errors.ts'
import { withoutNumbers } from '../../../base/text/messenger-ids.ts'
import type { AppEnv } from '../../../http/context.ts'
import { isStorable } from '../../../http/params.ts'
import { Confirmation } from '../../forms/confirmation.tsx'
import { plainPage } from '../../frame/application-page.tsx'
import { hrefOfSaved, hrefWithNews, pageOfSaved, readSavedAddress } from '../../frame/saved-menu.tsx'
import { homeOf } from '../../request/address.ts'
import { findApplication, noteOnPage } from '../../request/application-request.ts'
import { describeFilter } from '../../words/labels.ts'

interface Refused {
  readonly name: string
  readonly address: string
  readonly status: 409 | 422
  readonly fault: string
}

const WRONG_NAME = `A name has 1 to ${MAX_NAME_CHARACTERS} characters.`
const LONG_ADDRESS = 'This report is too long to be saved. Remove some of its filters or events.'

const Form = z.object({ name: z.string().trim().catch(''), address: z.string().catch('') })

export const saveQuestionPage: Handler<AppEnv> = async (c, next) => {
  const { db, now } = { db: c.get('db'), now: c.get('now') }
  const application = await findApplication(c)
  const home = homeOf(application)
  const form = Form.parse(await c.req.parseBody())
  const address = readSavedAddress(form.address, home)
  if (address === null) throw new Failure('not-found', 'Only reports of this application can be saved.')
  const href = hrefOfSaved(home, address)
  const refuse = (status: Refused['status'], fault: string) =>
    savedQuestionsPage({ name: form.name, address: href, status, fault })(c, next)
  if (form.name === '' || [...form.name].length > MAX_NAME_CHARACTERS || !isStorable(form.name)) {
    return refuse(422, WRONG_NAME)
  }
  if (address.length > MAX_ADDRESS_CHARACTERS) return refuse(422, LONG_ADDRESS)
  try {
    const saving = { applicationId: application.id, name: form.name, address, now }
    const { isReplaced } = await saveQuestion(db, saving)
    if (await isShared(db, { applicationId: application.id, report: form.name, now }))
      await noteOnPage(c, application, { action: 'saveReport', target: withoutNumbers(form.name) })
    return c.redirect(hrefWithNews(href, isReplaced ? 'replaced' : 'new'), 303)
  } catch (error) {
    if (error instanceof Failure && error.kind === 'conflict') return refuse(409, error.message)
    throw error
  }
}

export async function deleteQuestion(c: Context<AppEnv>): Promise<Response> {
  const application = await findApplication(c)
  const { name } = Form.parse(await c.req.parseBody())
  await deleteSavedQuestion(c.get('db'), application.id, name)
  return c.redirect(`${homeOf(application)}/saved-questions`, 303)
}

const PinForm = z.object({ name: z.string().catch(''), do: z.enum(['pin', 'unpin', 'up']).catch('pin') })

export async function pinQuestion(c: Context<AppEnv>): Promise<Response> {
  const application = await findApplication(c)
  const { name, do: action } = PinForm.parse(await c.req.parseBody())
  await changePin(c.get('db'), { applicationId: application.id, name, action })
  return c.redirect(`${homeOf(application)}/saved-questions`, 303)
}

export function savedQuestionsPage(refused: Refused | null = null): Handler<AppEnv> {
  return plainPage(async ({ c, application, home, visitor }) => {
    const saved = await listSavedQuestions(c.get('db'), application.id)
    return {
      title: 'Saved reports',
      hasHeading: true,
      status: refused?.status ?? 200,
      content: (
        <>
          {refused && <SaveAgain refused={refused} action={`${home}/saved-questions`} />}
          <section class="card">
            <h2>Saved reports</h2>
            <p class="hint">
              Pinned reports are shown on Home. <a href={`${home}/shares`}>Share links</a>
            </p>
            {saved.length === 0 ? (
              <p class="nothing">
                No saved reports yet. Open a report, such as a funnel, and choose <q>Saved reports</q> to save it.
              </p>
            ) : (
              <List saved={saved} home={home} canChange={visitor.canChange} />
            )}
          </section>
        </>
      ),
    }
  })
}

function SaveAgain({ refused: { name, address, fault }, action }: { refused: Refused; action: string }) {
  return (
    <section class="card">
      <h2>The report was not saved</h2>
      <form method="post" action={action} class="fields">
        <input type="hidden" name="address" value={address} />
        <label>
          Save the report as
          <input name="name" required value={name} aria-invalid="true" aria-describedby="name-fault" />
        </label>
        <p class="fault" id="name-fault">
          {fault}
        </p>
        <div class="row">
          <button type="submit">Save</button>
          <a href={address}>Back to the report</a>
        </div>
      </form>
    </section>
  )
}

interface ListShown {
  readonly saved: readonly SavedQuestion[]
  readonly home: string
  readonly canChange: boolean
}

/** The pinned ones first, in their order. */
function List({ saved, home, canChange }: ListShown) {
  const pinned = pinnedOf(saved)
  return (
    <ul class="questions">
      {[...pinned, ...saved.filter((question) => question.pinned === null)].map((question) => (
        <li>
          <div>
            <a href={hrefOfSaved(home, question.address)}>
              <bdi>{question.name}</bdi>
            </a>
            <p class="hint">
              <bdi>{describeAddress(question.address)}</bdi>
            </p>
          </div>
          {canChange && <Actions question={question} home={home} canMove={question !== pinned[0]} />}
        </li>
      ))}
    </ul>
  )
}

interface ActionsShown {
  readonly question: SavedQuestion
  readonly home: string
  readonly canMove: boolean
}

function Actions({ question: { name, pinned }, home, canMove }: ActionsShown) {
  const list = `${home}/saved-questions`
  return (
    <>
      <form method="post" action={`${list}/pin`}>
        <input type="hidden" name="name" value={name} />
        {pinned !== null && canMove && (
          <button type="submit" name="do" value="up" class="quiet" aria-label={`Move ${name} up`}>
            ↑
          </button>
        )}{' '}
        <button
          type="submit"
          name="do"
          value={pinned === null ? 'pin' : 'unpin'}
          class="quiet"
          aria-label={`${pinned === null ? 'Pin' : 'Unpin'} ${name}`}
        >
          {pinned === null ? 'Pin' : 'Unpin'}
        </button>
      </form>
      <a
        class="button quiet"
        href={`${home}/shares?${new URLSearchParams({ report: name })}`}
        aria-label={`Share ${name}`}
      >
        Share
      </a>
      <Confirmation action="Delete" sure="Delete for good" label={`Delete ${name}`} href={`${list}/delete`}>
        <input type="hidden" name="name" value={name} />
        You cannot undo this. Its links and its places on boards go, too.
      </Confirmation>
    </>
  )
}

function describeAddress(address: string): string {
  const params = new URLSearchParams(address.replace(/^[^?]*/, ''))
  const events = [...params.getAll('event'), ...params.getAll('events')].join(', ')
  const filters = params.getAll('filters').map(describeFilter)
  return [pageOfSaved(address), events, ...filters].filter(Boolean).join(' · ')
}
