import type { Context } from 'hono'
import { z } from 'zod'
import type { OwnApplication } from '../../../accounts/applications/applications.ts'
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
import { text } from '../../../http/params.ts'
import { BoundField } from '../../forms/bound-field.tsx'
import { Confirmation } from '../../forms/confirmation.tsx'
import { type FormFields, refusalOf } from '../../forms/fields-of-form.ts'
import { formOf } from '../../forms/form-of.ts'
import type { Again } from '../../forms/sent-form.ts'
import type { FormPage } from '../../frame/form-page.ts'
import { hrefOfSaved, hrefWithNews, pageOfSaved, readSavedAddress } from '../../frame/saved-menu.tsx'
import { type ApplicationRequest, noteOnPage } from '../../request/application-request.ts'
import { ProblemNote } from '../../request/problem.tsx'
import { describeFilter } from '../../words/labels.ts'

const LONG_ADDRESS = 'This report is too long to be saved. Remove some of its filters or events'

const savingForm = formOf(z.object({ name: text({ min: 1, max: MAX_NAME_CHARACTERS }) }))

const PinForm = z.object({ name: z.string().catch(''), do: z.enum(['pin', 'unpin', 'up']).catch('pin') })

export const savedQuestionsPage: FormPage = {
  page: 'saved-questions',
  content: savedQuestionsContent,
  forms: {
    'saved-questions': async ({ c, application, home }, typed) => {
      const address = savedAddress(typed, home)
      const isReplaced = await saveAs(c, application, { typed, address })
      return c.redirect(hrefWithNews(hrefOfSaved(home, address), isReplaced ? 'replaced' : 'new'), 303)
    },
    'saved-questions/delete': async ({ c, application }, typed) => {
      await deleteSavedQuestion(c.get('db'), application.id, typed.trimmed('name'))
    },
    'saved-questions/pin': async ({ c, application }, typed) => {
      const { name, do: action } = PinForm.parse({ name: typed.text('name'), do: typed.text('do') })
      await changePin(c.get('db'), { applicationId: application.id, name, action })
    },
  },
}

/** Throws `not-found` for an address that is no report of the application. */
function savedAddress(typed: FormFields, home: string): string {
  const address = readSavedAddress(typed.text('address'), home)
  if (address === null) throw new Failure('not-found', 'Only reports of this application can be saved.')
  return address
}

interface Saving {
  readonly typed: FormFields
  readonly address: string
}

/** Returns whether the report replaces one of this name. Throws `Invalid`, and `conflict` if there are too many. */
async function saveAs(c: Context<AppEnv>, application: OwnApplication, { typed, address }: Saving): Promise<boolean> {
  const [db, now, applicationId] = [c.get('db'), c.get('now'), application.id]
  const { name } = savingForm.parse(typed)
  if (address.length > MAX_ADDRESS_CHARACTERS) throw refusalOf('name', LONG_ADDRESS)
  const { isReplaced } = await saveQuestion(db, { applicationId, name, address, now })
  if (await isShared(db, { applicationId, report: name, now }))
    await noteOnPage(c, application, { action: 'saveReport', target: withoutNumbers(name) })
  return isReplaced
}

async function savedQuestionsContent({ c, application, home, visitor }: ApplicationRequest, again: Again | null) {
  const saved = await listSavedQuestions(c.get('db'), application.id)
  const isSaving = again?.form === 'saved-questions'
  return {
    title: 'Saved reports',
    hasHeading: true,
    content: (
      <>
        {isSaving && <SaveAgain again={again} home={home} />}
        {again?.problem && !isSaving && <ProblemNote problem={again.problem} />}
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
}

function SaveAgain({ again: { typed, problem }, home }: { again: Again; home: string }) {
  const address = hrefOfSaved(home, savedAddress(typed, home))
  const of = { form: savingForm, body: savingForm.read(typed), problem, id: 'saved' }
  return (
    <section class="card">
      <h2>The report was not saved</h2>
      {problem?.faults.length === 0 && <ProblemNote problem={problem} />}
      <form method="post" action={`${home}/saved-questions`} class="fields">
        <input type="hidden" name="address" value={address} />
        <BoundField of={of} at="name" label="Save the report as" />
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
