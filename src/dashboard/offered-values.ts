import type { Handler } from 'hono'
import type { AppEnv } from '../context.ts'
import { listPropertyValuesRoute } from '../reports/property-values/routes.ts'
import { dayOf } from '../time/days.ts'
import { contextAbout, findApplication } from './application-request.ts'
import { labelOfValue } from './labels.ts'
import { readView } from './view.ts'
import { periodQuery } from './view-query.ts'

const LIMIT = '100'

/** A value to choose, and what it is called. */
interface OfferedValue {
  readonly value: string
  readonly label: string
}

/** Where a page's script asks for the values of a property, with a query that names the property and a period. */
export function offeredValuesHref(home: string): string {
  return `${home}/property-values`
}

/** The values that a property has in a period, as JSON, for the fields that offer them. */
export const offerValues: Handler<AppEnv> = async (c) => {
  const application = await findApplication(c)
  const property = c.req.query('property') ?? ''
  const view = readView(new URL(c.req.url), dayOf(c.get('now')))
  const asked = {
    path: { property },
    query: { ...periodQuery(view), contains: c.req.query('contains') ?? '', limit: LIMIT },
  }
  const { data } = await listPropertyValuesRoute.ask(asked, contextAbout(c, application).context)
  return c.json(data.map(({ value }): OfferedValue => ({ value, label: labelOfValue(property, value) })))
}
