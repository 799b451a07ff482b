import { documentOf } from '../api/document.ts'
import type { Schema } from '../api/json-schema.ts'
import type { Operation } from '../api/operation.ts'
import type { SampleRequest } from '../api/sample.ts'
import answers from './answers.json'
import { ABOUT } from './contract.ts'

interface Content {
  readonly content: Readonly<Record<string, Media>>
}

interface Media {
  readonly schema: Schema
  example?: unknown
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
}

interface DescribedResponse extends Content {
  readonly description: string
  readonly headers: Readonly<Record<string, { readonly description?: string }>>
}

export interface DescribedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, DescribedResponse>>
  /** The sample request as commands, in the document that the service serves. */
  readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly label: string; readonly source: string }[]
}

export interface ReferenceDocument {
  readonly info: typeof ABOUT.info
  readonly tags: typeof ABOUT.tags
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The sample requests of operations, by their ids. */
export type Samples = ReadonlyMap<string, SampleRequest>

export function samplesOf(operations: readonly Operation[]): Samples {
  return new Map(operations.map(({ contract }) => [contract.operationId ?? '', contract.sample ?? {}]))
}

/** The OpenAPI document of these operations, each with the body of its sample request and the response from the demo history. */
export function referenceOf(operations: readonly Operation[]): ReferenceDocument {
  const document = documentOf(operations, ABOUT) as unknown as ReferenceDocument
  const samples = samplesOf(operations)
  for (const described of Object.values(document.paths).flatMap(Object.values<DescribedOperation>))
    addExample(described, samples)
  return document
}

const ANSWERS: Readonly<Record<string, unknown>> = answers

function addExample({ operationId, requestBody, responses }: DescribedOperation, samples: Samples): void {
  const body = requestBody && mediaOf(requestBody)
  if (body) body.example = samples.get(operationId)?.body
  const good = responses[202] ?? responses[200]
  if (good) mediaOf(good).example = ANSWERS[operationId]
}

/** The default media type of a body or response. For lines of JSON, schema and example describe one line. */
function mediaOf({ content }: Content): Media {
  return Object.values(content)[0] ?? { schema: {} }
}
