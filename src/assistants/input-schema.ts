import type { JSONObject, Tool } from '@modelcontextprotocol/server'
import { DEFAULT_PERIOD_DAYS, MAX_PERIOD_DAYS } from '../base/time/period.ts'
import { MAX_FILTERS } from '../questions/filters/contract.ts'
import type { QuestionTool } from './tools.ts'

// Assistants read the schemas of all tools before the first question: they say once what many tools have in common.

/** What `filters` and properties are, for the description of the tool that is called first. */
export const COMMON =
  '`filters` of other tools are objects `{"prop", "op", "values"}`, joined by AND. A property (`prop`, `group_by`) is `language`, `is_premium`, `referrer_type`, `os`, ' +
  '`device`, `brand`, `model`, `country`, `city`, `write_access`, `start_parameter`, `utm`, `verified` (each also as `first.<name>`, of the user’s first event), ' +
  '`acquired_by`, `source`, `medium`, `campaign`, `content`, `referrer`, `params.<name>` of the event, or a cohort: filters have `prop` `cohort` with names as values, groups `cohort:<name>`. ' +
  '`op` is `is`, `is not`, `contains`, `does not contain`, `greater`, `greater or equal`, `less`, `less or equal`, `set is`, `set is not`; of a cohort `is` or `is not`. ' +
  `Any of the values may match; \`(none)\` is a missing one. A period is \`start\` to \`end\`, each \`YYYYMMDD\`: by default the ${DEFAULT_PERIOD_DAYS} days up to today, at most ${MAX_PERIOD_DAYS}.`

const SHORT: ReadonlyMap<string, JSONObject> = new Map([
  ['filters', { type: 'array', items: { type: 'object' }, maxItems: MAX_FILTERS }],
  ['project', { type: 'string', description: 'Project id' }],
])

/** Keywords that a question checks by itself, in words that an assistant can correct itself by. */
const UNSAID = ['example', 'format', 'contentMediaType', 'pattern', 'minLength', 'maxLength', 'minimum']

/** The list of all properties, in the words of contracts, how HTTP repeats parameters, and the usual period. */
const PROPERTIES = /`(?:first\.)?language`, .*?`referrer`/
const SAID_ONCE = [
  /: as a repeated parameter, separated by commas, or as a JSON array/,
  /,? as a repeated parameter(, separated by commas,)? or as (a|one) JSON array/,
  /,? as plain text or as a JSON array/,
  /First day, `YYYYMMDD`\. Defaults to \d+ days before the end\.$/,
  /Last day, `YYYYMMDD`, inclusive\. Defaults to today\. A period has at most \d+ days\./,
  / You may also repeat the parameter, each time with an object or an array\./,
  / Percent-encode characters that a path does not allow\./,
]

/** The JSON Schema of the parameters, as those of one object. */
export function inputSchemaOf({ parameters }: Pick<QuestionTool, 'parameters'>): Tool['inputSchema'] {
  const required = parameters.filter(({ required }) => required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, SHORT.get(name) ?? shortened(schema)])),
    ...(required.length > 0 && { required }),
  }
}

function shortened({ description, contentSchema, ...text }: QuestionTool['parameters'][number]['schema']): JSONObject {
  // An argument may be the list that a text holds.
  const { items, ...schema } = contentSchema?.type === 'array' ? contentSchema : text
  const words = SAID_ONCE.reduce((text, pattern) => text.replace(pattern, ''), description ?? '')
  const rest = Object.entries(schema).filter(
    ([name, value]) => !UNSAID.includes(name) && value !== Number.MAX_SAFE_INTEGER && JSON.stringify(value) !== '[]',
  )
  return {
    ...(Object.fromEntries(rest) as JSONObject),
    ...(items && { items: { type: items.type ?? 'object' } as JSONObject }),
    ...(words && { description: words.replace(PROPERTIES, 'properties of users or events') }),
  }
}
