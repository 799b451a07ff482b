import { z } from '@hono/zod-openapi'

const common = {
  name: z.string().openapi({ description: 'Name of the series.' }),
  data_type: z.literal('time_series').openapi({ description: 'Always `time_series`.' }),
  length: z.number().int().openapi({ description: 'Number of items in `data`.' }),
  key_value: z.number().int().openapi({
    description:
      'The headline figure. In `yValues`: the total for the whole period, with each user counted once. In `xValues`: the number of all days, values or steps.',
  }),
  empty: z.boolean().openapi({ description: 'True if `data` has no items, or only zeros.' }),
}

const LabelSeries = z
  .object({ ...common, data: z.array(z.string()).openapi({ description: 'The days, values or steps, in order.' }) })
  .openapi('LabelSeries', { description: 'Days, values or steps.' })

const NumberSeries = z
  .object({
    ...common,
    data: z.array(z.number()).openapi({ description: 'One figure for each item of `xValues`, in the same order.' }),
    change: z.number().int().openapi({
      description:
        'Change of the headline figure from the preceding period of equal length, in whole percent. If that period has none: 100 if this one has any, else 0.',
    }),
  })
  .openapi('NumberSeries', { description: 'Figures, one for each item of `xValues`.' })

export const Series = z.object({
  xValues: LabelSeries,
  yValues: z.array(NumberSeries).openapi({ description: 'One series, or one per group.' }),
})

export type LabelSeries = z.output<typeof LabelSeries>
export type NumberSeries = z.output<typeof NumberSeries>
