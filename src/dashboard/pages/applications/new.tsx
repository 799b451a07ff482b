import type { Context, Handler } from 'hono'
import { findOwnApplication } from '../../../accounts/applications/applications.ts'
import { Registration } from '../../../accounts/applications/contract.ts'
import { Failure } from '../../../base/errors.ts'
import { UTC_NAME } from '../../../base/time/calendar.ts'
import type { AppEnv } from '../../../http/context.ts'
import { registerApplicationRoute } from '../../../lifecycle/applications/routes.ts'
import { BoundField } from '../../forms/bound-field.tsx'
import { DetailsFields, NameField } from '../../forms/details-fields.tsx'
import { conflictAt, readFields, refusalOf, tryForm } from '../../forms/fields-of-form.ts'
import { type Body, formOf } from '../../forms/form-of.ts'
import { TimeZoneField } from '../../forms/time-zones.tsx'
import { answerPage } from '../../frame/page.tsx'
import { contextAbout } from '../../request/application-request.ts'
import { DASHBOARD, NEW_APPLICATION } from '../../request/next-page.ts'
import { ifKnown, type PageProblem } from '../../request/problem.tsx'

/** The form of a registration. The at-sign of the handle may be left out. */
const registrationForm = formOf(Registration, {
  handle: {
    read(fields, name) {
      const handle = fields.trimmed(name).replace(/^@/, '')
      return handle === '' ? undefined : `@${handle}`
    },
    fill: (handle) => handle,
  },
})

export const newApplicationPage: Handler<AppEnv> = (c) => {
  if (!c.get('visitor').canChange) throw new Failure('forbidden', 'Only owners of this account can add applications.')
  return answerWithForm(c, { typed: { time_zone: UTC_NAME }, problem: null, status: 200 })
}

/** Registers an application and leads to how it is connected. */
export const registerOnPage: Handler<AppEnv> = async (c) => {
  const typed = { time_zone: UTC_NAME, ...registrationForm.read(await readFields(c)) }
  const handle = String(registrationForm.fill(typed, 'handle')).slice(1)
  const { problem } = await tryForm(register(c, typed, handle))
  if (!problem) return c.redirect(`${DASHBOARD}/${handle}/settings#connect`, 303)
  return answerWithForm(c, {
    typed,
    problem,
    status: problem.faults.some(({ type }) => type === 'conflict') ? 409 : 422,
  })
}

const OWN_ALREADY = 'You have already added this application. Find it in the list of applications'

/** The operation would change the details of an application that is there already. */
async function register(c: Context<AppEnv>, typed: Body, handle: string): Promise<void> {
  const own = await ifKnown(findOwnApplication(c.get('db'), handle, c.get('visitor')))
  if (own) throw refusalOf('handle', OWN_ALREADY, 'conflict')
  await registerApplicationRoute.ask({ body: typed }, contextAbout(c, null).context).catch(conflictAt('handle'))
}

interface Shown {
  readonly typed: Body
  readonly problem: PageProblem | null
  readonly status: 200 | 409 | 422
}

function answerWithForm(c: Context<AppEnv>, { typed, problem, status }: Shown): Response {
  const of = { form: registrationForm, body: typed, problem }
  const content = (
    <section class="card narrow">
      <h1>New app</h1>
      <form method="post" action={NEW_APPLICATION} class="fields">
        <NameField of={of} />
        <BoundField
          of={of}
          at="handle"
          label="Handle"
          hint="Its Telegram handle, such as @lemon_shop_bot. You cannot change it later."
          autocapitalize="none"
          spellcheck={false}
        />
        <DetailsFields of={of} />
        <TimeZoneField of={of} isOffered={problem === null} />
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
