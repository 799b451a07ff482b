import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { needOwned, registrationOf } from './client.ts'
import {
  alternatives,
  bodySchema,
  document,
  expectListed,
  fits,
  fitsClosed,
  goodStatusOf,
  type Operation,
  operations,
  type Parameter,
  resolve,
  type Schema,
  sample,
  sampleOf,
  schemaOf,
  send,
  undescribed,
  written,
} from './openapi.ts'
import type { Owned } from './service.ts'

const MAX_BODY_BYTES = 1_048_576

describe('the document (§Versioning)', () => {
  it('is OpenAPI 3.1 of version 1.0.0', () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(document.info.version).toBe('1.0.0')
  })

  it('holds every operation of the specification', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'POST /applications/register',
        'GET /monthly-active-users/timeseries/{handle}',
        'GET /monthly-active-users/growth-trend',
        'GET /users/segmentation',
        'GET /users/segmentation/aggregated',
        'GET /funnels',
        'GET /events/segmentation',
        'GET /enterprise/{handle}/premium-timeseries',
        'GET /enterprise/available-handles',
        'GET /v1/client/config',
        'POST /v1/client/events',
      ]),
    )
  })
})

it('every field has a description', () => expect(undescribed()).toEqual([]))

describe.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  '%s',
  (_, operation) => {
    describeItself(operation)
    for (const parameter of operation.parameters) describeParameter(operation, parameter)
    const schema = bodySchema(operation)
    if (schema) describeBody(operation, schema)
  },
)

function describeItself(operation: Operation): void {
  it('has a declared tag, and describes its errors', () => {
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...operation.tags]))
    expect(operation.tags).toHaveLength(1)
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining([String(goodStatusOf(operation)), '401', '403', '422', '429', '500', '503']),
    )
  })

  it('has an example for every answer, and for the body, which keeps to its schema', () => {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      const { example, schema } = Object.values(content ?? {})[0] ?? {}
      expect(schema).toBeDefined()
      expect(fitsClosed(schema ?? {}, example), status).toBe(true)
    }
    const body = Object.values(operation.requestBody?.content ?? {})[0]
    if (body) expect(fits(body.schema, body.example)).toBe(true)
  })

  it('says its examples of errors word for word', async (context) => {
    const said = await errorsOf(operation, needOwned(context))
    const rare = ['429', '500', '503']
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (Number(status) < 400 || rare.includes(status)) continue
      // It takes a thousand keys: test/accounts/keys.test.ts makes them.
      if (operation.operationId === 'issueKey' && status === '409') continue
      // It takes other changes under way: test/lifecycle/applications/time-zone.test.ts makes them.
      if (operation.operationId === 'updateApplication' && status === '409') continue
      // It takes a subscription of a chat: test/notifications/webhooks.test.ts has one.
      if (operation.operationId === 'rotateSubscriptionSecret' && status === '409') continue
      // It takes a thousand annotations, a hundred cohorts, many subscriptions, or a saved report: their own tests make them.
      const isFull = ['addAnnotation', 'addSubscription', 'putCohort', 'deleteCohort'].includes(operation.operationId)
      if (isFull && status === '409') continue
      expect(said.get(Number(status)), status).toContainEqual(content?.['application/json']?.example)
    }
  })

  it('answers 200 or 202 to its samples', async () => {
    expect(await expectListed(operation, await send(operation))).toBe(goodStatusOf(operation))
  })
}

