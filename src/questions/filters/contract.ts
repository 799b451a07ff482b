import { z } from '@hono/zod-openapi'
import { toCountryName } from '../../base/text/country.ts'
import {
  asksForWhole,
  COHORT,
  type EventProperty,
  type Filter,
  isUserProperty,
  MAX_GROUPED_BY,
  MAX_GROUPS,
  OPERATORS,
  type Operator,
  PROPERTY_NAMES,
  parseProperty,
  USER_PROPERTY_NAMES,
  type UserProperty,
} from '../../columns/selection/filter.ts'
import { jsonListParam, listParam, wordItems } from '../../http/list-params.ts'
import { isStorable, issue, NOT_STORABLE, reject, STORABLE, withoutNulls } from '../../http/params.ts'

/** The most filters of a request, and of each part of it that has some of its own. */
export const MAX_FILTERS = 10
/** The most values in all filters together. */
export const MAX_VALUES = 100
const PROPERTY_WORDS = alternatives(PROPERTY_NAMES)
const FILTERED_WORDS = alternatives([...PROPERTY_NAMES, COHORT])
const GROUPED_WORDS = alternatives([...PROPERTY_NAMES, `${COHORT}:<name>`])
const WHOLE_WORDS = alternatives(PROPERTY_NAMES.filter((name) => !name.startsWith('params.')))
const USER_WORDS = alternatives(USER_PROPERTY_NAMES)
/** Words as Markdown code, so that the document does not take angle brackets for tags. */
const DESCRIBED_PROPERTIES = PROPERTY_WORDS.replaceAll("'", '`')

const USER_CHOICES = USER_PROPERTY_NAMES.map((name) => name.replace('.', '\\.'))
const CONTEXT_CHOICES = USER_PROPERTY_NAMES.filter((name) => name.startsWith('first.')).map((name) =>
  name.slice('first.'.length),
)
const PARAMETER = 'params\\.[^\\x00]*'
/** Patterns of properties in the OpenAPI document. */
const PATTERNS = {
  ofUser: patternOf(...USER_CHOICES),
  whole: patternOf(...CONTEXT_CHOICES, ...USER_CHOICES),
  any: patternOf(...CONTEXT_CHOICES, ...USER_CHOICES, PARAMETER),
  filtered: patternOf(...CONTEXT_CHOICES, ...USER_CHOICES, PARAMETER, COHORT),
  // Commas separate several.
  grouped: patternOf(...CONTEXT_CHOICES, ...USER_CHOICES, 'params\\.[^\\x00,]*', `${COHORT}:[^\\x00,]*`),
}

function patternOf(...choices: readonly string[]): string {
  return `^(${choices.join('|')})$`
}

function alternatives(words: readonly string[]): string {
  return `'${words.slice(0, -1).join("', '")}' or '${words.at(-1)}'`
}

const propertyItem = z.string().transform((text, context) => toProperty(text, context, PROPERTY_WORDS))

/** A property of events, or `cohort`. */
const filteredItem = z
  .string()
  .transform(
    (text, context): EventProperty =>
      text === COHORT ? { of: 'cohort', name: '' } : toProperty(text, context, FILTERED_WORDS),
  )

/** A property of events, or a cohort's name after `cohort:`. */
function toGroupedProperty(text: string, context: z.RefinementCtx): EventProperty {
  const isCohort = text.startsWith(`${COHORT}:`) && isStorable(text)
  return isCohort ? { of: 'cohort', name: text.slice(COHORT.length + 1) } : toProperty(text, context, GROUPED_WORDS)
}

function toProperty(text: string, context: z.RefinementCtx, words: string): EventProperty {
  const property = parseProperty(text)
  if (!isStorable(text)) return reject(context, issue('value_error', NOT_STORABLE))
  return property ?? reject(context, issue('enum', `Input should be ${words}`))
}

const MEASURED = '^params\\.[^\\x00]+$'

