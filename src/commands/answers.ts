import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CSV, LINES } from '../http/api/answers.ts'
import type { SampleRequest } from '../http/api/sample.ts'
import type { Samples } from '../http/reference/document.ts'
import { fillPath } from '../http/reference/requests.ts'
import { localAddress, readCommandLine } from './command-line.ts'
import { evaluate } from './evaluation.ts'
import { CommandFailure, runCommand } from './failure.ts'
import { readDemoCredentials } from './local/demo-account.ts'
import { ROOT } from './wrangler.ts'

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}

const SAMPLES = `
  import { operations } from './app.ts'
  import { samplesOf } from './http/reference/document.ts'
  export default samplesOf(operations)`

/** Revokes the key that was just issued, deletes the annotation and the subscription that were just added. */
const MADE_BY: readonly (readonly [path: string, operationId: string])[] = [
  ['/keys/', 'issueKey'],
  ['/annotations/', 'addAnnotation'],
  ['/subscriptions/', 'addSubscription'],
]

/** Sends each sample request to a running service with the demo history, and writes down the answers. */
await runCommand(async () => {
  const help = 'Writes the answers of the reference from a running service: npm run generate:answers'
  if (!readCommandLine(process.argv.slice(2), { options: {}, help })) return
  const url = localAddress()
  const { apiKey } = readDemoCredentials()
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as Document
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ path, method, operationId })),
  )
  const samples = (await evaluate(SAMPLES)) as Samples
  const answers: Record<string, unknown> = {}
  // What others ask about is deleted last.
  for (const { path, method, operationId } of all.toSorted((a, b) => orderOf(a.method) - orderOf(b.method))) {
    answers[operationId] = await ask(url + withId(path, answers), {
      ...{ method, operationId, apiKey },
      request: samples.get(operationId) ?? {},
    })
  }
  const inOrder = Object.fromEntries(all.map(({ operationId }) => [operationId, answers[operationId]]))
  await writeFile(join(ROOT, 'src', 'http', 'reference', 'answers.json'), `${JSON.stringify(inOrder, null, 2)}\n`)
})

function orderOf(method: string): number {
  return Number(method === 'delete')
}

function withId(path: string, answers: Readonly<Record<string, unknown>>): string {
  const made = answers[MADE_BY.find(([beginning]) => path.startsWith(beginning))?.[1] ?? '']
  return made ? path.replace('{id}', (made as { data: { id: string } }).data.id) : path
}

interface Asking extends Readonly<Record<'method' | 'operationId' | 'apiKey', string>> {
  readonly request: SampleRequest
}

async function ask(address: string, { method, operationId, apiKey, request }: Asking): Promise<unknown> {
  const hasLines = typeof request.body === 'string'
  const type = hasLines ? LINES : 'application/json'
  const authorization = `Bearer ${apiKey}`
  const headers = { 'x-api-key': apiKey, authorization, 'tga-auth-token': apiKey, 'content-type': type }
  const body = hasLines ? String(request.body) : JSON.stringify(request.body)
  const init = { method: method.toUpperCase(), headers, ...(request.body ? { body } : {}) }
  const response = await fetch(`${fillPath(address, request)}?${encodeURI(request.query ?? '')}`, init)
  const answer = await readAnswer(response)
  if (!response.ok) throw new CommandFailure(`${operationId} answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer
}

/** The first one, where the answer is lines of JSON. */
async function readAnswer(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type')
  if (type?.startsWith(CSV)) return response.text()
  if (type !== LINES) return response.json()
  return JSON.parse((await response.text()).split('\n')[0] ?? '')
}
