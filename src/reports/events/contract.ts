import { z } from '@hono/zod-openapi'
import { propertyOf } from '../../collection/event.ts'
import { toIso } from '../../time/days.ts'
import { CONTEXT_FIELDS } from '../filters/filter.ts'
import type { DescribedEvent } from './described.ts'

const EventContext = z
  .object(
    Object.fromEntries(
      CONTEXT_FIELDS.map(({ name, field }) => {
        const { type, about, unsaid } = propertyOf(name)
        const schema = type === 'flag' ? z.boolean() : z.string()
        return [field, (unsaid === undefined ? schema.nullable() : schema).openapi({ description: about })]
      }),
    ),
  )
  .openapi('EventContext', {
    description:
      'Who the user was at that moment: what filters and groups know of the event. Null where it did not say.',
  })

/** What every operation tells of an event. */
export const eventFields = {
  name: z.string().openapi({ description: 'As it is kept.', example: 'Order paid' }),
  time: z.iso.datetime().openapi({ description: 'When it happened, UTC.', example: '2026-11-21T12:54:52.271Z' }),
  context: EventContext,
  params: z.record(z.string(), z.unknown()).openapi({
    description:
      "The event's own parameters, as JSON; filters and groups know them as `params.<name>`. What was null is left out.",
    example: { order_total: 450, method: 'stars' },
  }),
}

export function toEventFields({ name, time, texts, params }: DescribedEvent) {
  return {
    name,
    time: toIso(time),
    context: Object.fromEntries(
      CONTEXT_FIELDS.map(({ name, field }, place) => [field, toJsonValue(name, texts[place])]),
    ),
    params: Object.fromEntries(params.map(([name, json]) => [name, JSON.parse(json) as unknown])),
  }
}

function toJsonValue(name: (typeof CONTEXT_FIELDS)[number]['name'], text: string | null | undefined) {
  if (text === null || text === undefined) return null
  return propertyOf(name).type === 'flag' ? text === 'true' : text
}