/** The errors of an operation, by status, for requests with one fault each. */
async function errorsOf(operation: Operation, owned: Owned): Promise<Map<number, unknown[]>> {
  const isRegistration = operation.operationId === 'registerApplication'
  const project = operation.parameters.find(({ name }) => name === 'project') as Parameter
  const handle = operation.parameters.find(({ name }) => name === 'handle')
  const key = operation.parameters.find(({ name }) => name === 'id')
  const cohort = operation.parameters.find(({ name, in: place }) => name === 'name' && place === 'path')
  const user = operation.parameters.find(({ name, in: place }) => name === 'telegram_id' && place === 'path')
  const answers = await Promise.all([
    send(operation, { key: randomUUID() }),
    send(operation, { key: owned.clientKey }),
    send(operation, { headers: { 'x-project-id': owned.foreignProjectId } }),
    send(operation, { parameter: { changed: project, values: [owned.projectId, owned.projectId] } }),
    // A registration would give its account an application: it must stay without one, for other tests.
    ...(isRegistration
      ? [send(operation, { body: registrationOf(`@${owned.foreignHandle}`) })]
      : [send(operation, { key: owned.standardKey })]),
    ...(user ? [send(operation, { parameter: { changed: user, values: ['1'] } })] : []),
    ...(key ? [send(operation, { parameter: { changed: key, values: ['0123456789abcdef'] } })] : []),
    ...(cohort && operation.method !== 'PUT'
      ? [send(operation, { parameter: { changed: cohort, values: ['no such cohort'] } })]
      : []),
    ...(handle ? [send(operation, { parameter: { changed: handle, values: ['no_such_handle'] } })] : []),
    ...(operation.requestBody
      ? [
          send(operation, { headers: { 'content-type': 'text/plain' } }),
          send(operation, { body: ' '.repeat(MAX_BODY_BYTES + 1) }),
        ]
      : []),
  ])
  const said = new Map<number, unknown[]>()
  for (const answer of answers) {
    const status = await expectListed(operation, answer.clone())
    said.set(status, [...(said.get(status) ?? []), await answer.json()])
  }
  return said
}

/** Values that a parameter must take, must refuse, and about which a schema cannot say. */
interface Values {
  readonly good: readonly unknown[]
  readonly bad: readonly unknown[]
  readonly others: readonly unknown[]
}

function valuesOf(schema: Schema): Values {
  const { enum: words, minimum, maximum, minLength, maxLength, minItems = 0, maxItems, items = {} } = schema
  if (schema.contentSchema) {
    const { good, bad, others } = valuesOf(resolve(schema.contentSchema))
    return { good: good.map(toJson), bad: bad.map(toJson), others: [...ODD_TEXTS, ...others] }
  }
  if (words) return { good: words, bad: ['no such value', '', `${words[0]} `], others: [] }
  switch (schema.type) {
    case 'integer':
      return {
        good: [minimum, maximum, minimum === undefined ? 1 : minimum + 1].filter(isKnown),
        bad: [minimum === undefined ? undefined : minimum - 1, ...(maximum ? [above(maximum)] : [])]
          .filter(isKnown)
          .concat([...NO_NUMBERS, 'null', '9'.repeat(400)] as never[]),
        others: [],
      }
    case 'boolean':
      return { good: [true, false, 'YES', '0', 'off'], bad: ['x', '', '2', 'null'], others: [] }
    case 'array': {
      const known = Array.isArray(schema.example) ? schema.example : [sample(items)]
      const list = (length: number) => Array.from({ length }, (_, index) => known[index % known.length])
      return {
        good: [list(Math.max(minItems, 1)), ...(maxItems ? [list(maxItems)] : [])],
        bad: [...(minItems > 1 ? [list(minItems - 1)] : []), ...(maxItems ? [list(maxItems + 1)] : [])],
        others: ['', '[', '{}', '[]', '["a"]', 'null', JSON.stringify(list(Math.max(minItems, 1)))],
      }
    }
    case 'object':
      return { good: [sample(schema)], bad: [], others: [] }
    default: {
      const texts = [...ODD_TEXTS, ...bounds(schema, 'a')]
      return {
        good: [minLength, maxLength].filter(isKnown).map((length) => 'a'.repeat(length)),
        bad: texts.filter((text) => !fits(schema, text)),
        others: texts.filter((text) => fits(schema, text)),
      }
    }
  }
}

function toJson(value: unknown): string {
  return JSON.stringify(value)
}

/** Values of a query that are no whole number. */
const NO_NUMBERS = ['', 'ten', '1.5', '1e3', '0x10', '٣', 'NaN', '1 2', '--1']
const NO_NUMBER_MESSAGE = 'Input should be a valid integer, unable to parse string as an integer'

const ODD_TEXTS = ['', 'x', 'é🍋\u202e', "' or 1=1 --", '%00', '\0', 'x'.repeat(2000)]

function isKnown<T>(value: T | undefined): value is T {
  return value !== undefined
}

/** The next whole number, as a text: beyond 2^53 a number would stay what it is. */
function above(value: number): string {
  return String(BigInt(value) + 1n)
}

/** Modes that need the parameter that they measure. */
const MEASURES = ['sum', 'avg', 'min', 'max', 'median', 'p90', 'per_user', 'distinct']

