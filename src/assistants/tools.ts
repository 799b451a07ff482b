import { CSV } from '../http/api/answers.ts'
import type { Schema } from '../http/api/json-schema.ts'
import type { Operation } from '../http/api/operation.ts'
import type { DescribedOperation, ReferenceDocument } from '../http/reference/document.ts'
import type { QuestionOperation } from '../questions/engine/question.ts'

/** An operation that an assistant can call. */
export interface QuestionTool {
  /** The operation's id. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** With parameters in braces. */
  readonly path: string
  readonly parameters: readonly ToolParameter[]
  /** Whether its answers name individual users, or it takes one. */
  readonly showsPersons: boolean
}

type ToolParameter = DescribedOperation['parameters'][number]

/** An operation, and what questions say of themselves. */
export type OfferedOperation = Operation & Pick<QuestionOperation<unknown>, 'isCovered'>

/** A tool for every operation that a key of scope `read` opens, in the order of the document. */
export function toolsOf(operations: readonly OfferedOperation[], document: ReferenceDocument): QuestionTool[] {
  return operations
    .filter(isReading)
    .map(({ contract: { path, operationId = '', summary = '', description = '' } }) => {
      const described = document.paths[path]?.get as DescribedOperation
      return {
        name: operationId,
        title: summary,
        description,
        path,
        parameters: described.parameters.filter((parameter) => parameter.in !== 'header'),
        showsPersons: namesPersons(described, document.components.schemas),
      }
    })
}

function isReading({ contract, needs, isCovered = false }: OfferedOperation): boolean {
  return contract.method === 'get' && needs.scope === 'questions' && !isCovered
}

/** What fields and parameters with ids of users are called. */
const PERSON_FIELDS = ['telegram_id', 'telegram_ids']

type Schemas = ReferenceDocument['components']['schemas']

function namesPersons({ parameters, responses }: DescribedOperation, schemas: Schemas): boolean {
  if (parameters.some(({ name }) => PERSON_FIELDS.includes(name))) return true
  const content = responses[200]?.content ?? {}
  // Nothing describes the columns of a table.
  if (CSV in content) return true
  const answered = Object.values(content).map(({ schema }) => schema)
  return namesPersonsIn(answered, schemas, new Set())
}

/** Looks into every schema inside these, once into each that has a name. */
function namesPersonsIn(part: unknown, schemas: Schemas, seen: Set<string>): boolean {
  if (typeof part !== 'object' || part === null) return false
  const { properties, $ref } = part as Schema
  if (properties && PERSON_FIELDS.some((name) => Object.hasOwn(properties, name))) return true
  const named = $ref?.split('/').at(-1)
  if (named !== undefined && !seen.has(named) && namesPersonsIn(schemas[named], schemas, seen.add(named))) return true
  return Object.values(part).some((inner) => namesPersonsIn(inner, schemas, seen))
}
