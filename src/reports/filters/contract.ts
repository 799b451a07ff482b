import { z } from '@hono/zod-openapi'
import { jsonItems, listParam, wordItems } from '../../http/list-params.ts'
import { isStorable, issue, NOT_STORABLE } from '../../http/params.ts'
import { CONTEXT_PROPERTIES, type Filter, OPERATORS, parseProperty } from './filter.ts'

const MOST_FILTERS = 10
const MOST_VALUES = 100
const MOST_GROUPS = 2
const PROPERTY_WORDS = `'${CONTEXT_PROPERTIES.join("', '")}' or 'params.<name>'`

const propertyItem = z.string().transform((text, context) => {
  const property = parseProperty(text)
  if (!isStorable(text)) context.addIssue(issue('value_error', NOT_STORABLE))
  else if (property) return property
  else context.addIssue(issue('enum', `Input should be ${PROPERTY_WORDS}`))
  return z.NEVER
})

/** Values compare as text: a number as JSON writes it, a boolean as `true` or `false`. */
const valueItem = z.unknown().transform((value, context) => {
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value)
  if (isScalar && isStorable(String(value))) return String(value)
  context.addIssue(
    isScalar
      ? issue('value_error', NOT_STORABLE)
      : issue('string_type', 'Input should be a string, a number, true or false'),
  )
  return z.NEVER
})

const filterItem = z
  .object({ prop: propertyItem, op: z.enum(OPERATORS), values: z.array(valueItem).min(1).max(MOST_VALUES) })
  .transform(({ prop, op, values }) => ({ property: prop, operator: op, values }) as unknown as Filter)

const FILTERS_EXAMPLE = '[{"prop": "country", "op": "is", "values": ["Germany", "Austria"]}]'

/** Filters, joined by AND. */
export const filtersParam = listParam(jsonItems, filterItem, { max: MOST_FILTERS })
  .default([])
  .openapi({
    type: 'array',
    items: { type: 'string' },
    maxItems: MOST_FILTERS,
    description:
      `JSON: an array of \`{"prop": …, "op": …, "values": […]}\`, or the parameter repeated, each an object or an array. Joined by AND. ` +
      `\`prop\` is ${PROPERTY_WORDS}; \`op\` is one of ${OPERATORS.join(', ')}; \`values\` are 1 to ${MOST_VALUES} texts, numbers or booleans, any of which may match ` +
      '(negated operators: none). `(none)` stands for missing.',
    example: [FILTERS_EXAMPLE],
  })

/** Properties to group by: repeated, with commas between them, or a JSON array. */
export const groupByParam = listParam(wordItems, propertyItem, { max: Number.MAX_SAFE_INTEGER })
  .refine(({ length }) => length <= MOST_GROUPS, {
    path: [MOST_GROUPS],
    message: `List should have at most ${MOST_GROUPS} items, each ${PROPERTY_WORDS}`,
    params: { type: 'too_long' },
    when: ({ value }) => Array.isArray(value),
  })
  .default([])
  .openapi({
    type: 'array',
    items: { type: 'string' },
    maxItems: MOST_GROUPS,
    description: `Up to ${MOST_GROUPS} of ${PROPERTY_WORDS}: repeated, with commas between them, or a JSON array. One series per combination, the 20 largest by \`key_value\`.`,
    example: ['country'],
  })
