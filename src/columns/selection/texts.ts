import type { Values } from '../columns.ts'

/** The texts looked up one by one before reading many at a time pays. */
const SINGLE_LOOKUPS = 64
/** The most texts in memory. */
const MAX_TEXTS = 32_768

/** Reads texts by their codes. Each single one is a query; many are read all at once or, if they are too many, in order. */
export function textReader(values: Values): (code: number) => string {
  let lookups = 0
  let readMany: ((code: number) => string | undefined) | undefined
  return (code) => {
    lookups++
    if (lookups <= SINGLE_LOOKUPS) return values.textOf(code)
    readMany ??= values.count <= MAX_TEXTS ? readAll(values) : readInOrder(values)
    return readMany(code) ?? values.textOf(code)
  }
}

function readAll(values: Values): (code: number) => string | undefined {
  const texts = new Map(values.entries())
  return (code) => texts.get(code)
}

/** For ascending codes; earlier ones are forgotten. */
function readInOrder(values: Values): (code: number) => string | undefined {
  const entries = Iterator.from(values.entries())
  let current = entries.next()
  return (code) => {
    while (!current.done && current.value[0] < code) current = entries.next()
    return !current.done && current.value[0] === code ? current.value[1] : undefined
  }
}
