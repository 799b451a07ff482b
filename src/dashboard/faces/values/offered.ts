import type { Handler } from 'hono'
import { calendarOf } from '../../../base/time/calendar.ts'
import { asksForWhole, COHORT, NONE } from '../../../columns/selection/filter.ts'
import type { AppEnv, RequestContext } from '../../../http/context.ts'
import { listPropertyValuesRoute } from '../../../questions/property-values/routes.ts'
import { listCohortsRoute } from '../../../questions/user-cohorts/routes.ts'
import { periodQuery, readView, type ShownFilter } from '../../request/address.ts'
import { besideFigures, contextAbout, findApplication } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'
import { flagValues, labelOfValue, valuesOfLabel } from '../../words/labels.ts'

const OFFERED = '100'

/** The most values in a list that people read at a glance; with more, they type the beginning. */
const MOST_CHOICES = 20

/** Where a page's script asks for the values of a property, with a query that names the property and a period. */
export function offeredValuesHref(home: string): string {
  return `${home}/property-values`
}

/** The values that a property has in a period, as JSON, for the fields that offer them; with `missing` also that it has none. */
export const offerValues: Handler<AppEnv> = async (c) => {
  const application = await findApplication(c)
  const property = c.req.query('property') ?? ''
  const view = readView(new URL(c.req.url), calendarOf(application.timeZone).dayOf(c.get('now')))
  if (property === COHORT) {
    const { data } = await listCohortsRoute.ask({}, contextAbout(c, application).context)
    return c.json({ values: data.map(({ name }) => ({ value: name, label: name })), isShort: data.length > 0 })
  }
  const asked = {
    path: { property },
    query: { ...periodQuery(view), contains: c.req.query('contains') ?? '', limit: OFFERED },
  }
  const { data, total } = await listPropertyValuesRoute.ask(asked, contextAbout(c, application).context)
  const occurring = new Set([...data.map(({ value }) => value), ...flagValues(property)])
  // Whether these are all values, and few enough for a select.
  const isShort = occurring.size > 0 && total <= MOST_CHOICES
  if (c.req.query('missing') !== undefined) occurring.add(NONE)
  const values = [...occurring].map((value) => ({ value, label: labelOfValue(property, value) }))
  return c.json({ values, isShort })
}

/** The most values that the operation returns. */
const LOOKED_UP = '1000'

interface Occurrence {
  readonly property: string
  /** The days in which to look, as the operations take them. */
  readonly period: Readonly<Record<string, string | string[]>>
  readonly context: RequestContext
}

/** Values that somebody typed as the pages show them, as they are stored. */
export async function meantValues(
  typed: readonly string[],
  { property, period, context }: Occurrence,
): Promise<string[]> {
  const asked = { path: { property }, query: { ...period, limit: LOOKED_UP } }
  const { data: answer } = await attempt(listPropertyValuesRoute.ask(asked, besideFigures(context)))
  const occurring = (answer?.data ?? []).map(({ value }) => value)
  return [...new Set(typed.flatMap((text) => valuesOfLabel(property, text, occurring)))]
}

/** A filter with the stored values that somebody meant. What asks for a part of a value, or for more or less, is meant as it was typed. */
export async function meantFilter(
  filter: ShownFilter,
  where: Pick<Occurrence, 'period' | 'context'>,
): Promise<ShownFilter> {
  if (!asksForWhole(filter.op)) return filter
  return { ...filter, values: await meantValues(filter.values, { ...where, property: filter.prop }) }
}
