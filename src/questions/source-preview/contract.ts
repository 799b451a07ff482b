import { createRoute, z } from '@hono/zod-openapi'
import { handleParam, NO_OWN_HANDLE } from '../../accounts/applications/contract.ts'
import { Sources } from '../../accounts/sources/contract.ts'
import { envelope, jsonAnswer, jsonBody, problems, TIME_ZONE_HEADERS } from '../../http/api/answers.ts'
import { DEMO } from '../../http/api/sample.ts'
import { count, label } from '../engine/contract.ts'

/** The days whose new users the rules are tried on, today included. */
export const PREVIEW_DAYS = 90
/** The most start parameters that a rule shows. */
export const MAX_EXAMPLES = 5
/** The most start parameters without a rule. */
export const MAX_UNMATCHED = 20

const MatchedRule = z
  .object({
    pattern: label('The pattern.', 'ref_{referrer}'),
    users: count('Users whose start parameter this rule is the first to match.', 38),
    examples: z.array(z.string()).openapi({
      description: `Up to ${MAX_EXAMPLES} of these start parameters, in order.`,
      example: ['ref_5448148962', 'ref_7234567890'],
    }),
  })
  .openapi('MatchedRule')

const UnmatchedParameter = z
  .object({
    start_parameter: label('The start parameter.', 'spring'),
    users: count('Users acquired by it.', 12),
  })
  .openapi('UnmatchedParameter')

const SourcePreview = z
  .object({
    ...envelope,
    data: z
      .object({
        users: count(`Users whose first event was within the last ${PREVIEW_DAYS} days.`, 412),
        acquired: count('Those of them with a start parameter in `acquired_by`.', 203),
        rules: z.array(MatchedRule).openapi({ description: 'The rules of the request, in their order.' }),
        unmatched: z.array(UnmatchedParameter).openapi({
          description: `The ${MAX_UNMATCHED} start parameters with most users that no rule matches, ties by name.`,
        }),
        total_unmatched: count(
          'The number of start parameters that no rule matches, including those beyond the limit.',
          7,
        ),
      })
      .openapi({ description: 'What the rules would match.' }),
  })
  .openapi('SourcePreview')

export const previewSources = createRoute({
  method: 'post',
  path: '/applications/{handle}/sources/preview',
  operationId: 'previewSources',
  summary: 'Trying sources',
  description: `Shows how many new users of the last ${PREVIEW_DAYS} days each rule in a list would apply to. Stores nothing.`,
  tags: ['Account'],
  sample: { path: { handle: DEMO.handle }, body: { sources: DEMO.sources } },
  request: { params: z.object({ handle: handleParam }), body: jsonBody(Sources) },
  responses: {
    200: jsonAnswer(SourcePreview, 'What the rules would match.', TIME_ZONE_HEADERS),
    ...problems({ 404: NO_OWN_HANDLE }),
  },
})
