import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../access/refusals.ts'
import { jsonFault } from '../../base/json-fault.ts'
import { CSV, jsonAnswer, problems, TIME_ZONE_HEADERS } from '../../http/api/answers.ts'
import { NOT_JSON_OR_CSV } from '../../http/api/operation.ts'
import { jsonText, refTo } from '../../http/list-params.ts'
import { issue, reject, text } from '../../http/params.ts'
import { answer, answers, count, label, moment } from '../engine/contract.ts'
import { UserSegmentationResponse, userFilterParams, userListParams, userSearchParam } from '../users/contract.ts'
import { COHORTS_FULL, MAX_COHORTS, NO_COHORT } from './cohorts.ts'
import { Definition, MAX_WRITTEN, ShownCondition } from './definition/contract.ts'
import { MAX_LISTED, MAX_NAMED } from './definition/list.ts'

const NAME = { description: 'Name of the cohort.', example: 'payers' }
/** The most characters of a cohort's name. */
export const MAX_COHORT_NAME_CHARACTERS = 100

const name = text({ min: 1, max: MAX_COHORT_NAME_CHARACTERS }).openapi(NAME)
const params = z.object({ name })
/** One that could not be seen would be hard to choose. */
const visibleName = text({
  min: 1,
  max: MAX_COHORT_NAME_CHARACTERS,
  pattern: /\S/,
  mismatch: 'String should not consist of spaces',
}).openapi(NAME)

const listed = {
  name: label('Name of the cohort.', 'payers'),
  created_at: moment('When it was first stored.', '2026-11-20T10:15:30.000Z'),
}

const definition = z
  .object({
    match: label('`all` or `any`.', 'all'),
    conditions: z.array(ShownCondition).openapi({ description: 'The conditions.' }),
  })
  // Unnamed, generators would call it CohortDefinition, which is the name of what is sent.
  .openapi('ShownDefinition', {
    description: `The definition as it was sent; a list of more than ${MAX_WRITTEN} users has \`listed\`, how many, in place of \`telegram_ids\`.`,
  })

export type ShownDefinition = z.input<typeof definition>

const Cohort = z.object({ ...listed, definition }).openapi('Cohort', { description: 'A cohort and its definition.' })

const CohortAnswer = answer('CohortAnswer', { data: Cohort })

export const listCohortsContract = createRoute({
  method: 'get',
  path: '/cohorts',
  operationId: 'listCohorts',
  summary: 'Cohorts',
  description: "The cohorts of the caller's application, by name.",
  tags: ['Cohorts'],
  responses: {
    200: jsonAnswer(
      answer('CohortList', { data: z.array(z.object(listed)).openapi({ description: 'The cohorts.' }) }),
      'The cohorts.',
      TIME_ZONE_HEADERS,
    ),
    ...problems({ 404: NO_APPLICATION }),
  },
})

const body = {
  required: true,
  content: {
    'application/json': { schema: Definition },
    [CSV]: {
      schema: z.string().openapi({ description: 'One telegram id per line.', example: 'telegram_id\n7234567890\n' }),
    },
  },
}

export const putCohortContract = createRoute({
  method: 'put',
  path: '/cohorts/{name}',
  operationId: 'putCohort',
  summary: 'Storing a cohort',
  description:
    'Stores a cohort, replacing any of the same name. Its rule is applied whenever a question is asked, so a cohort is always up to date. ' +
    `Every question accepts cohorts as filters (\`{"prop": "cohort", "op": "is", "values": ["payers"]}\`) and, if it has groups, as \`group_by=cohort:payers\`. An application has at most ${MAX_COHORTS}. ` +
    `As \`text/csv\`, the body lists up to ${MAX_LISTED} telegram ids, one per line, with or without a header (a first line without digits). Wrong lines are named by their numbers, at most ${MAX_NAMED} at once.`,
  tags: ['Cohorts'],
  sample: {
    path: { name: 'payers' },
    body: { match: 'all', conditions: [{ type: 'did', event: 'Order paid', within: { days: 30 } }] },
  },
  request: { params: z.object({ name: visibleName }), body },
  responses: {
    200: jsonAnswer(CohortAnswer, 'The cohort.', TIME_ZONE_HEADERS),
    ...problems({ 404: NO_APPLICATION, 409: COHORTS_FULL, 415: NOT_JSON_OR_CSV }),
  },
})

