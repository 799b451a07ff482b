import type { Child } from 'hono/jsx'
import { toDate } from '../../base/time/days.ts'
import { asksForWhole, COHORT, OPERATORS, type Operator } from '../../columns/selection/filter.ts'
import { describePeriod } from '../figures/comparison.ts'
import { hrefWith, hrefWithoutFilter, MORE_PERIODS, PERIODS, type View } from '../request/address.ts'
import { CONTEXT_PROPERTIES, describeFilter, flagValues, labelOfOperator, USER_PROPERTIES } from '../words/labels.ts'
import { PropertyOptions } from './field.tsx'
import { ChoiceLink, Segments } from './segments.tsx'

interface FilterBarShown {
  readonly view: View
  /** Parameters, as `params.<name>`. */
  readonly params: readonly string[]
  /** The names of cohorts that filters may use. */
  readonly cohorts: readonly string[]
  /** Where the script asks for the values of a property. */
  readonly valuesHref: string
  readonly children?: Child
}

export function FilterBar({ children, ...shown }: FilterBarShown) {
  return (
    <div class="filters">
      <PeriodPicker view={shown.view} />
      <Filters {...shown} />
      {children}
    </div>
  )
}

export function PeriodPicker({ view }: { view: View }) {
  const { periodName, period } = view
  const [links, others] = [PERIODS, MORE_PERIODS].map((periods) =>
    periods.map(({ name, label }) => ({
      label,
      href: hrefWith(view, { ...NO_DAYS, period: name }),
      isCurrent: name === periodName,
    })),
  )
  const other = MORE_PERIODS.find(({ name }) => name === periodName)
  const isOther = periodName === null || other !== undefined
  return (
    <div class="periods">
      <Segments label="Period" links={links ?? []} />
      <details class="menu">
        <summary
          aria-current={isOther ? 'true' : undefined}
          title={other && period ? describePeriod(period) : undefined}
        >
          {other ? other.label : periodName === null && period ? describePeriod(period) : 'More dates'}
        </summary>
        <form method="get" action={view.path} class="panel">
          <ul class="other-periods">
            {others?.map((link) => (
              <li>
                <ChoiceLink {...link} />
              </li>
            ))}
          </ul>
          <OtherParams view={view} without={['period', 'start', 'end']} />
          <label>
            First day
            <input type="date" name="start" required value={period ? toDate(period.from) : ''} />
          </label>
          <label>
            Last day
            <input type="date" name="end" required value={period ? toDate(period.to) : ''} />
          </label>
          <button type="submit">Apply</button>
        </form>
      </details>
    </div>
  )
}

const NO_DAYS = { start: null, end: null }

function Filters({ view, params, cohorts, valuesHref }: Omit<FilterBarShown, 'children'>) {
  return (
    <div class="chips">
      {view.filters.map((filter, place) => (
        <Chip text={describeFilter(filter)} href={hrefWithoutFilter(view, place)} />
      ))}
      <details class="menu">
        <summary>+ Filter</summary>
        <form method="get" action={view.path} class="panel" data-values={valuesHref}>
          <OtherParams view={view} without={['offset', 'before']} />
          <FilterFields params={params} cohorts={cohorts} isRequired />
        </form>
      </details>
    </div>
  )
}

/** The properties that an operator is for, by the beginnings of their names; undefined for all. */
function onlyOf(operator: Operator): string | undefined {
  if (operator === 'is' || operator === 'is not') return undefined
  const isOfTexts = operator === 'contains' || operator === 'does not contain'
  return (isOfTexts ? ['params.', ...TEXT_PROPERTIES] : ['params.']).join(' ')
}

const TEXT_PROPERTIES = [...CONTEXT_PROPERTIES, ...USER_PROPERTIES].filter((name) => flagValues(name).length === 0)

interface FieldsShown extends Pick<FilterBarShown, 'params' | 'cohorts'> {
  /** What the names of the fields end with, where a form has several filters: `_a`. */
  readonly ending?: string
  readonly isRequired?: boolean
}

/** What a filter is made of. A form that only adds a filter requires a value. */
export function FilterFields({ params, cohorts, ending = '', isRequired = false }: FieldsShown) {
  const list = `filter-values${ending}`
  return (
    <>
      <label>
        Where
        <select name={`filter-prop${ending}`}>
          <PropertyOptions params={params} />
          {cohorts.length > 0 && <option value={COHORT}>Cohort</option>}
        </select>
      </label>
      <label>
        <span class="unseen">Operator</span>
        <select name={`filter-op${ending}`}>
          {OPERATORS.map((operator) => (
            <option value={operator} data-whole={asksForWhole(operator) ? '' : undefined} data-only={onlyOf(operator)}>
              {labelOfOperator(operator)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Value
        <input name={`filter-value${ending}`} list={list} autocomplete="off" required={isRequired} />
      </label>
      <label>
        or
        <input name={`filter-value${ending}`} list={list} autocomplete="off" />
      </label>
      <datalist id={list}>
        {cohorts.map((name) => (
          <option value={name} label="Cohort"></option>
        ))}
      </datalist>
      <button type="submit">Add</button>
    </>
  )
}

interface ChipShown {
  readonly text: string
  readonly title?: string
  readonly href: string
  /** Names the link where it changes the page in place. */
  readonly here?: string
}

export function Chip({ text, title = text, href, here }: ChipShown) {
  return (
    <span class="chip">
      <bdi>{text}</bdi>
      <a href={href} data-here={here} aria-label={`Remove the filter ${title}`}>
        ×
      </a>
    </span>
  )
}

/** Hidden fields that keep the other parameters of the address. */
export function OtherParams({ view, without }: { view: Pick<View, 'params'>; without: readonly string[] }) {
  return (
    <>
      {[...view.params]
        .filter(([name]) => !without.includes(name))
        .map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
    </>
  )
}
