import { type DescribedOperation, referenceOf } from '../../src/http/reference/document.ts'
import { questionOperations } from '../../src/questions/operations.ts'
import type { Parameter } from './asking.ts'

type EventNames = readonly [before: string, after: string]

/** Values of the parameters that questions require, by name. Add those of a new question. */
const VALUES: Readonly<Record<string, (names: EventNames) => string | EventNames>> = {
  handle: () => '{handle}',
  telegram_id: () => '5',
  property: () => 'language',
  name: () => 'none',
  event: ([, after]) => after,
  events: (names) => names,
  series: ([, after]) => JSON.stringify([{ event: after }]),
}

const described = Object.values(referenceOf(questionOperations).paths).flatMap((methods) => Object.values(methods))

/** A question as the document has it. */
export function describedOf(name: string | undefined): DescribedOperation {
  return described.find(({ operationId }) => operationId === name) as DescribedOperation
}

/** A question with the parameters that it requires, about these events. */
export function requiredBy({ contract }: Pick<(typeof questionOperations)[number], 'contract'>, names: EventNames) {
  let { path } = contract
  const query: Parameter[] = []
  for (const { name, required, in: place } of describedOf(contract.operationId).parameters) {
    if (!required || place === 'header') continue
    const value = VALUES[name.endsWith('_event') ? 'event' : name]?.(names)
    if (!value)
      throw new Error(`'${contract.operationId}' requires '${name}': add a value to test/support/question-requests.ts`)
    if (place === 'path') path = path.replace(`{${name}}`, String(value))
    else query.push(...[value].flat().map((one): Parameter => [name, one]))
  }
  return { path, query }
}
