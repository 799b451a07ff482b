import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { type PropertyName, propertyOf } from '../../collection/event.ts'
import { each } from '../../storage/json-rows.ts'
import { contexts } from '../../storage/schema.ts'
import { type Filter, isNumber, NONE, type Operator, type Property } from '../filters/filter.ts'

// Pieces of the questions' statements. In all of them `e` is an event and `c` its context. What a request says is bound,
// never a piece of SQL.

/** The text of a property of the context. */
function contextText(name: PropertyName): SQL {
  const column = sql`c.${sql.identifier(columns[name]?.name ?? name)}`
  return propertyOf(name).type === 'flag' ? sql`case ${column} when 1 then 'true' when 0 then 'false' end` : column
}

const columns: Readonly<Record<string, { readonly name: string }>> = getTableColumns(contexts)

/** The contexts of the events, where anything of them is asked. */
export function withContexts(properties: readonly Property[]): SQL {
  const isAsked = properties.some((property) => property.of === 'context')
  return isAsked ? sql`cross join ${contexts} as c on c.id = e.context_id` : sql``
}

const NONE_TEXT = sql.raw(`'${NONE}'`)

/** A property as a group names it. */
function groupText(property: Property): SQL {
  return sql`coalesce(${textOf(property)}, ${NONE_TEXT})`
}

/** The groups of an event, each in its column. */
export function groupColumns(groupBy: readonly Property[]): SQL[] {
  const names = groupNames(groupBy)
  return groupBy.map((property, place) => sql`${groupText(property)} as ${names[place]}`)
}

/** The columns that groups stand in. */
export function groupNames(groupBy: readonly Property[]): SQL[] {
  return groupBy.map((_, place) => sql.raw(`group${place + 1}`))
}

/** What a series of these groups is called; null where nothing is grouped. */
export function seriesName(groups: readonly SQL[]): SQL {
  return groups.length > 0 ? sql.join([...groups], sql` || ', ' || `) : sql`null`
}

/** More columns, after others. */
export function also(columns: readonly SQL[]): SQL {
  return sql.join(columns.map((column) => sql`, ${column}`))
}

/** Text of a value; null where it is missing. Numbers as JSON writes them, arrays and objects as their JSON. */
function textOf(property: Property): SQL {
  if (property.of === 'context') return contextText(property.name)
  return sql`(select ${JSON_TEXT} from ${jsonOf(property.name)})`
}

/** One row, `v`: the JSON of a top-level property of the event's parameters, or null. */
function jsonOf(name: string): SQL {
  return sql`(select e.params -> ${`$.${JSON.stringify(name)}`} as v)`
}

const JSON_TEXT = sql`case substr(v, 1, 1) when '"' then v ->> '$' when 'n' then null else v end`

/** Whether an event passes all filters. */
export function passes(filters: readonly Filter[]): SQL {
  return sql.join([sql`true`, ...filters.map(conditionOf)], sql` and `)
}

function conditionOf({ property, operator, values }: Filter): SQL {
  switch (operator) {
    case 'set is':
      return setIs(property, values)
    case 'set is not':
      return sql`not coalesce(${setIs(property, values)}, 0)`
    default:
      return testOf(property, (text) => TESTS[operator](text, values))
  }
}

type Test = (text: SQL, values: readonly string[]) => SQL

const TESTS: Readonly<Record<Exclude<Operator, 'set is' | 'set is not'>, Test>> = {
  is: (text, values) => isAmong(sql`coalesce(${text}, ${NONE_TEXT})`, values),
  'is not': (text, values) => sql`not ${isAmong(sql`coalesce(${text}, ${NONE_TEXT})`, values)}`,
  contains,
  'does not contain': (text, values) => sql`not coalesce(${contains(text, values)}, 0)`,
  greater: ordering('>'),
  'greater or equal': ordering('>='),
  less: ordering('<'),
  'less or equal': ordering('<='),
}

