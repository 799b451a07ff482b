import { pickParams } from '../../http/params.ts'
import { figuresIn, type SavedReport, type SeriesAnswer } from '../engine/saved.ts'

/** Series without a currency. */
const COUNTS = ['payments', 'payers', 'new_payers']

interface Revenue extends SeriesAnswer {
  readonly yValues: readonly (SeriesAnswer['yValues'][number] & { readonly name: string })[]
  readonly currency: string
}

export const savedRevenue: SavedReport<Revenue> = {
  page: 'revenue',
  toQuery: ({ params }) => pickParams(params, ['currency']),
  toFigures(answer, { params }) {
    const { yValues, currency } = answer
    const series = yValues.find(({ name }) => name === params.get('metric')) ?? yValues[0]
    return figuresIn(answer, series, series && COUNTS.includes(series.name) ? '' : currency)
  },
}