/** The parameter of an event that is measured, as `params.<name>` in a query. */
export const measuredParam = z
  .string()
  .transform((text, context) => {
    const property = parseProperty(text)
    if (!isStorable(text)) return reject(context, issue('value_error', NOT_STORABLE))
    return property?.of === 'params' && property.name !== ''
      ? property.name
      : reject(context, issue('value_error', "Input should be 'params.<name>'"))
  })
  .openapi({ type: 'string', pattern: MEASURED })

/** A property as part of a path. */
export const propertyParam = propertyItem.openapi({
  type: 'string',
  pattern: PATTERNS.any,
  description: `${DESCRIBED_PROPERTIES}. Percent-encode characters that a path does not allow.`,
  example: 'params.method',
})

/** A property of users. */
export const userPropertyParam = z
  .string()
  .transform((text, context): UserProperty => {
    const property = parseProperty(text)
    return property && isUserProperty(property)
      ? property
      : reject(context, issue('enum', `Input should be ${USER_WORDS}`))
  })
  .openapi({
    type: 'string',
    pattern: PATTERNS.ofUser,
    description: `A property of users: ${USER_WORDS.replaceAll("'", '`')}.`,
    example: 'campaign',
  })

/** Values compare as text: a number as JSON writes it, a boolean as `true` or `false`. */
const valueItem = z.unknown().transform((value, context) => {
  const isScalar = ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
  if (isScalar && isStorable(String(value))) return String(value)
  context.addIssue(
    isScalar
      ? issue('value_error', NOT_STORABLE)
      : issue('string_type', 'Input should be a string, a finite number, true or false'),
  )
  return z.NEVER
})

const filter = {
  op: z.enum(OPERATORS).openapi({ description: 'How values are compared.' }),
  values: z
    .array(
      valueItem.openapi({
        oneOf: [{ type: 'string', pattern: STORABLE }, { type: 'number' }, { type: 'boolean' }],
      }),
    )
    .min(1)
    .max(MAX_VALUES)
    .openapi({ description: 'Texts, numbers or booleans; `(none)` stands for a missing value.' }),
}

interface WrittenFilter {
  readonly prop: EventProperty
  readonly op: Operator
  readonly values: string[]
}

function toFilter({ prop, op, values }: WrittenFilter): Filter {
  return { property: prop, operator: op, values: storedValues(prop, op, values) }
}

const COHORT_OPERATORS: readonly Operator[] = ['is', 'is not']

const filterOf = z.object({
  prop: filteredItem.openapi({
    type: 'string',
    pattern: PATTERNS.filtered,
    description: `${DESCRIBED_PROPERTIES}, or \`cohort\`.`,
  }),
  ...filter,
})

function filterItem(object: typeof filterOf) {
  return object
    .refine(({ prop, op }) => prop.of !== 'cohort' || COHORT_OPERATORS.includes(op), {
      path: ['op'],
      message: `Input should be '${COHORT_OPERATORS.join("' or '")}' for a cohort`,
      params: { type: 'enum' },
    })
    .transform(toFilter)
}

/** A filter that cannot name a cohort. */
const eventFilterItem = z
  .object({
    prop: propertyItem.openapi({ type: 'string', pattern: PATTERNS.any, description: `${DESCRIBED_PROPERTIES}.` }),
    ...filter,
  })
  .transform(toFilter)
  .openapi('EventFilter', { additionalProperties: false })

/** Countries are stored by their English names. Operators that compare whole values also accept the country code. */
function storedValues(property: EventProperty, operator: Operator, values: string[]): string[] {
  const isCountry =
    (property.of === 'context' || property.of === 'first') && property.name === 'country' && asksForWhole(operator)
  return isCountry ? values.map((value) => toCountryName(value) ?? value) : values
}

const FILTER_EXAMPLE = { prop: 'country', op: 'is', values: ['Germany', 'Austria'] } as const

const fewValues = [
  (filters: readonly Filter[]) => filters.reduce((sum, { values }) => sum + values.length, 0) <= MAX_VALUES,
  { message: `Filters should have at most ${MAX_VALUES} values in all`, params: { type: 'too_long' } },
] as const