/** The text of a parameter is read once, however often the test looks at it. */
function testOf(property: Property, test: (text: SQL) => SQL): SQL {
  if (property.of === 'context') return test(contextText(property.name))
  return sql`(select ${test(sql`t`)} from (select ${JSON_TEXT} as t from ${jsonOf(property.name)}))`
}

function isAmong(text: SQL, values: readonly string[]): SQL {
  return values.length === 1 ? sql`(${text} = ${values[0]})` : sql`(${text} in (select value from ${each(values)}))`
}

function contains(text: SQL, values: readonly string[]): SQL {
  return sql`exists (select 1 from ${each(values)} as w where instr(${text}, w.value) > 0)`
}

/**
 * As numbers where both sides are JSON numbers, else as text, by code points. Any value may match, so that the least demanding
 * one decides: of the numbers, of the other texts, and of all of them for a property that is no number.
 */
function ordering(comparison: '<' | '<=' | '>' | '>='): Test {
  const compare = sql.raw(comparison)
  const isEasier = (order: number) => (comparison.startsWith('>') ? order < 0 : order > 0)
  return (text, values) => {
    const number = easiest(values.filter(isNumber), (a, b) => isEasier(Number(a) - Number(b)))
    const [word, any] = [values.filter((value) => !isNumber(value)), values].map((texts) =>
      easiest(texts, (a, b) => isEasier(Buffer.compare(Buffer.from(a), Buffer.from(b)))),
    )
    const asNumber = number === undefined ? sql`false` : sql`cast(${text} as real) ${compare} cast(${number} as real)`
    const asWord = word === undefined ? sql`false` : sql`${text} ${compare} ${word}`
    const isNumeric = sql`json_valid(${text}) and ${text} not glob '*[^-+.0-9eE]*'`
    return sql`(case when ${isNumeric} then ${asNumber} or ${asWord} else ${text} ${compare} ${any} end)`
  }
}

function easiest(values: readonly string[], isEasier: (a: string, b: string) => boolean): string | undefined {
  return values.reduce<string | undefined>(
    (best, value) => (best !== undefined && !isEasier(value, best) ? best : value),
    undefined,
  )
}

/** Whether the distinct items of an array, or one value alone, are exactly these; null or false for a missing value. */
function setIs(property: Property, values: readonly string[]): SQL {
  const distinct = [...new Set(values)]
  const isOnly = (text: SQL) => (distinct.length === 1 ? sql`${text} = ${distinct[0]}` : sql`false`)
  if (property.of === 'context') return sql`(${isOnly(contextText(property.name))})`
  const items = sql`(select ${itemOf(distinct)} as item from json_each(v) as i)`
  const size = sql.raw(String(distinct.length))
  const isSame = sql`count(distinct item) = ${size} and total(item not in (${itemsOf(distinct)})) = 0`
  return sql`(select case when substr(v, 1, 1) = '[' then (select ${isSame} from ${items}) else ${isOnly(JSON_TEXT)} end from ${jsonOf(property.name)})`
}

/** An item of an array, comparable with those of `itemsOf`. The text of a number would be dear to get, so numbers stay numbers. */
function itemOf(values: readonly string[]): SQL {
  const isNumberAsText = sql`i.value in (select value from ${each(values.filter(isCanonicalNumber))})`
  return sql`case i.type when 'null' then ${NONE_TEXT} when 'true' then 'true' when 'false' then 'false'
    when 'text' then iif(${isNumberAsText}, cast(i.value as real), i.value)
    when 'integer' then cast(i.value as real) else i.value end`
}

/** These values: as numbers where a number is written so in JSON. */
function itemsOf(values: readonly string[]): SQL {
  const items = values.map((value) => [value, isCanonicalNumber(value) ? 1 : 0])
  return sql`select iif(w.value ->> 1, cast(w.value ->> 0 as real), w.value ->> 0) from ${each(items)} as w`
}

function isCanonicalNumber(value: string): boolean {
  return isNumber(value) && String(Number(value)) === value
}
