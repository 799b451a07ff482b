// Holds every answer of the questions while `src/questions` and `src/dashboard` are rebuilt without a change of what they say. Delete
// this folder at the end of issue 24, which ends that work. What changes on purpose is written anew with
// `npm test -- test/questions/frozen -u`; the difference of `answers.txt` then says which answers changed.

import { env } from 'cloudflare:workers'
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { operations } from '../../../src/app.ts'
import { samplesOf } from '../../../src/http/reference/document.ts'
import { fillPath } from '../../../src/http/reference/requests.ts'
import { FIGURES, questions } from '../../../src/questions/catalogue.ts'
import type { AnyReport } from '../../../src/questions/engine/report.ts'
import { questionOperations, REPORTS } from '../../../src/questions/operations.ts'
import { columnsObject } from '../../../src/storage/application-objects.ts'
import { keysOf } from '../../../src/storage/object-name.ts'
import { DEFAULT_REVENUE_RULES } from '../../../src/storage/revenue-rule.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { connectAssistant, toolsOf } from '../../support/assistant.ts'
import { createKey, getJson, postJson, request, sendJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { settle } from '../../support/objects.ts'
import { spreadOver } from '../../support/placement.ts'
import { BUSY_USER, frozenHistory, INVITER, NOW } from './history.ts'
import { CELLS, FAULTY, VARIANTS } from './variants.ts'

const _SAMPLES = samplesOf(operations)

const ZONES = ['UTC', 'Asia/Kolkata']
const SAMPLES = samplesOf(operations)
const OBJECTS = [1, 2, 4]

interface Frozen {
  readonly applicationId: number
  readonly key: string
  readonly handle: string
  readonly objects: number
}

/** Answers by zone, then by number of objects. */
let frozen: Frozen[][]

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  // Objects in one isolate wait for each other, 10 ms at a time.
  const { wait } = scheduler
  vi.spyOn(scheduler, 'wait').mockImplementation(() => wait.call(scheduler, 0))
  // A line for each of a thousand requests is of no interest.
  vi.spyOn(console, 'log').mockReturnValue()
  frozen ??= await applicationsWith(frozenHistory())
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function applicationsWith(events: readonly object[]): Promise<Frozen[][]> {
  const made: Frozen[][] = []
  for (const zone of ZONES) {
    const own: Frozen[] = []
    for (const objects of OBJECTS) own.push(await applicationWith(events, objects, zone))
    made.push(own)
  }
  return made
}

async function applicationWith(events: readonly object[], objects: number, zone: string): Promise<Frozen> {
  const { accountId, applicationId, key } = await createPlainApplication()
  const handle = `frozen_${ZONES.indexOf(zone)}${objects}`
  await env.DB.prepare("update applications set handle = ?, link = 'https://t.me/lemons' where id = ?")
    .bind(handle, applicationId)
    .run()
  await spreadOver(applicationId, objects, [1], zone)
  await deliver(messagesOf(applicationId, events, NOW))
  await settle(applicationId, objects)
  // With another key: what an isolate knows of a key is remembered for a while.
  const spare = await createKey(accountId, 'full', applicationId)
  const of = { handle, name: 'payers' }
  for (const operation of ['replaceSources', 'replaceRevenueRules', 'putCohort']) {
    const { contract } = operations.find(
      ({ contract }) => contract.operationId === operation,
    ) as (typeof operations)[number]
    const body = SAMPLES.get(operation)?.body
    const answer = await sendJson('PUT', fillPath(contract.path, { path: of }), { key: spare, body })
    if (answer.status !== 200) throw new Error(`${operation}: ${await answer.text()}`)
  }
  return { applicationId, key, handle, objects }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 10)

/** Everything of an answer but what differs between two applications. */
async function told({ key, handle }: Frozen, path: string): Promise<string> {
  const response = await getJson(path.replaceAll('{handle}', handle), key)
  const headers = ['content-type', 'figures-as-of', 'time-zone', 'data-since'].map((name) => response.headers.get(name))
  const text = await response.text()
  return [response.status, ...headers, text.replaceAll(/frozen_\d\d/g, 'frozen')].join('\n')
}

function encode(query: string): string {
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => /^([^=]*)=?(.*)$/s.exec(pair) as string[])
  return pairs.map(([, name, value]) => `${name}=${encodeURIComponent(value as string)}`).join('&')
}

function address(template: string, query: string): string {
  return query === '' ? template : `${template}?${encode(query)}`
}

