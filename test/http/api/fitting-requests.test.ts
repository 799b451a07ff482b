import fc from 'fast-check'
import { expect, it } from 'vitest'
import { operations } from '../../../src/app.ts'
import type { Schema } from '../../../src/http/api/json-schema.ts'
import { STORABLE } from '../../../src/http/params.ts'
import { type DescribedOperation, referenceOf } from '../../../src/http/reference/document.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { createKey, request } from '../../support/client.ts'

/** What no schema can say: docs/questions.md lists it under "Requests that fit the document". Each matches the place and the message of a fault. */
const EXCEPTIONS = [
  // The parts of a request that depend on each other.
  /\.start: (Input should not be after the end of the period|The period should have at most)/,
  /: 'start' should not be after 'end'$/,
  /\.of: (Field required|Input should only be given with the mode)/,
  /\.group_by: Input should only be given with a single series/,
  /\.reached: Input should be at most the number of events/,
  /\.filters: Filters should have at most 100 values in all/,
  /\.op: Input should be 'is' or 'is not' for a cohort/,
  /\.rules\.\d+\.filters\.\d+\.prop: Input should be a property of the event/,
  /\.set\.\w+: The pattern already names/,
  /: A question should refer to at most 10 cohorts/,
  /\.verified_only: Verified events can be required only if bot_id/,
  /\.exclude\.\d+: Input should not be a step/,
  /\.persons: A key of scope client/,
  /\.(telegram_id|telegramID): Field required/,
  /\.(datetime|timestamp|sent_at|client_timestamp): /,
  // Languages of their own, and names that others give.
  /\.formula\.\d+: /,
  /\.sources\.\d+\.pattern: /,
  /\.time_zone: Input should be the IANA name/,
  /\.(question|at)(\.|: )/,
  /\.amount: Input should have at most 100 digits/,
  // What exists: applications, saved reports, chats, members, servers; a sealed event's key.
  /: Input should be the name of a cohort/,
  /\.init_data: /,
  /\.confirm: Input should be the application's handle/,
  /\.handle: (This account has several applications|No application of this account)/,
  /^body: (List should have at least 1 telegram id|The sealed event cannot be opened)/,
  /^body\.\d+: Line \d+ should be one telegram id/,
  /\.target\.(telegram_id|chat_id|url): /,
]

const { paths, components } = referenceOf(operations)
const described = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [operation.operationId, { ...operation, path, method }] as const,
  ),
)

const application = await createPlainApplication()

it.each(described)(
  '%s refuses no request that fits the document, except for what no schema can say',
  async (_, asked) => {
    const key = await createKey(application.accountId, 'full', application.applicationId)
    await holds(
      fc.asyncProperty(requestOf(asked), async ({ address, body }) => {
        const headers = {
          'x-api-key': key,
          authorization: key,
          'tga-auth-token': key,
          'content-type': 'application/json',
        }
        const response = await request(address, {
          method: asked.method.toUpperCase(),
          headers,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        if (response.status !== 422) return void (await response.body?.cancel())
        const { detail } = (await response.json()) as { detail: { loc: unknown[]; msg: string }[] }
        const faults = detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)
        expect(faults.filter((fault) => !EXCEPTIONS.some((exception) => exception.test(fault)))).toEqual([])
      }),
      { atLeast: 3, atMost: 1_000 },
    )
  },
)

type Asked = DescribedOperation & { readonly path: string }

function requestOf({ path, parameters, requestBody }: Asked) {
  const media = requestBody?.content['application/json']
  const sent = parameters.filter((parameter) => parameter.in !== 'header' && parameter.name !== 'project')
  const values = fc.record(
    Object.fromEntries(
      sent.map(({ name, schema }) => [name, name === 'handle' ? fc.constant(application.handle) : valueFor(schema)]),
    ),
    { requiredKeys: sent.filter(({ required }) => required).map(({ name }) => name) },
  )
  return fc
    .record({ values, body: media ? valueFor(media.schema) : fc.constant(undefined) })
    .map(({ values, body }) => {
      const query = new URLSearchParams()
      let address = path
      for (const { name, in: place } of sent) {
        const texts = [values[name] ?? []].flat().map(String)
        if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(texts[0] ?? ''))
        else for (const text of texts) query.append(name, text)
      }
      return { address: `${address}?${query}`, body }
    })
}

/** Values that a schema allows; lists and texts are short. */
function valueFor({ $ref, oneOf, enum: words, contentSchema, ...schema }: Schema): fc.Arbitrary<unknown> {
  if ($ref) return valueFor(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})
  if (oneOf) return fc.oneof(...oneOf.map(valueFor))
  if (words) return fc.constantFrom(...words)
  if (contentSchema) return valueFor(contentSchema).map((value) => JSON.stringify(value))
  const { type, properties = {}, required = [], items = {}, minimum, maximum, minItems = 0, maxItems = 3 } = schema
  const types = [type].flat()
  if (types.length > 1) return fc.oneof(...types.map((one) => valueFor({ ...schema, type: one as string })))
  const bounds = { ...(minimum !== undefined && { min: minimum }), ...(maximum !== undefined && { max: maximum }) }
  switch (type) {
    case 'object':
      return fc.record(Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valueFor(field)])), {
        requiredKeys: [...required],
      })
    case 'array':
      return fc.array(valueFor(items), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) })
    case 'integer':
      return fc.integer({ min: minimum ?? Number.MIN_SAFE_INTEGER, max: maximum ?? Number.MAX_SAFE_INTEGER })
    case 'number':
      return fc.double({ ...bounds, noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'string':
      return textOf(schema)
    default:
      return fc.constant(null)
  }
}

function textOf({ pattern, format, minLength = 0, maxLength = 20 }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') })
      .map((date) => date.toISOString())
  const hasLength = (text: string) => text.length >= minLength && text.length <= maxLength
  const isAny = pattern === undefined || pattern === STORABLE
  if (!isAny) return fc.stringMatching(new RegExp(pattern, 'u')).filter(hasLength)
  const lengths = { minLength, maxLength: Math.min(maxLength, minLength + 20) }
  return fc.string({ unit: 'binary', ...lengths }).map((text) => text.replaceAll('\0', '0'))
}
