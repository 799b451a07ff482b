import { z } from '@hono/zod-openapi'
import { describe, expect, it } from 'vitest'
import { version } from '../../../package.json'
import { operations } from '../../../src/app.ts'
import type { SampleRequest } from '../../../src/http/api/sample.ts'
import { pickParams } from '../../../src/http/params.ts'
import answers from '../../../src/http/reference/answers.json'
import { referenceOf, samplesOf } from '../../../src/http/reference/document.ts'
import { withCommands } from '../../../src/http/reference/requests.ts'

const document = referenceOf(operations)

it('the package and the interface have one version', () => expect(document.info.version).toBe(version))

it('every operation has a sample answer, and there is no other', () => {
  const ids = operations.map(({ contract }) => contract.operationId).toSorted()
  expect(Object.keys(answers).toSorted()).toEqual(ids)
})

/** What has fields that the service does not know: those that whoever sends events chooses. */
const FREE = /^(ServerEvent|ClientEvent|ClientBatch|SdkEvent|UserEvent|LatestEvent|ExportedEvent)\b/

it('the document describes every object in full, but the parameters of events', () => {
  const free: string[] = []
  const look = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) return
    const { type, properties, additionalProperties: others } = part as Record<string, unknown>
    const isAny = others === true || (typeof others === 'object' && Object.keys(others as object).length === 0)
    if (isAny || (type === 'object' && !properties && !others)) free.push(path)
    for (const [name, value] of Object.entries(part)) if (name !== 'example') look(value, `${path}.${name}`)
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) look(schema, name)
  expect(free.filter((path) => !FREE.test(path))).toEqual([])
})

interface Contract {
  readonly operationId: string
  readonly sample?: SampleRequest
  readonly request?: {
    readonly params?: z.ZodType
    readonly query?: z.ZodType
    readonly body?: { readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>> }
  }
  readonly responses: {
    readonly [status in 200 | 202]?: { readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>> }
  }
}

describe.each(operations.map(({ contract }) => contract as unknown as Contract))('$operationId', (contract) => {
  it('has a sample request that its contract takes', () => {
    const { path = {}, query = '', body } = contract.sample ?? {}
    const params = new URLSearchParams(query)
    const asked = pickParams(params, [...params.keys()])
    const none = z.strictObject({})
    expect((contract.request?.params ?? none).safeParse(path).error).toBeUndefined()
    expect((contract.request?.query ?? none).safeParse(asked).error).toBeUndefined()
    const taken = Object.values(contract.request?.body?.content ?? {})[0]?.schema ?? z.undefined()
    expect(taken.safeParse(body).error).toBeUndefined()
  })

  it('has the sample answer that its contract describes, to the last field', () => {
    const answer = (answers as Record<string, unknown>)[contract.operationId]
    const { responses } = contract
    expect(Object.values((responses[202] ?? responses[200])?.content ?? {})[0]?.schema.parse(answer)).toEqual(answer)
  })
})

describe('commands', () => {
  const commandFor = (origin: string, path: string, method = 'get') => {
    const { paths } = withCommands(document, samplesOf(operations), origin)
    return paths[path]?.[method]?.['x-codeSamples']?.[0]?.source
  }

  it('name the service as its reader does, with the key in the header that the operation reads', () => {
    const beginning = (header: string, path: string, method = 'get') =>
      expect(commandFor('https://mauve.test', path, method)).toContain(
        `'https://mauve.test${path}' \\\n  -H "${header}$KEY"`,
      )
    beginning('x-api-key: ', '/funnels')
    beginning('authorization: Bearer ', '/v1/client/config')
    beginning('TGA-Auth-Token: ', '/events', 'post')
  })

  it('show a shell nothing of the address to run', () => {
    expect(commandFor(`https://a'$(b)`, '/funnels')).toContain(`curl -G 'https://a'\\''$(b)/funnels'`)
  })
})

it('sending events comes first', () => {
  expect(document.tags[0]?.name).toBe('Tracking')
  const tracking = operations.filter(({ contract }) => contract.tags?.includes('Tracking'))
  expect(tracking[0]?.contract.operationId).toBe('collectEvents')
})
