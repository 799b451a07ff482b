import { TREND_INTERVALS } from '../../../base/time/divided-period.ts'
import { isMeasure } from '../../../questions/event-segments/contract.ts'
import { TRENDS_PARAMS, type TrendLine, trendLines, trendParam } from '../../../questions/saved/contract.ts'
import { LETTERS } from '../../../questions/trends/formula.ts'
import { Field, InputField } from '../../components/field.tsx'
import { Chip, FilterFields } from '../../components/filter-bar.tsx'
import { classOf } from '../../components/plot-drawing.tsx'
import {
  Choice,
  EventChoice,
  OneGroupPicker,
  type QuestionFields,
  QuestionForm,
} from '../../components/question-form.tsx'
import { describeFilter, labelOfProperty } from '../../labels.ts'
import { MODES } from '../events/question.ts'
import { hrefWithAnother, hrefWithoutFilterOf, hrefWithoutLine, isStackable } from './series.ts'

/** Its own, and how the answer is drawn. */
const PARAMS = [...TRENDS_PARAMS, 'chart']

const INTERVAL_OPTIONS = TREND_INTERVALS.map((name) => [name, `${name[0]?.toUpperCase()}${name.slice(1)}`] as const)
const CHART_OPTIONS = [
  ['', 'Lines'],
  ['bars', 'Stacked bars'],
] as const
const COMPARE_OPTIONS = [
  ['', 'none'],
  ['previous', 'Previous period'],
  ['28d', '28 days earlier'],
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
    <QuestionForm view={view} own={PARAMS} names={names} hasAny isHere>
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
      <div class="row settings-of-chart">
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
        <button type="submit" class="apply">
          Apply
        </button>
      </div>
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
      <MeasureChoice line={line} place={place} />
      <ParamChoice line={line} place={place} params={params} />
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

type ChoiceShown = Pick<RowShown, 'line' | 'place'>

function MeasureChoice({ line, place }: ChoiceShown) {
  const name = trendParam('mode', place)
  const chosen = line.mode || 'uniques'
  const [counts, measures] = [false, true].map((isOfParam) => MODES.filter(({ mode }) => isMeasure(mode) === isOfParam))
  const isKnown = MODES.some(({ mode }) => mode === chosen)
  return (
    <Field label={<span class="unseen">Measure</span>} id={name} faults={[]}>
      {(attributes) => (
        <select name={name} {...attributes}>
          {!isKnown && <option selected>{chosen}</option>}
          {counts?.map(({ mode, label }) => (
            <option value={mode === 'uniques' ? '' : mode} selected={mode === chosen}>
              {label}
            </option>
          ))}
          <optgroup label="Of a parameter">
            {measures?.map(({ mode, label }) => (
              <option value={mode} selected={mode === chosen} data-needs={trendParam('of', place)}>
                {`${label} of`}
              </option>
            ))}
          </optgroup>
        </select>
      )}
    </Field>
  )
}

function ParamChoice({ line, place, params }: ChoiceShown & Pick<RowShown, 'params'>) {
  const name = trendParam('of', place)
  const offered = line.of === '' || params.includes(line.of) ? params : [line.of, ...params]
  return (
    <div class="of">
      <Field label={<span class="unseen">Parameter</span>} id={name} faults={[]}>
        {(attributes) => (
          <select name={name} {...attributes}>
            <option value="">Choose a parameter</option>
            {offered.map((param) => (
              <option value={param} selected={param === line.of}>
                {labelOfProperty(param)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  )
}
