import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LINES } from '../http/api/answers.ts'
import { fillPath, SAMPLE_REQUESTS } from '../http/reference/requests.ts'
import { readDemoCredentials } from './demo/account.ts'
import { CommandFailure, runCommand } from './failure.ts'
import { ROOT } from './wrangler.ts'

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}

/** Asks a service that runs with its demo history each sample request, and writes down what it answers. */
await runCommand(async () => {
  const url = `http://localhost:${process.env.PORT || 8787}`
  const demo = await readDemoCredentials()
  if (!demo) throw new CommandFailure('There is no demo account yet: npm start, then npm run demo.')
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as Document
  const answers: Record<string, unknown> = {}
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId }] of Object.entries(methods)) {
      answers[operationId] = await ask(url + withKeyId(path, answers), { method, operationId, apiKey: demo.apiKey })
    }
  }
  await writeFile(join(ROOT, 'src', 'http', 'reference', 'answers.json'), `${JSON.stringify(answers, null, 2)}\n`)
})

/** The key that is revoked is the one that was just issued. */
function withKeyId(path: string, { issueKey }: Readonly<Record<string, unknown>>): string {
  return issueKey ? path.replace('/keys/{id}', `/keys/${(issueKey as { data: { id: string } }).data.id}`) : path
}

interface Asking {
  readonly method: string
  readonly operationId: string
  readonly apiKey: string
}

async function ask(address: string, { method, operationId, apiKey }: Asking): Promise<unknown> {
  const request = SAMPLE_REQUESTS[operationId]
  if (!request) throw new CommandFailure(`There is no sample request of ${operationId}.`)
  const hasLines = typeof request.body === 'string'
  const type = hasLines ? LINES : 'application/json'
  const headers = { 'x-api-key': apiKey, authorization: `Bearer ${apiKey}`, 'content-type': type }
  const body = hasLines ? String(request.body) : JSON.stringify(request.body)
  const init = { method: method.toUpperCase(), headers, ...(request.body ? { body } : {}) }
  const response = await fetch(`${fillPath(address, request)}?${encodeURI(request.query ?? '')}`, init)
  const answer = await readAnswer(response)
  if (!response.ok) throw new CommandFailure(`${operationId} answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer
}

/** Of lines the first one. */
async function readAnswer(response: Response): Promise<unknown> {
  if (response.headers.get('content-type') !== LINES) return response.json()
  return JSON.parse((await response.text()).split('\n')[0] ?? '')
}