/** Whether an operation before this one has the same parameter: what matters then is that this one reads it too. */
function isTriedBefore(operation: Operation, { name, in: place, schema, content }: Parameter): boolean {
  const isSame = (other: Parameter) =>
    isDeepStrictEqual([other.name, other.in, other.schema, other.content], [name, place, schema, content])
  return operations.find(({ parameters }) => parameters.some(isSame)) !== operation
}

function describeParameter(operation: Operation, parameter: Parameter): void {
  const schemas = alternatives(schemaOf(parameter))
  const isScalar =
    schemas.length === 1 && !parameter.content && !schemas[0]?.contentSchema && schemas[0]?.type !== 'array'
  const isProject = ['project', 'x-project-id'].includes(parameter.name)
  const statusOf = async (values: readonly string[]) =>
    expectListed(operation, await send(operation, { parameter: { changed: parameter, values } }))

  const all = schemas.map(valuesOf)
  const few = <T>(values: readonly T[]) => (isTriedBefore(operation, parameter) ? values.slice(0, 1) : values)
  const good = isProject ? [] : few(all.flatMap((values) => values.good))
  const bad = few(all.flatMap((values) => values.bad))
  const others = few(all.flatMap((values) => values.others.map((value) => written(parameter, value)[0] ?? '')))

  describe(`${parameter.in} ${parameter.name}`, () => {
    it('has a description, and an example or a default or all its values', () => {
      const { example, default: fallback, enum: words } = schemaOf(parameter)
      expect(parameter.description).toMatch(/\w/)
      expect(parameter.example ?? example ?? fallback ?? words).toBeDefined()
    })

    if (good.length > 0) {
      it('accepts values within its bounds', async () => {
        const status = goodStatusOf(operation)
        const found = parameter.in === 'path' ? [status, 404] : [status]
        const isMeasured = (value: unknown) =>
          operation.operationId === 'segmentEvents' && parameter.name === 'mode' && MEASURES.includes(String(value))
        for (const value of good)
          expect(isMeasured(value) ? [422] : found, JSON.stringify(value)).toContain(
            await statusOf(written(parameter, value)),
          )
      })
    }

    if (bad.length > 0) {
      it('refuses what does not', async () => {
        for (const value of bad) {
          const values = written(parameter, value)
          if (isSendable(values[0] ?? '')) await expectFault(values, value)
        }
      })
    }

    if (others.length > 0) {
      it('answers as it says to anything else', async () => {
        for (const text of others.filter(isSendable)) await statusOf([text])
      })
    }

    if (parameter.in === 'query') {
      it('is known when it is missing, and when it is given twice', async () => {
        const known = sampleOf(parameter)
        const [text = ''] = written(parameter, known ?? randomUUID())
        if (parameter.required) await expectFault([], 'missing')
        if (isScalar && known !== undefined) await expectFault([text, text], 'twice')
        else await statusOf([text, text])
      })
    }
  })

  /** A header can carry no other characters, and an empty part of a path is no part. */
  function isSendable(text: string): boolean {
    if (parameter.in === 'header') return /^[\x20-\x7e]*$/.test(text)
    return parameter.in === 'query' || text !== ''
  }

  async function expectFault(values: readonly string[], what: unknown): Promise<void> {
    const response = await send(operation, { parameter: { changed: parameter, values } })
    expect(await expectListed(operation, response.clone()), JSON.stringify(what)).toBe(422)
    const { detail } = (await response.json()) as { detail: { loc: unknown[] }[] }
    for (const { loc } of detail) expect(loc.slice(0, 2), JSON.stringify(what)).toEqual([parameter.in, parameter.name])
    if (parameter.in === 'query' && NO_NUMBERS.includes(String(what)) && schemaOf(parameter).type === 'integer') {
      expect(detail).toMatchObject([{ type: 'int_parsing', msg: NO_NUMBER_MESSAGE }])
    }
  }
}

