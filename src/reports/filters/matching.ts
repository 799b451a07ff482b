import { type SQL, sql } from 'drizzle-orm'
import { each } from '../../storage/json-rows.ts'
import { contexts } from '../../storage/schema.ts'
import { type Filter, isNumber, NONE, type Operator, type Property } from './filter.ts'

// Pieces of the questions' statements. In all of them `e` is an event and `c` its context. What a request says is bound,
// never a piece of SQL.

type ContextName = Extract<Property, { of: 'context' }>['name']

const CONTEXT_TEXTS: Readonly<Record<ContextName, SQL>> = {
  is_premium: flagText('is_premium'),
  language: sql`c.language`,
  referrer_type: sql`c.referrer_type`,
  os: sql`c.os`,
  device: sql`c.device`,
  brand: sql`c.brand`,
  model: sql`c.model`,
  country: sql`c.country`,
  city: sql`c.city`,
  write_access: flagText('write_access'),
  start_parameter: sql`c.start_parameter`,
  utm: sql`c.start_parameter`,
}

function flagText(column: 'is_premium' | 'write_access'): SQL {
  return sql`case c.${sql.raw(column)} when 1 then 'true' when 0 then 'false' end`
}

/** The contexts of the events, where anything of them is asked. */
export function withContexts(properties: readonly Property[]): SQL {
  const isAsked = properties.some((property) => property.of === 'context')
  return isAsked ? sql`cross join ${contexts} as c on c.id = e.context_id` : sql``
}

const NONE_TEXT = sql.raw(`'${NONE}'`)

/** A property as a group names it. */
export function groupText(property: Property): SQL {
  return sql`coalesce(${textOf(property)}, ${NONE_TEXT})`
}

/** The columns that groups stand in. */
export function groupNames(groupBy: readonly Property[]): SQL[] {
  return groupBy.map((_, place) => sql.raw(`group${place + 1}`))
}

/** What a series of these groups is called; null where nothing is grouped. */
export function nameOf(groups: readonly SQL[]): SQL {
  return groups.length > 0 ? sql.join([...groups], sql` || ', ' || `) : sql`null`
}

/** More columns, after others. */
export function also(columns: readonly SQL[]): SQL {
  return sql.join(columns.map((column) => sql`, ${column}`))
}

/** Text of a value; null where it is missing. Numbers as JSON writes them, arrays and objects as their JSON. */
function textOf(property: Property): SQL {
  if (property.of === 'context') return CONTEXT_TEXTS[property.name]
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
  if (property.of === 'context') return test(CONTEXT_TEXTS[property.name])
  return sql`(select ${test(sql`t`)} from (select ${JSON_TEXT} as t from ${jsonOf(property.name)}))`
}

function isAmong(text: SQL, values: readonly string[]): SQL {
  const [only, ...others] = values
  return others.length === 0 ? sql`(${text} = ${only})` : sql`(${text} in (select value from ${each(values)}))`
}

function contains(text: SQL, values: readonly string[]): SQL {
  return sql`exists (select 1 from ${each(values)} as w where instr(${text}, w.value) > 0)`
}

/** As numbers where both sides are JSON numbers, else as text, by code points. */
function ordering(comparison: '<' | '<=' | '>' | '>='): Test {
  const compare = sql.raw(comparison)
  return (text, values) => {
    const words = values.map((value) => [value, isNumber(value) ? 1 : 0])
    const isNumeric = sql`w.value ->> 1 and json_valid(${text}) and ${text} not glob '*[^-+.0-9eE]*'`
    const asNumbers = sql`cast(${text} as real) ${compare} cast(w.value ->> 0 as real)`
    const asTexts = sql`${text} ${compare} w.value ->> 0`
    return sql`exists (select 1 from ${each(words)} as w where case when ${isNumeric} then ${asNumbers} else ${asTexts} end)`
  }
}

/** Whether the distinct items of an array, or one value alone, are exactly these; null or false for a missing value. */
function setIs(property: Property, values: readonly string[]): SQL {
  const distinct = [...new Set(values)]
  const isOnly = (text: SQL) => (distinct.length === 1 ? sql`${text} = ${distinct[0]}` : sql`false`)
  if (property.of === 'context') return sql`(${isOnly(CONTEXT_TEXTS[property.name])})`
  const itemText = sql`case i.type when 'text' then i.value when 'null' then ${NONE_TEXT} else v -> i.key end`
  const items = sql`(select ${itemText} as t from json_each(v) as i)`
  const isSame = sql`count(distinct t) = ${sql.raw(String(distinct.length))} and total(t not in (select value from ${each(distinct)})) = 0`
  return sql`(select case when substr(v, 1, 1) = '[' then (select ${isSame} from ${items}) else ${isOnly(JSON_TEXT)} end from ${jsonOf(property.name)})`
}
