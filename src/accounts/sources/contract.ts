import { createRoute, z } from '@hono/zod-openapi'
import { EFFECT_SECONDS } from '../../access/api-keys.ts'
import { partsOfPattern, patternProblem, SOURCE_PARTS, type SourcePart } from '../../base/sources.ts'
import { START_PARAMETER_CHARACTERS } from '../../base/text/text.ts'
import { answer, jsonAnswer, jsonBody, problems } from '../../http/api/answers.ts'
import { DEMO } from '../../http/api/sample.ts'
import { issue, text } from '../../http/params.ts'
import { handleParam, NO_OWN_HANDLE } from '../applications/contract.ts'

/** The most rules of an application. */
export const MAX_RULES = 50
const PART_WORDS = SOURCE_PARTS.map((part) => `\`{${part}}\``).join(', ')

const fixedValue = text({ min: 1, max: START_PARAMETER_CHARACTERS })

const SourceRule = z
  .strictObject({
    pattern: text({ min: 1, max: START_PARAMETER_CHARACTERS })
      .superRefine((pattern, context) => {
        const problem = patternProblem(pattern)
        if (problem) context.addIssue(issue('value_error', problem))
      })
      .openapi({
        description: `A pattern for the whole start parameter. ${PART_WORDS} stand for at least one character each, as few as possible; everything else is literal. Each part may occur once, and two parts need a separator between them.`,
        example: 'ads_{source}-{campaign}_{content}',
      }),
    set: z
      .strictObject(
        Object.fromEntries(
          SOURCE_PARTS.map((part) => [part, fixedValue.optional().openapi({ description: `The user's \`${part}\`.` })]),
        ) as Record<SourcePart, z.ZodOptional<typeof fixedValue>>,
      )
      .optional()
      .openapi({ description: 'Fixed values of parts that the pattern does not name.', example: { medium: 'cpc' } }),
  })
  .superRefine(({ pattern, set = {} }, context) => {
    for (const part of new Set(partsOfPattern(pattern))) {
      if (set[part] === undefined) continue
      context.addIssue({ ...issue('value_error', `The pattern already names {${part}}`), path: ['set', part] })
    }
  })
  .openapi('SourceRule')

declare module '../../base/described.ts' {
  interface Described {
    readonly sourceRule: Readonly<z.output<typeof SourceRule>>
  }
}

/** An ordered list of rules. */
export const Sources = z
  .strictObject({
    sources: z
      .array(SourceRule)
      .max(MAX_RULES)
      .openapi({
        description: `At most ${MAX_RULES} rules. The first one whose pattern matches decides what a start parameter means.`,
      }),
  })
  .openapi('Sources', { description: 'An ordered list of rules.' })

const SourcesAnswer = answer('SourcesAnswer', { data: Sources })

export const getSources = createRoute({
  method: 'get',
  path: '/applications/{handle}/sources',
  operationId: 'getSources',
  summary: 'Sources',
  description:
    'The rules that derive `source`, `medium`, `campaign`, `content` and `referrer` from the start parameter that acquired a user.',
  tags: ['Account'],
  sample: { path: { handle: DEMO.handle } },
  request: { params: z.object({ handle: handleParam }) },
  responses: { 200: jsonAnswer(SourcesAnswer, 'The rules.'), ...problems({ 404: NO_OWN_HANDLE }) },
})

export const replaceSources = createRoute({
  method: 'put',
  path: '/applications/{handle}/sources',
  operationId: 'replaceSources',
  summary: 'Changing sources',
  description: `Replaces all rules. Rules are applied when a question is asked, so a change also applies to the past. It takes effect within ${EFFECT_SECONDS} seconds.`,
  tags: ['Account'],
  sample: { path: { handle: DEMO.handle }, body: { sources: DEMO.sources } },
  request: { params: z.object({ handle: handleParam }), body: jsonBody(Sources) },
  responses: { 200: jsonAnswer(SourcesAnswer, 'The rules as they are now.'), ...problems({ 404: NO_OWN_HANDLE }) },
})