export const getCohortContract = createRoute({
  method: 'get',
  path: '/cohorts/{name}',
  operationId: 'getCohort',
  summary: 'A cohort',
  description: 'The definition of a cohort, and how many users belong to it now.',
  tags: ['Cohorts'],
  sample: { path: { name: 'payers' } },
  request: { params },
  responses: answers(
    answer('CountedCohort', {
      data: z
        .object({ ...Cohort.shape, users: count('Users who belong to it now.', 42) })
        .openapi({ description: 'The cohort.' }),
    }),
    'The cohort.',
    { 404: NO_COHORT },
  ),
})

export const exportCohortIdsContract = createRoute({
  method: 'get',
  path: '/cohorts/{name}/telegram-ids',
  operationId: 'exportCohortIds',
  summary: 'Listed users of a cohort',
  description:
    'The telegram ids that the conditions of type `users` of a cohort list, each once, as CSV that `PUT /cohorts/{name}` accepts. Without such a condition, only the header.',
  tags: ['Cohorts'],
  sample: { path: { name: 'payers' } },
  request: { params },
  responses: {
    200: {
      description: 'A header and one id per line.',
      content: { [CSV]: { schema: z.string().openapi({ example: 'telegram_id\r\n7234567890\r\n' }) } },
    },
    ...problems({ 404: NO_COHORT }),
  },
})

export const deleteCohortContract = createRoute({
  method: 'delete',
  path: '/cohorts/{name}',
  operationId: 'deleteCohort',
  summary: 'Deleting a cohort',
  description: 'Deletes a cohort. While a saved report refers to it, the answer is a 409 that names the report.',
  tags: ['Cohorts'],
  sample: { path: { name: 'payers' } },
  request: { params },
  responses: {
    200: jsonAnswer(CohortAnswer, 'The cohort that was deleted.', TIME_ZONE_HEADERS),
    ...problems({ 404: NO_COHORT, 409: 'Saved reports refer to this cohort: “Payers in November”.' }),
  },
})

export const listCohortUsersContract = createRoute({
  method: 'get',
  path: '/cohorts/{name}/users',
  operationId: 'listCohortUsers',
  summary: 'Users of a cohort',
  description: 'The users who belong to a cohort now, with the same fields, sorting and paging as the list of users.',
  tags: ['Cohorts'],
  sample: { path: { name: 'payers' }, query: 'sort_by=total_events&limit=1' },
  request: { params, query: z.object(userListParams) },
  responses: answers(UserSegmentationResponse, 'One page of users.', { 404: NO_COHORT }),
})

/** The JSON of a definition in an address, in characters. */
const MAX_ASKED = 12_000

const TOO_LONG = `String should have at most ${MAX_ASKED} characters`

const definitionParam = z
  .string()
  .transform((json, context): unknown => {
    if (json.length > MAX_ASKED) return reject(context, issue('string_too_long', TOO_LONG))
    try {
      return JSON.parse(json)
    } catch (error) {
      const { type, msg } = jsonFault(json, error)
      return reject(context, issue(type, msg))
    }
  })
  .pipe(Definition)
  .openapi({
    ...jsonText(refTo('CohortDefinition')),
    maxLength: MAX_ASKED,
    description: `JSON, at most ${MAX_ASKED.toLocaleString('en')} characters: the definition of a cohort, with the same conditions as a stored one. Unlike a stored one, a figure in it may be of a question that refers to cohorts.`,
    example: '{"match":"all","conditions":[{"type":"figure","question":"/funnels?events=A&events=B","at":{"step":2}}]}',
  })

const FoundUsers = z
  .object({ ...UserSegmentationResponse.shape, users: count('Users on all pages.', 37) })
  .openapi('FoundUsers')

export const findUsersContract = createRoute({
  method: 'get',
  path: '/users',
  operationId: 'findUsers',
  summary: 'Find users',
  description:
    "Users of the caller's application, with the same fields, filters, sorting and paging as the list of users, and how many there are. " +
    'A search finds them by id, name or username; a definition keeps those whom it includes. ' +
    'A condition of type `figure` names a figure of an answer: then they are exactly the users whom that figure counts. To save them as a cohort, store the definition.',
  tags: ['Users'],
  sample: {
    query:
      'definition={"match": "all", "conditions": [{"type": "figure", "question": "/events/segmentation?event=Order paid", "at": {"day": "2026-11-20"}}]}&limit=1',
  },
  request: {
    query: z.object({
      definition: definitionParam.optional(),
      search: userSearchParam,
      ...userFilterParams,
      ...userListParams,
    }),
  },
  responses: answers(FoundUsers, 'One page of users.'),
})
