import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Fault } from '../base/errors.ts'
import { toIso } from '../base/time/days.ts'
import { LINES, TIME_ZONE_HEADER } from '../http/api/answers.ts'
import { AS_OF_HEADER } from '../questions/engine/as-of.ts'
import { DATA_SINCE_HEADER } from '../questions/engine/contract.ts'
import { type Answered, type Assistant, MAX_ANSWER_BYTES } from './assistant.ts'
import { toTables } from './table.ts'

/** What an answer carries besides its figures. */
export interface AnswerNotes {
  /** Every event stored until then is counted: ISO 8601. */
  readonly asOf: string
  /** The address of the page that shows the same. */
  readonly page: string
}

/** For errors. */
export const NO_NOTES: AnswerNotes = { asOf: '', page: '' }

/** For an answer that is current unless it says otherwise. */
export function notesFor(page: string, { c }: Assistant): AnswerNotes {
  return { asOf: toIso(c.get('now')), page: new URL(page, c.req.url).href }
}

const TOO_LARGE = `The answer is larger than ${MAX_ANSWER_BYTES / 1_048_576} MiB. Ask for less: a smaller limit, a shorter period or more filters.`

/** For answers in which something is masked. */
const MASKED =
  'Numbers of five and more digits in these values may be ids of people. They are …1, …2 and so on, in this answer only, and cannot be filtered by.'

/** What an operation answered, as the result of a tool. The moment of `notes` is for answers that name none, which are current. */
export function toResult({ status, headers, text, isMasked }: Answered, notes: AnswerNotes): CallToolResult {
  if (text === null) return toError(TOO_LARGE)
  if (status >= 400) return toError(JSON.parse(text).detail, headers.get('retry-after'))
  const named = [AS_OF_HEADER, TIME_ZONE_HEADER, DATA_SINCE_HEADER].flatMap((name) => {
    const value = headers.get(name) ?? (name === AS_OF_HEADER ? notes.asOf : null)
    return value === null ? [] : [[name, value] as const]
  })
  const about = [...named, ...(isMasked ? [['masked', MASKED] as const] : []), ['page', notes.page] as const]
  const answer = readAnswer(text, headers.get('content-type') ?? '')
  const shown = typeof answer === 'string' ? answer : [...warningsIn(answer), toTables(answer)].join('\n')
  const footer = about.map(([name, value]) => `${name}: ${value}`).join('\n')
  return {
    content: [{ type: 'text', text: `${shown}\n\n${footer}` }],
    ...(typeof answer !== 'string' && { structuredContent: answer }),
    _meta: Object.fromEntries(about),
  }
}

/** Shows warnings in full, before the figures that they are about. */
function warningsIn(answer: { readonly warnings?: readonly string[] }): string[] {
  return (answer.warnings ?? []).map((sentence) => `Warning: ${sentence}`)
}

/** JSON, a list of the JSON of all lines, or any other text as it is. */
function readAnswer(text: string, type: string): object | string {
  if (type.startsWith('application/json')) return JSON.parse(text)
  if (!type.startsWith(LINES)) return text
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** The API's own words, as the error of a tool: a sentence, or all faults. */
export function toError(detail: string | readonly Fault[], retryAfter: string | null = null): CallToolResult {
  const sentences = typeof detail === 'string' ? [detail] : detail.map(toSentence)
  return {
    isError: true,
    content: [{ type: 'text', text: sentences.join('\n') }],
    structuredContent: { detail },
    ...(retryAfter !== null && { _meta: { 'retry-after': retryAfter } }),
  }
}

function toSentence({ loc, msg }: Fault): string {
  return `${loc.slice(1).join('.')}: ${msg}`
}
