import { createRoute, z } from '@hono/zod-openapi'
import { MAX_PERIOD_DAYS } from '../../base/time/period.ts'
import { integer } from '../../http/params.ts'
import { answer, answers, figuresOf, Series } from '../engine/contract.ts'
import { periodParams } from '../engine/period.ts'
import { filtersParam } from '../filters/contract.ts'

const UserFrequency = answer('UserFrequency', { ...Series.shape })

export const countActiveDays = createRoute({
  method: 'get',
  path: '/users/frequency',
  operationId: 'countActiveDays',
  summary: 'Frequency of use',
  description:
    "On how many days of a period the users of the caller's application were active (the power user curve). " +
    '`xValues` holds 1 to the number of days, `yValues` one series, `users`: those who were active on exactly that many days. ' +
    '`key_value` is all users who were active in the period. With `filters`, only events that pass make a user active.',
  tags: ['Users'],
  sample: { query: 'start=20261116&end=20261122' },
  request: { query: z.object({ filters: filtersParam, ...periodParams }) },
  responses: answers(UserFrequency, 'Numbers of days, and users.'),
})

/** Users who were active on exactly this many days, or on any. */
export const frequencyFigures = figuresOf(
  countActiveDays,
  z.strictObject({ days: integer({ min: 1, max: MAX_PERIOD_DAYS }).optional() }),
)
