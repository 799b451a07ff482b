import type { Context, Handler } from 'hono'
import { findOwnApplication } from '../../../accounts/applications/applications.ts'
import { Failure, Invalid } from '../../../base/errors.ts'
import { UTC_NAME } from '../../../base/time/calendar.ts'
import type { AppEnv } from '../../../http/context.ts'
import { registerApplicationRoute } from '../../../lifecycle/applications/routes.ts'
import { DetailsFields, type DetailValues, detailsTyped, NameField } from '../../forms/details-fields.tsx'
import { InputField } from '../../forms/field.tsx'
import { readFields, tryForm } from '../../forms/fields-of-form.ts'
import { TimeZoneField } from '../../forms/time-zones.tsx'
import { answerPage } from '../../frame/page.tsx'
import { contextAbout } from '../../request/application-request.ts'
import { DASHBOARD, NEW_APPLICATION } from '../../request/next-page.ts'
import { ifKnown, type PageProblem } from '../../request/problem.tsx'

interface Typed extends DetailValues {
  readonly handle: string
  readonly time_zone: string
}

const NOTHING: Typed = { name: '', handle: '', link: '', description: '', photo_url: '', time_zone: UTC_NAME }

export const newApplicationPage: Handler<AppEnv> = (c) => {
  if (!c.get('visitor').canChange) throw new Failure('forbidden', 'Only owners of this account can add applications.')
  return answerForm(c, { typed: NOTHING, problem: null, status: 200 })
}

/** Registers an application and leads to how it is connected. */
export const registerOnPage: Handler<AppEnv> = async (c) => {
  const fields = await readFields(c)
  const time_zone = fields.trimmed('time_zone') || UTC_NAME
  const typed = { ...detailsTyped(fields), time_zone, handle: fields.trimmed('handle').replace(/^@/, '') }
  if (await isRegistered(c, typed.handle)) return answerForm(c, { typed, problem: ownAlready(), status: 409 })
  const registering = registerApplicationRoute.ask(
    { body: { ...typed, handle: `@${typed.handle}` } },
    contextAbout(c, null).context,
  )
  const { data: registered, problem } = await tryForm(registering.catch(takenAsFault))
  if (registered) return c.redirect(`${DASHBOARD}/${typed.handle}/settings#connect`, 303)
  return answerForm(c, { typed, problem, status: problem.faults.some(({ type }) => type === TAKEN) ? 409 : 422 })
}

/** The operation would change the details of one that is there already. */
async function isRegistered(c: Context<AppEnv>, handle: string): Promise<boolean> {
  return (await ifKnown(findOwnApplication(c.get('db'), handle, c.get('visitor')))) !== null
}

const TAKEN = 'taken'

function takenAsFault(error: unknown): never {
  const isTaken = error instanceof Failure && error.kind === 'conflict'
  throw isTaken ? new Invalid([aboutHandle(error.message)]) : error
}

function ownAlready(): PageProblem {
  return {
    status: 409,
    sentence: '',
    faults: [aboutHandle('You have already added this application. Find it in the list of applications')],
  }
}

function aboutHandle(msg: string) {
  return { loc: ['body', 'handle'], msg, type: TAKEN }
}

interface Shown {
  readonly typed: Typed
  readonly problem: PageProblem | null
  readonly status: 200 | 409 | 422
}

function answerForm(c: Context<AppEnv>, { typed, problem, status }: Shown): Response {
  const content = (
    <section class="card narrow">
      <h1>New app</h1>
      <form method="post" action={NEW_APPLICATION} class="fields">
        <NameField values={typed} problem={problem} />
        <InputField
          label="Handle"
          name="handle"
          hint="Its Telegram handle, such as @lemon_shop_bot. You cannot change it later."
          value={typed.handle && `@${typed.handle}`}
          problem={problem}
          required
          autocapitalize="none"
          spellcheck={false}
        />
        <DetailsFields values={typed} problem={problem} />
        <TimeZoneField value={typed.time_zone} problem={problem} isOffered={problem === null} />
        <div class="row">
          <button type="submit">Create app</button>
          <a class="button quiet" href={DASHBOARD}>
            Cancel
          </a>
        </div>
      </form>
    </section>
  )
  return answerPage(c, { title: 'New app', status, visitor: c.get('visitor'), content })
}
