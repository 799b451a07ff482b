import { objectIn, refusalOf, requestPatiently, type Service } from '../requests.ts'
import type { BadLine, NumberedLine } from './batches.ts'

/** What became of lines that were sent. */
export interface Sent {
  readonly stored: number
  readonly known: number
  readonly bad: readonly BadLine[]
}

/** The project id of an application of the key's account. Throws `CommandFailure`. */
export async function findProject(service: Service, application: string): Promise<string> {
  const path = `/applications/${encodeURIComponent(application)}`
  const response = await requestPatiently(service, { path })
  const answer = await objectIn(response)
  const { data } = answer as { data?: { project_id?: unknown } }
  if (response.ok && typeof data?.project_id === 'string') return data.project_id
  throw refusalOf(response, service, answer)
}

/** Sends lines of an export. Throws `CommandFailure` where the service refuses all of them, or stays away. */
export async function send(service: Service, lines: readonly NumberedLine[]): Promise<Sent> {
  const response = await requestPatiently(service, {
    path: '/import/events',
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.map(({ sent }) => sent).join('\n'),
  })
  const answer = await objectIn(response)
  const { stored, known, refused } = answer as { stored?: number; known?: number; refused?: Refused[] }
  if (!response.ok || stored === undefined || known === undefined || refused === undefined)
    throw refusalOf(response, service, answer)
  return { stored, known, bad: refused.map((line) => toBadLine(line, lines)) }
}

interface Refused {
  readonly line: number
  readonly reason: string
}

function toBadLine({ line, reason }: Refused, lines: readonly NumberedLine[]): BadLine {
  const { number = 0, text = '' } = lines[line - 1] ?? {}
  return { number, reason, text }
}
