import { Invalid } from '../../../base/errors.ts'
import { eraseUserRoute } from '../../../lifecycle/erasure/routes.ts'
import { hrefTo } from '../../address.ts'
import { plainPage } from '../../application-page.tsx'
import type { ApplicationRequest } from '../../application-request.ts'
import { counted } from '../../format.ts'
import { type FormFields, readFields, tryForm } from '../../forms.ts'
import { userContent } from './page.tsx'

const NOT_CONFIRMED = { loc: ['body', 'confirm'], msg: 'Input should be the user id', type: 'value_error' }

/** Erases a user, if their id was typed. */
export const eraseOnPage = plainPage(async (request) => {
  const { c, view, home } = request
  const typed = await readFields(c)
  const id = c.req.param('telegram_id') ?? ''
  const { data: answer, problem } = await tryForm(eraseIfConfirmed(request, id, typed))
  if (problem) return userContent(request, { typed, problem })
  const { events, blocked } = answer.data
  return {
    title: 'Erased',
    content: (
      <section class="card">
        <h2>
          User <bdi>{id}</bdi> erased
        </h2>
        <p role="status">
          {`${counted(events, 'event')} and all other data about this user are being deleted. Figures are correct again within a minute.`}
          {blocked && ' Future events of this user are blocked.'}
        </p>
        <p>
          <a href={hrefTo(view, `${home}/users`)}>All users</a>
        </p>
      </section>
    ),
  }
})

async function eraseIfConfirmed({ context }: ApplicationRequest, id: string, typed: FormFields) {
  if (typed.trimmed('confirm') !== id) throw new Invalid([NOT_CONFIRMED])
  const query = typed.text('block') === 'true' ? { block: 'true' } : {}
  return eraseUserRoute.ask({ path: { telegram_id: id }, query }, context)
}
