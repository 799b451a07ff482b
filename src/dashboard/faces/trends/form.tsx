import { TREND_INTERVALS } from '../../../base/time/divided-period.ts'
import { SAME_DAYS } from '../../../base/time/intervals.ts'
import { LETTERS } from '../../../questions/trends/formula.ts'
import { TRENDS_PARAMS, type TrendLine, trendLines, trendParam } from '../../../questions/trends/saved.ts'
import { classOf } from '../../figures/plot-drawing.tsx'
import { InputField } from '../../forms/field.tsx'
import { Chip, FilterFields } from '../../forms/filter-bar.tsx'
import { MeasureChoice, ParamChoice } from '../../forms/measure-choice.tsx'
import { Choice, EventChoice, OneGroupPicker, type QuestionFields, QuestionForm } from '../../forms/question-form.tsx'
import { describeFilter } from '../../words/labels.ts'
import { MODES } from '../events/question.ts'
import { hrefWithAnother, hrefWithoutFilterOf, hrefWithoutLine, isStackable } from './series.ts'

/** The parameters of trends, and how the answer is drawn. */
const PARAMS = [...TRENDS_PARAMS, 'chart']

const INTERVAL_OPTIONS = TREND_INTERVALS.map((name) => [name, `${name[0]?.toUpperCase()}${name.slice(1)}`] as const)
const CHART_OPTIONS = [
  ['', 'Lines'],
  ['bars', 'Stacked bars'],
] as const
const COMPARE_OPTIONS = [
  ['', 'none'],
  ['previous', 'Previous period'],
  ['28d', `${SAME_DAYS} days earlier`],
] as const
const FIRST_TIME_OPTIONS = [
  ['', 'All events'],
  ['true', 'First time only'],
] as const

interface FormShown extends QuestionFields {
  /** Whether `names` are all there are. */
  readonly isAll: boolean
  readonly valuesHref: string
}

/** A row for each series; then how they are counted and drawn. */
export function TrendsForm(shown: FormShown) {
  const { view, names, params, cohorts, problem } = shown
  const lines = trendLines(view)
  const rows = lines.length > 0 ? lines : [{ event: '', mode: '', of: '', filters: [] }]
  const isGrouped = (view.params.get('group_by') ?? '') !== ''
  const formula = view.params.get('formula') ?? ''
  const shared = { view, problem }
  return (
    <QuestionForm
      view={view}
      own={PARAMS}
      names={names}
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
    >
      {isStackable(view) && <Choice {...shared} label="Chart" name="chart" options={CHART_OPTIONS} />}
      <Choice {...shared} label="Interval" name="interval" unsaid="day" options={INTERVAL_OPTIONS} />
      <Choice {...shared} label="Compare with" name="compare" options={COMPARE_OPTIONS} />
      <Choice {...shared} label="Count" name="first_time" options={FIRST_TIME_OPTIONS} />
      {(rows.length === 1 && formula === '') || isGrouped ? (
        <OneGroupPicker view={view} params={params} cohorts={cohorts} problem={problem} />
      ) : null}
      {!isGrouped || formula !== '' ? (
        <InputField label="Formula" name="formula" value={formula} placeholder="B/A*100" problem={problem} />
      ) : null}
    </QuestionForm>
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
      <EventChoice name={trendParam('event', place)} value={line.event} names={names} isAll={isAll} />
      <MeasureChoice
        label={<span class="unseen">Measure</span>}
        name={trendParam('mode', place)}
        value={line.mode}
        modes={MODES}
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