/** The addresses of an operation: that of its sample request, and its variants. */
function addressesOf({ path, operationId = '' }: { path: string; operationId?: string }): string[] {
  const sample = SAMPLES.get(operationId)
  const own = { ...sample?.path, handle: '{handle}', telegram_id: String(BUSY_USER) }
  const fill = (more: object) => decodeURIComponent(fillPath(path, { path: { ...own, ...more } }))
  const variants = (VARIANTS[operationId] ?? []).map((variant) => {
    if (!path.endsWith('values') && !variant.startsWith('@')) return address(fill({}), variant)
    const [word = '', query = ''] = variant.replace('@', '').split('?')
    return address(fill({ telegram_id: word, property: encodeURIComponent(word) }), query)
  })
  return [...new Set([address(fill({}), sample?.query ?? ''), ...variants])]
}

/** A line for each address: the hash of its answer in each zone, or several if numbers of objects have answers of their own. */
async function lines(addresses: readonly string[]): Promise<string> {
  const written: string[] = []
  for (const path of addresses) {
    const hashes: string[] = []
    for (const own of frozen) {
      const answers = await Promise.all(own.map((application) => told(application, path)))
      hashes.push([...new Set(answers.map(hashOf))].join('/'))
    }
    written.push(`${hashes.join(' ')} ${decodeURIComponent(path)}`)
  }
  return `${written.join('\n')}\n`
}

const READING = questionOperations.map(({ contract }) => contract).filter(({ method }) => method === 'get')

it('answers of questions are as they were', async () => {
  expect(READING.map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining(questions.map(({ contract }) => contract.operationId)),
  )
  await expect(await lines(READING.flatMap(addressesOf))).toMatchFileSnapshot('answers.txt')
})

it('users of figures are as they were', async () => {
  const paths = CELLS.map(([question]) => question.split('?')[0])
  expect([...new Set(paths)].sort()).toEqual([...FIGURES.keys()].sort())
  const addresses = CELLS.flatMap(([question, ...cells]) =>
    cells.map((at) => {
      const [path = '', query = ''] = question.split('?')
      const definition = { match: 'all', conditions: [{ type: 'figure', question: address(path, query), at }] }
      return `/users?sort_by=total_events&limit=1000&definition=${encodeURIComponent(JSON.stringify(definition))}`
    }),
  )
  await expect(await lines(addresses)).toMatchFileSnapshot('users.txt')
})

/** Reports that only pages ask. */
const OF_PAGES: readonly (readonly [report: string, query: unknown])[] = [
  ['matches of revenue rules', { from: 20_700, to: 20_779, rules: DEFAULT_REVENUE_RULES, filters: [] }],
  ['revenue of a user', { rules: DEFAULT_REVENUE_RULES, telegramId: 3 }],
  ['bot events', {}],
  ['first event', null],
  ['first touches', { telegramIds: [1, 2, BUSY_USER, INVITER, 987] }],
]

const toJson = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)

it('reports that pages and previews ask are as they were', async () => {
  const written: string[] = []
  for (const [name, query] of OF_PAGES) {
    const report = REPORTS.get(name) as AnyReport
    for (const { applicationId, objects } of frozen.flat()) {
      const question = { report: name, query, caller: 'somebody' }
      const parts = await Promise.all(
        keysOf({ applicationId, objects }).map((key) => columnsObject(key, env.APPLICATIONS).ask(question, 20_000)),
      )
      const result = report.result(
        parts.map((reply) => 'part' in reply && reply.part),
        query,
      )
      written.push(`${hashOf(JSON.stringify(result, toJson))} ${name} ${objects}`)
    }
  }
  const { body } = SAMPLES.get('previewSources') as { body: unknown }
  for (const { key, handle, objects } of frozen.flat()) {
    const preview = await postJson(`/applications/${handle}/sources/preview`, key, body)
    written.push(`${hashOf(await preview.text())} previewSources ${objects}`)
  }
  await expect(`${written.join('\n')}\n`).toMatchFileSnapshot('reports.txt')
})

it('faults, the document and the tools of assistants are as they were', async () => {
  const [one] = frozen.flat() as [Frozen]
  const written: string[] = []
  const hold = async (what: string, text: Promise<string>) => written.push(`${hashOf(await text)} ${what}`)
  for (const contract of READING) {
    const [path = ''] = addressesOf(contract)
    const [bare] = path.split('?') as [string]
    for (const [place, query] of FAULTY.entries())
      await hold(`${bare} faulty ${place}`, told(one, address(bare, query)))
    await hold(`${bare} without parameters`, told(one, bare))
    await hold(`${bare} without a key`, told({ ...one, key: 'wrong' }, path))
    if (bare.includes('{handle}')) await hold(`${bare} unknown`, told({ ...one, handle: 'nobody_here' }, path))
  }
  const { info, ...document } = await (await request('/openapi.json')).json<{ info: object }>()
  await hold('document', Promise.resolve(JSON.stringify({ ...info, version: '' }) + JSON.stringify(document)))
  await hold(
    'tools',
    toolsOf(await connectAssistant(one)).then((tools) => JSON.stringify(tools)),
  )
  await expect(`${written.join('\n')}\n`).toMatchFileSnapshot('faults.txt')
})