/** A filter on a property of contexts or of users, but not on a parameter. */
export const wholeFilter = {
  shape: {
    ...filter,
    prop: z
      .string()
      .transform((text, context): EventProperty => {
        const property = parseProperty(text)
        return property && property.of !== 'params'
          ? property
          : reject(context, issue('enum', `Input should be ${WHOLE_WORDS}`))
      })
      .openapi({ type: 'string', pattern: PATTERNS.whole, description: `${WHOLE_WORDS.replaceAll("'", '`')}.` }),
  },
  toFilter,
}

/** Filters within JSON that cannot name cohorts, so that cohorts may be defined by what they select. */
export const eventFilterItems = z
  .array(eventFilterItem)
  .max(MAX_FILTERS)
  .refine(...fewValues)

const filtersList = jsonListParam(
  'Filter',
  filterItem(filterOf).openapi({ additionalProperties: false, example: FILTER_EXAMPLE }),
  {
    min: 0,
    max: MAX_FILTERS,
    form: '{"prop": …, "op": …, "values": […]}',
  },
)

/** Filters, joined by AND. */
export const filtersParam = filtersList.schema
  .refine(...fewValues)
  .prefault('[]')
  .openapi({
    ...filtersList.described,
    description:
      `JSON: an array of \`{"prop": …, "op": …, "values": […]}\`. You may also repeat the parameter, each time with an object or an array. Filters are joined by AND. ` +
      `\`prop\` is ${DESCRIBED_PROPERTIES}, or \`cohort\`, whose values are names of cohorts and whose operators are \`is\` and \`is not\`; \`op\` is one of \`${OPERATORS.join('`, `')}\`; \`values\` are texts, numbers or booleans, at most ${MAX_VALUES} in all filters. An event passes if any of them matches, with a negated operator if none does. ` +
      '`(none)` stands for a missing value.',
    example: JSON.stringify([FILTER_EXAMPLE]),
  })

/** Filters within JSON: a field that is null counts as missing, and unknown fields are refused. */
export const filtersField = z
  .array(z.preprocess(withoutNulls, filterItem(filterOf.strict())))
  .max(MAX_FILTERS)
  .refine(...fewValues)

/** Properties to group by: repeated, with commas between them, or a JSON array. */
export const groupByParam = listParam(wordItems, z.string().transform(toGroupedProperty), {})
  .refine(...atMost(MAX_GROUPED_BY))
  .default([])
  .openapi({
    type: 'array',
    items: { type: 'string', pattern: PATTERNS.grouped },
    maxItems: MAX_GROUPED_BY,
    description: `Up to ${MAX_GROUPED_BY} of ${DESCRIBED_PROPERTIES} or \`cohort:<name>\`: as a repeated parameter, separated by commas, or as a JSON array. Returns one series per combination, for the ${MAX_GROUPS} with the largest \`key_value\`.`,
    example: ['country'],
  })

/** One property to group by, with its name as in the request. `returned` says which groups the answer has. */
export function groupByOneParam(returned: string) {
  return listParam(
    wordItems,
    z.string().transform((name, context) => ({ name, property: toGroupedProperty(name, context) })),
    {},
  )
    .refine(...atMost(1))
    .default([])
    .openapi({
      type: 'array',
      items: { type: 'string', pattern: PATTERNS.grouped },
      maxItems: 1,
      description: `One of ${DESCRIBED_PROPERTIES} or \`cohort:<name>\`, as plain text or as a JSON array. Returns ${returned}.`,
      example: ['country'],
    })
}

/** Points at the first property beyond the limit. */
function atMost(max: number) {
  const items = max === 1 ? '1 item' : `${max} items`
  const isFew = ({ length }: readonly unknown[]) => length <= max
  const fault = {
    path: [max],
    message: `List should have at most ${items}, each ${GROUPED_WORDS}`,
    params: { type: 'too_long' },
    when: ({ value }: { value: unknown }) => Array.isArray(value),
  }
  return [isFew, fault] as const
}
