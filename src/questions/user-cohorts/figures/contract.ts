import { z } from '@hono/zod-openapi'
import type { Fault } from '../../../base/errors.ts'
import { toFaults } from '../../../base/faults.ts'
import { issue, text, toQueryParams } from '../../../http/params.ts'
import { FIGURES } from '../../catalogue.ts'
import type { AskedFigure } from '../../engine/cohort-rule.ts'

/** The paths of all questions with figures that count users, in alphabetical order. */
export const FIGURE_PATHS = [...FIGURES.keys()].sort()

/** The longest address of a question, in characters. */
export const MAX_QUESTION = 8_000
/** Two years, as far as retention by months goes. */
export const MAX_DAYS = 732

const NAME = { type: 'string' as const }
const NAMES = { type: 'array' as const, items: NAME }
const NAME_OR_OTHERS = {
  oneOf: [
    NAME,
    {
      type: 'object' as const,
      properties: { not: { ...NAMES, description: 'The events that are left out.' } },
      required: ['not'],
      additionalProperties: false,
    },
  ],
  description: 'The event of paths; or all events but these.',
}

/** For the document: the fields of all cells. Which of them a cell has, and what they may be, its question says. */
export const CELL_FIELDS = {
  series: { ...NAME, description: 'The series of the answer.' },
  figure: { ...NAME, description: 'The figure of a group.' },
  // Generated Java does not compile where one choice of a union is a list.
  group: { description: 'The group: its value, or a list with one for each property of `group_by`.' },
  day: { ...NAME, format: 'date', description: 'The day, or the first day of the interval.' },
  interval: { ...NAME, description: 'The interval, as the answer names it.' },
  cohort: { ...NAME, description: 'The first day of the cohort.' },
  offset: { type: 'integer' as const, minimum: 0, description: 'Intervals since the cohort began.' },
  complete: { type: 'boolean' as const, description: 'Whether only cohorts count whose interval is over.' },
  step: { type: 'integer' as const, minimum: 1, description: 'The step of a funnel or of paths.' },
  stopped: { type: 'boolean' as const, description: 'Whether they reached no later step.' },
  from: NAME_OR_OTHERS,
  to: NAME_OR_OTHERS,
  days: { type: 'integer' as const, minimum: 1, description: 'The number of active days.' },
  name: { ...NAME, description: 'The name of the event.' },
  value: { ...NAME, description: 'The value of the property.' },
}

/** A question and one of its figures, as sent. */
export const figureCondition = z
  .strictObject({
    type: z.literal('figure').openapi({ description: 'Always `figure`.' }),
    question: text({ min: 1, max: MAX_QUESTION }).openapi({
      description: "The question's address.",
      example: '/funnels?events=Product viewed&events=Order paid',
    }),
    at: z
      .unknown()
      .default({})
      .openapi({
        type: 'object',
        properties: CELL_FIELDS,
        additionalProperties: false,
        description: "The figure's cell in the answer. Which fields it has depends on the question.",
        example: { step: 2 },
      }),
  })
  .transform(({ type, question, at }, context): { type: 'figure'; figure: AskedFigure } => {
    const [path = '', query = ''] = question.split(/\?(.*)/s)
    const figures = FIGURES.get(path)
    if (!figures) return refuse(context, [{ loc: ['question'], ...UNKNOWN_QUESTION }])
    const given = new URLSearchParams(query)
    const names = [...new Set(given.keys())]
    const asked = toQueryParams(names.map((name) => [name, given.getAll(name)]))
    const params = figures.contract.request.query.safeParse(asked, { reportInput: true })
    const cell = figures.cell.safeParse(at, { reportInput: true })
    const faults = [...faultsOf(params, 'question'), ...faultsOf(cell, 'at')]
    if (!params.success || !cell.success) return refuse(context, faults)
    const problems = [periodProblem(params.data as Asked), groupProblem(params.data as Asked, cell.data as Cell)]
    const problem = [...problems, figures.problemOf(params.data, cell.data)].find((one) => one !== null)
    if (problem) return refuse(context, [{ loc: [], msg: problem, type: 'value_error' }])
    return { type, figure: { question: path, params: params.data, cell: cell.data } }
  })

const UNKNOWN_QUESTION = {
  type: 'enum' as const,
  msg: `Input should be the address of a question that counts users, such as '/funnels?events=…': '${FIGURE_PATHS.slice(0, -1).join("', '")}' or '${FIGURE_PATHS.at(-1)}'`,
}

function faultsOf({ error }: z.ZodSafeParseResult<unknown>, field: string): Fault[] {
  return error ? toFaults(error.issues, [field]) : []
}

function refuse(context: z.RefinementCtx, faults: readonly Fault[]): never {
  for (const { loc, msg, type } of faults) context.addIssue({ ...issue(type, msg), path: [...loc] })
  return z.NEVER
}

interface Asked {
  readonly start?: number
  readonly end?: number
  readonly group_by?: readonly unknown[]
}

interface Cell {
  readonly group?: unknown
}

/** A period that grew by a day each day would become too long. */
function periodProblem({ start, end }: Asked): string | null {
  if (start === undefined) return null
  if (end === undefined) return "The question should have an 'end', or no 'start'"
  if (start > end) return "The question's 'start' should not be after its 'end'"
  return end - start < MAX_DAYS ? null : `The question's period should have at most ${MAX_DAYS} days`
}

function groupProblem({ group_by: groupBy }: Asked, { group }: Cell): string | null {
  if (!Array.isArray(group) || group.length === groupBy?.length) return null
  return "'group' should have a value for each property of the question's 'group_by'"
}
