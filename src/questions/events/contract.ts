import { z } from '@hono/zod-openapi'
import { propertyOf } from '../../base/event.ts'
import { toIso } from '../../base/time/days.ts'
import { CONTEXT_FIELDS } from '../../columns/selection/filter.ts'
import { label, moment } from '../engine/contract.ts'
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
      'The properties of the user at that moment, which filters and groups use. Null if the event did not include a value.',
  })

/** The fields of an event that all operations share. */
export const eventFields = {
  name: label('Name of the event, as stored.', 'Order paid'),
  time: moment('When it happened, UTC.', '2026-11-21T12:54:52.271Z'),
  context: EventContext,
  params: z.record(z.string(), z.unknown()).openapi({
    description:
      "The event's own parameters, as JSON. Filters and groups call them `params.<name>`. Parameters that were null are left out.",
    example: { order_total: 450, method: 'stars' },
  }),
}

export function toEventFields({ name, time, texts, params }: DescribedEvent) {
  return {
    name,
    time: toIso(time),
    context: Object.fromEntries(
      CONTEXT_FIELDS.map(({ name, field }, index) => [field, toJsonValue(name, texts[index])]),
    ),
    params: Object.fromEntries(params.map(([name, json]) => [name, JSON.parse(json) as unknown])),
  }
}

function toJsonValue(name: (typeof CONTEXT_FIELDS)[number]['name'], text: string | null | undefined) {
  if (text === null || text === undefined) return null
  return propertyOf(name).type === 'flag' ? text === 'true' : text
}
