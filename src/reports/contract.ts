import { z } from '@hono/zod-openapi'

const common = {
  name: z.string().openapi({ description: 'What the series shows.' }),
  data_type: z.literal('time_series').openapi({ description: 'Always `time_series`.' }),
  length: z.number().int().openapi({ description: 'Number of items in `data`.' }),
  key_value: z.number().int().openapi({
    description:
      'The headline figure: of `yValues` the total over the whole period (users counted once), of `xValues` the number of all days, values or steps.',
  }),
  empty: z.boolean().openapi({ description: 'No item, or none that differs from zero.' }),
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
        'The headline against the preceding period of equal length, in whole percent; from zero: 100 if there is something now, else 0.',
    }),
  })
  .openapi('NumberSeries', { description: 'Figures, one for each item of `xValues`.' })

export const Series = z.object({
  xValues: LabelSeries,
  yValues: z.array(NumberSeries).openapi({ description: 'One series, or one per group.' }),
})

export type LabelSeries = z.output<typeof LabelSeries>
export type NumberSeries = z.output<typeof NumberSeries>
