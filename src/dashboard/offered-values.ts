import type { Handler } from 'hono'
import type { AppEnv } from '../context.ts'
import { listPropertyValuesRoute } from '../reports/property-values/routes.ts'
import { dayOf } from '../time/days.ts'
import { periodQuery, readView } from './address.ts'
import { applicationOf, contextAbout } from './application-page.tsx'

const LIMIT = '100'

/** The values that a property has in the period of a page, as JSON, for the fields that offer them. */
export const offerValues: Handler<AppEnv> = async (c) => {
  const application = await applicationOf(c)
  const view = readView(new URL(c.req.url), dayOf(c.get('now')))
  const asked = {
    path: { property: c.req.query('property') ?? '' },
    query: { ...periodQuery(view), contains: c.req.query('contains') ?? '', limit: LIMIT },
  }
  const { data } = await listPropertyValuesRoute.ask(asked, contextAbout(c, application).context)
  return c.json(data.map(({ value }) => value))
}
