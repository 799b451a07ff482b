import { createRoute, z } from '@hono/zod-openapi'
import { describe, expect, it } from 'vitest'
import { operations } from '../../src/app.ts'
import { toolsOf as toolsFor } from '../../src/assistants/tools.ts'
import { jsonAnswer } from '../../src/http/api/answers.ts'
import { operation } from '../../src/http/api/operation.ts'
import answers from '../../src/http/reference/answers.json'
import { referenceOf } from '../../src/http/reference/document.ts'
import { questions } from '../../src/questions/catalogue.ts'
import { createPlainApplication } from '../support/applications.ts'
import { call, connectAssistant, toolsOf } from '../support/assistant.ts'
import { createKey, postJson, request } from '../support/client.ts'

const DESCRIBE = 'describeApplication'

const READING = operations
  .filter(({ contract, needs }) => contract.method === 'get' && needs.scope === 'questions')
  .map(({ contract }) => contract.operationId as string)
  // Others answer the same with further parameters.
  .filter((name) => !['listUsers', 'getApplicationGrowth'].includes(name))

/** Operations that take a user, or whose sample answers show one. A cohort may list users by their ids; the sample one does not. */
const OF_PERSONS = operations.flatMap(({ contract: { operationId = '', path } }) => {
  const answer = JSON.stringify((answers as Record<string, unknown>)[operationId])
  const isOne =
    path.includes('{telegram_id}') ||
    /"telegram_ids?":/.test(answer) ||
    ['getCohort', 'exportCohortIds'].includes(operationId)
  return isOne && READING.includes(operationId) ? [operationId] : []
})

interface Described {
  readonly operationId: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: object
  }[]
}

async function documented(): Promise<Map<string, Described>> {
  const { paths } = await (await request('/openapi.json')).json<{ paths: Record<string, Record<string, Described>> }>()
  return new Map(Object.values(paths).flatMap((methods) => Object.values(methods).map((one) => [one.operationId, one])))
}

describe.each(['modern', 'legacy'] as const)('the tools of the %s protocol', (era) => {
  it('are all questions, with the parameters that the document gives them', async () => {
    const { key } = await createPlainApplication()
    const tools = await toolsOf(await connectAssistant({ key, era, header: 'x-api-key' }))
    const names = tools.map(({ name }) => name)
    expect(names.toSorted()).toEqual([DESCRIBE, ...READING].toSorted())
    const asked = questions.map(({ contract }) => contract.operationId as string)
    expect(asked.filter((name) => !names.includes(name))).toEqual(['getApplicationGrowth', 'listUsers'])
    const document = await documented()
    for (const { name, inputSchema } of tools.filter((tool) => tool.name !== DESCRIBE)) {
      const parameters = (document.get(name)?.parameters ?? []).filter((parameter) => parameter.in !== 'header')
      expect(Object.keys(inputSchema.properties ?? {})).toEqual(parameters.map((parameter) => parameter.name))
      expect(inputSchema.required ?? []).toEqual(
        parameters.flatMap((parameter) => (parameter.required ? [parameter.name] : [])),
      )
      expect(new Set(parameters.map((parameter) => parameter.name)).size).toBe(parameters.length)
    }
  })

  it('are listed in 40,000 characters, and introduced in 2,000', async () => {
    const { key, accountId, applicationId } = await createPlainApplication()
    const client = await connectAssistant({ key, era })
    const tools = await toolsOf(client)
    expect(JSON.stringify({ tools }).length).toBeLessThanOrEqual(40_000)
    expect(client.getInstructions()?.length).toBeLessThanOrEqual(2_000)
    expect(tools.filter(({ description }) => description?.includes('does not contain'))).toHaveLength(1)
    const own = await toolsOf(await connectAssistant({ key: await createKey(accountId, 'read', applicationId), era }))
    for (const { inputSchema } of own) expect(inputSchema.properties).not.toHaveProperty('project')
  })

  it('say what they do, and that they change nothing', async () => {
    const { key } = await createPlainApplication()
    const tools = await toolsOf(await connectAssistant({ key, era }))
    const contracts = new Map(operations.map(({ contract }) => [contract.operationId, contract]))
    for (const { name, title, description, annotations } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true })
      if (name !== DESCRIBE) expect({ title, description }).toEqual(pick(contracts.get(name)))
    }
  })
})

function pick(contract: { readonly summary?: string; readonly description?: string } | undefined) {
  return { title: contract?.summary, description: contract?.description }
}

it('a new question is a new tool, and one for persons where its answers name users', () => {
  const made = (path: string, answer: z.ZodType) =>
    operation(
      createRoute({
        method: 'get',
        path,
        operationId: path.slice(1),
        summary: 'New',
        description: 'A new question.',
        request: { query: z.object({ days: z.string() }) },
        responses: { 200: jsonAnswer(answer, 'An answer.') },
      }),
      { header: 'x-api-key', scope: 'questions' },
      async () => ({}) as never,
    )
  const Top = z.object({ telegram_id: z.number(), invited: z.number() }).openapi('Top')
  const added = [made('/counts', z.object({ users: z.number() })), made('/top', z.object({ data: z.array(Top) }))]
  const tools = toolsFor(added, referenceOf(added))
  expect(tools.map(({ name, showsPersons, parameters }) => [name, showsPersons, parameters[0]?.name])).toEqual([
    ['counts', false, 'days'],
    ['top', true, 'days'],
  ])
})

describe('tools that show individual users', () => {
  it('are offered only for keys that were issued with persons', async () => {
    const { key } = await createPlainApplication()
    const namesFor = async (order: object) => {
      const response = await postJson('/keys', key, { name: 'Assistant', ...order })
      const { data } = await response.json<{ data: { key: string } }>()
      return (await toolsOf(await connectAssistant({ key: data.key }))).map(({ name }) => name).toSorted()
    }
    const all = [DESCRIBE, ...READING].toSorted()
    const without = all.filter((name) => !OF_PERSONS.includes(name))
    expect(await namesFor({ scope: 'read' })).toEqual(without)
    expect(await namesFor({ scope: 'read', persons: true })).toEqual(all)
    expect(await namesFor({ scope: 'full', persons: false })).toEqual(without)
    expect(await namesFor({ scope: 'full' })).toEqual(all)
  })

  it('are lists of users, one user and their events, the latest events, cohorts and exports', () => {
    const known = [
      'getUser',
      'listUserEvents',
      'findUsers',
      'listUserDays',
      'listLatestEvents',
      'getCohort',
      'listCohortUsers',
    ]
    expect(OF_PERSONS).toEqual(expect.arrayContaining([...known, 'exportEvents', 'exportUsers']))
  })

  it('say why they answer nothing with other keys', async () => {
    const { accountId } = await createPlainApplication()
    const client = await connectAssistant({ key: await createKey(accountId, 'read') })
    for (const name of OF_PERSONS) {
      const { isError, text } = await call(client, name, { name: 'x', telegram_id: 1 })
      expect([isError, text]).toEqual([true, expect.stringContaining('issued without persons')])
    }
  })
})
