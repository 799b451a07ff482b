import { TREND_INTERVALS } from '../../../base/time/divided-period.ts'
import { SAME_DAYS } from '../../../base/time/intervals.ts'
import { LETTERS } from '../../../questions/trends/formula.ts'
import { TRENDS_PARAMS, type TrendLine, trendLines, trendParam } from '../../../questions/trends/saved.ts'
import { classOf } from '../../figures/plot-drawing.tsx'
import { Chip, FilterFields } from '../../forms/filter-bar.tsx'
import {
  type AskedFields,
  BREAKDOWN,
  EventChoice,
  type QuestionFields,
  QuestionForm,
} from '../../forms/question-form.tsx'
import type { View } from '../../request/address.ts'
import { describeFilter } from '../../words/labels.ts'
import { MeasureChoice, ParamChoice } from '../events/measure-choice.tsx'
import { trends } from './question.ts'
import { hrefWithAnother, hrefWithoutFilterOf, hrefWithoutLine, isStackable } from './series.ts'

/** The parameters of trends, and how the answer is drawn. */
const PARAMS = [...TRENDS_PARAMS, 'chart']

const INTERVALS = Object.fromEntries(TREND_INTERVALS.map((name) => [name, `${name[0]?.toUpperCase()}${name.slice(1)}`]))

/** How series are counted and drawn. Groups are those of a single one, without a formula. */
function fieldsOf(view: View): AskedFields {
  const isGrouped = (view.params.get('group_by') ?? '') !== ''
  const hasFormula = (view.params.get('formula') ?? '') !== ''
  const isSingle = trendLines(view).length < 2
  return {
    ...(isStackable(view) && { chart: { label: 'Chart', options: { lines: 'Lines', bars: 'Stacked bars' } } }),
    interval: { label: 'Interval', options: INTERVALS },
    compare: {
      label: 'Compare with',
      options: { '': 'none', previous: 'Previous period', '28d': `${SAME_DAYS} days earlier` },
    },
    first_time: { label: 'Count', options: { false: 'All events', true: 'First time only' } },
    ...(((isSingle && !hasFormula) || isGrouped) && BREAKDOWN),
    ...((!isGrouped || hasFormula) && { formula: { label: 'Formula', placeholder: 'B/A*100' } }),
  }
}

interface FormShown extends QuestionFields {
  /** Whether `names` are all there are. */
  readonly isAll: boolean
  readonly valuesHref: string
}

/** A row for each series; then how they are counted and drawn. */
export function TrendsForm(shown: FormShown) {
  const { view } = shown
  const lines = trendLines(view)
  const rows = lines.length > 0 ? lines : [{ event: '', mode: '', of: '', filters: [] }]
  return (
    <QuestionForm
      {...shown}
      question={trends}
      fields={fieldsOf(view)}
      own={PARAMS}
      hasAny
      above={
        <>
          <div class="all-series">
            {rows.map((line, place) => (
              <SeriesRow {...shown} line={line} place={place} isOnly={rows.length === 1} />
            ))}
          </div>
          {lines.length > 0 && lines.length < LETTERS.length && (
            <p class="more">
              <a href={hrefWithAnother(view)} data-here="add-series">
                + Add series
              </a>
            </p>
          )}
        </>
      }
      rowKind="settings-of-chart"
    />
  )
}

interface RowShown extends FormShown {
  readonly line: TrendLine
  readonly place: number
  readonly isOnly: boolean
}

function SeriesRow({ line, place, isOnly, isAll, valuesHref, ...fields }: RowShown) {
  const { view, names, params, cohorts } = fields
  const [letter, ending] = [LETTERS.charAt(place), `_${LETTERS.charAt(place).toLowerCase()}`]
  return (
    <fieldset class="series">
      <legend class="unseen">{`Series ${letter}`}</legend>
      <span class={`letter ${classOf(place)}`} aria-hidden="true">
        {letter}
      </span>
      <EventChoice
        label={<span class="unseen">Event</span>}
        name={trendParam('event', place)}
        value={line.event}
        names={names}
        isAll={isAll}
        problem={null}
      />
      <MeasureChoice
        label={<span class="unseen">Measure</span>}
        name={trendParam('mode', place)}
        value={line.mode}
        ofName={trendParam('of', place)}
      />
      <ParamChoice
        label={<span class="unseen">Parameter</span>}
        name={trendParam('of', place)}
        value={line.of}
        params={params}
      />
      <div class="chips">
        {line.filters.map((filter, index) => (
          <>
            <input type="hidden" name={trendParam('filters', place)} value={filter} />
            <Chip
              text={describeFilter(filter)}
              title={`${describeFilter(filter)} of series ${letter}`}
              href={hrefWithoutFilterOf(view, place, index)}
              here={`filter-${place}-${index}`}
            />
          </>
        ))}
        <details class="menu">
          <summary aria-label={`Add a filter to series ${letter}`}>+ Filter</summary>
          <div class="panel" data-values={valuesHref}>
            <FilterFields params={params} cohorts={cohorts} ending={ending} />
          </div>
        </details>
        {!isOnly && (
          <a
            class="remove"
            href={hrefWithoutLine(view, place)}
            data-here={`remove-${place}`}
            aria-label={`Remove series ${letter}`}
          >
            ×
          </a>
        )}
      </div>
    </fieldset>
  )
}
