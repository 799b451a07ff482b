import { pickParams, type QueryParams } from '../../http/params.ts'
import { figuresIn, type PageAddress, type SavedReport, type SeriesAnswer } from '../engine/saved.ts'
import { isMeasure, type Measure } from './contract.ts'

export const EVENTS_PARAMS = ['event', 'mode', 'of', 'group_by']

const WITHOUT_MEASURED = EVENTS_PARAMS.filter((name) => name !== 'of')

/** Parameters of event segmentation. `of` is dropped if it only remains from a mode that measured a parameter. */
export function eventsQuery({ params }: PageAddress): QueryParams {
  const mode = params.get('mode')
  return pickParams(params, mode !== null && isMeasure(mode as Measure) ? EVENTS_PARAMS : WITHOUT_MEASURED)
}

export const savedSegments: SavedReport<SeriesAnswer> = {
  page: 'events',
  toQuery: (address) => (address.params.has('event') ? eventsQuery(address) : null),
  toFigures: (answer, { params }) => figuresIn(answer, answer.yValues[0], params.get('mode') === 'pct_dau' ? '%' : ''),
}