function describeBody(operation: Operation, schema: Schema): void {
  const statusOf = async (body: unknown, headers: Record<string, string> = {}) =>
    expectListed(operation, await send(operation, { body, headers }))

  it('takes JSON of a bounded size only', async () => {
    const good = JSON.stringify(sample(schema))
    expect(await statusOf(good, { 'content-type': 'text/plain' })).toBe(415)
    expect(await statusOf(good, { 'content-encoding': 'gzip' })).toBe(415)
    expect(await statusOf(good.padEnd(MAX_BODY_BYTES + 1, ' '))).toBe(413)
  })

  it('refuses malformed JSON and an empty body', async () => {
    for (const text of ['', ' ', '{', 'x', '{"a":1}{', '\0']) expect(await statusOf(text), text).toBe(422)
  })

  it('refuses what fits no form', async () => {
    for (const value of ODD_VALUES) {
      const status = await statusOf(JSON.stringify(value))
      if (!fits(schema, value)) expect(status, JSON.stringify(value)).toBe(422)
    }
  })

  for (const [index, form] of alternatives(schema).entries()) {
    const title = `form ${index + 1}`
    if (form.type === 'object') {
      describe(title, () => describeFields(form, (body) => statusOf(body), { body: () => sample(form) as object }))
    }
    if (form.type === 'array') describe(title, () => describeList(form, { good: goodStatusOf(operation), statusOf }))
  }
}

const ODD_VALUES = [null, true, false, 0, -1, 1.5, 1e300, '', 'x', '\ud800', [], [null], {}, { a: 1 }]
/** One of each kind, for a field; its bounds come beside. */
const ODD_FIELDS = [null, true, 1.5, 1e300, '', '\ud800', [null], { a: 1 }]

interface Around {
  /** Makes the whole value from one of this part. */
  readonly wrap?: (part: object) => unknown
  /** A part that is good. */
  readonly body: () => object
}

function describeFields(
  form: Schema,
  statusOf: (body: unknown) => Promise<number>,
  { body, wrap = (part) => part }: Around,
): void {
  for (const [name, known] of Object.entries(form.properties ?? {})) {
    const field = resolve(known)
    const status = (value: unknown) => statusOf(wrap({ ...body(), [name]: value }))

    it(`${name}: takes and refuses what its schema says`, async () => {
      const isRead = (await statusOf(wrap(body()))) === 200
      const atBounds = alternatives(field).flatMap((choice) => bounds(choice, sample(choice, name)))
      const check = async (value: unknown) => {
        const found = await status(value)
        if (!fits(form, { ...body(), [name]: value })) expect(found, JSON.stringify(value)).toBe(422)
        else if (isRead && atBounds.includes(value)) expect(found, JSON.stringify(value)).not.toBe(422)
      }
      await Promise.all([...ODD_FIELDS, ...atBounds].map(check))
      if (form.required?.includes(name)) expect(await status(undefined)).toBe(422)
      else if (isRead) expect(await status(undefined)).toBe(200)
    })

    if (field.properties) {
      const inner = () => sample({ ...field, type: 'object' }) as object
      describe(name, () =>
        describeFields(field, statusOf, { body: inner, wrap: (part) => wrap({ ...body(), [name]: part }) }),
      )
    }
  }
}

/** Texts and numbers at, below and above each bound; texts begin as the good one does, since a pattern may ask for it. */
function bounds({ minLength, maxLength, minimum, maximum }: Schema, good: unknown): unknown[] {
  const start = typeof good === 'string' ? good.slice(0, 1) : 'a'
  const texts = [minLength, maxLength].filter(isKnown).flatMap((length) => [length - 1, length, length + 1])
  const numbers = [minimum, maximum].filter(isKnown).flatMap((bound) => [bound - 1, bound, bound + 1])
  return [
    ...texts.filter((length) => length >= 0).map((length) => start.padEnd(length, 'a').slice(0, length)),
    ...numbers,
  ]
}

interface Sending {
  /** The status where all is well. */
  readonly good: number
  readonly statusOf: (body: unknown) => Promise<number>
}

function describeList(form: Schema, { good, statusOf }: Sending): void {
  const { minItems = 0, maxItems = 0, items = {} } = form
  const list = (length: number) => Array.from({ length }, () => sample(items))

  it('takes a list at its bounds and no other', async () => {
    for (const length of [minItems, maxItems]) expect(await statusOf(list(length)), String(length)).toBe(good)
    for (const length of [minItems - 1, maxItems + 1].filter((length) => length >= 0)) {
      expect(await statusOf(list(length)), String(length)).toBe(422)
    }
  })

  it('names the item that is wrong', async () => {
    for (const value of ODD_VALUES.filter((value) => !fits(items, value))) {
      expect(await statusOf([...list(1), value]), JSON.stringify(value)).toBe(422)
    }
  })
}
