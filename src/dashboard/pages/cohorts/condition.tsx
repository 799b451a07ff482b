import { OPERATORS } from '../../../columns/selection/filter.ts'
import { AMOUNT_OPERATORS, TIMES_OPERATORS } from '../../../questions/engine/cohort-rule.ts'
import { WINDOW_UNITS } from '../../faces/funnels/window.ts'
import { Field, Options, PropertyOptions } from '../../forms/field.tsx'
import { conditionField } from '../../forms/fields-of-form.ts'
import { EventInput } from '../../forms/question-form.tsx'
import { labelOfOperator } from '../../words/labels.ts'
import { type ConditionShown, Faults, faultsAt, Lines, Select, Text, wholeFaults } from './condition-fields.tsx'
import { eventsIn, filtersIn, MAX_FILTERS, type TypedFilter } from './draft.ts'

export function ConditionRows(shown: ConditionShown) {
  switch (shown.fields.text('type')) {
    case 'did':
      return <Did {...shown} />
    case 'first_seen':
      return <Within {...shown} />
    case 'property':
      return <Property {...shown} />
    case 'revenue':
      return <Revenue {...shown} />
    case 'funnel':
      return <Funnel {...shown} />
    case 'users':
      return <Users {...shown} />
    default:
      return <Kept {...shown} />
  }
}

/** Days, if any: so many up to today, or fixed ones. */
function Within(shown: ConditionShown) {
  return (
    <fieldset class="within">
      <legend>When</legend>
      <div class="row">
        <Text
          {...shown}
          name="days"
          label="In the last … days"
          path={['within', 'days']}
          inputmode="numeric"
          placeholder="any time"
        />
        <Text {...shown} name="start" label="or from" path={['within', 'start']} type="date" />
        <Text {...shown} name="end" label="to" path={['within', 'end']} type="date" />
      </div>
      <Faults faults={wholeFaults(shown, 'within')} />
    </fieldset>
  )
}

const TIMES_LABELS = { at_least: 'at least', at_most: 'at most', exactly: 'exactly' } as const
const TIMES_OPTIONS = TIMES_OPERATORS.map((op) => [op, TIMES_LABELS[op]] as const)

function Did(shown: ConditionShown) {
  const { place, fields, params } = shown
  const filters = filtersIn(fields)
  const offered = [...filters, { prop: '', op: '', values: '' }].slice(0, MAX_FILTERS)
  return (
    <>
      <div class="row">
        <EventInput
          label="Event"
          name={conditionField(place, 'event')}
          value={fields.text('event')}
          placeholder="Choose an event"
          faults={faultsAt(shown, 'event')}
        />
        <Select {...shown} name="times-op" label="How often" path={['times', 'op']} options={TIMES_OPTIONS} />
        <Text
          {...shown}
          name="times-n"
          label="Times"
          path={['times', 'n']}
          value={fields.text('times-n') || '1'}
          inputmode="numeric"
        />
      </div>
      <fieldset>
        <legend>Where</legend>
        {offered.map((filter, index) => (
          <FilterRow {...shown} filter={filter} index={index} params={params} />
        ))}
        <Faults faults={wholeFaults(shown, 'filters')} />
      </fieldset>
      <Within {...shown} />
    </>
  )
}

const OPERATOR_OPTIONS = OPERATORS.map((operator) => [operator, labelOfOperator(operator)] as const)

function FilterRow({ filter, index, ...shown }: ConditionShown & { filter: TypedFilter; index: number }) {
  const { place, params } = shown
  const id = (field: string) => conditionField(place, `f${index}.${field}`)
  return (
    <div class="row">
      <Field label="Property" id={id('prop')} faults={faultsAt(shown, 'filters', index, 'prop')}>
        {(attributes) => (
          <select name={id('prop')} {...attributes}>
            <option value="">any</option>
            <PropertyOptions params={params} chosen={filter.prop || undefined} />
          </select>
        )}
      </Field>
      <Field label="Operator" id={id('op')} faults={faultsAt(shown, 'filters', index, 'op')}>
        {(attributes) => (
          <select name={id('op')} {...attributes}>
            <Options options={OPERATOR_OPTIONS} chosen={filter.op} />
          </select>
        )}
      </Field>
      <Field label="Values, one per line" id={id('values')} faults={faultsAt(shown, 'filters', index, 'values')}>
        {(attributes) => (
          <textarea
            name={id('values')}
            rows={Math.max(1, filter.values.split('\n').length)}
            autocapitalize="none"
            {...attributes}
          >
            {filter.values}
          </textarea>
        )}
      </Field>
    </div>
  )
}

function Property(shown: ConditionShown) {
  const id = conditionField(shown.place, 'prop')
  return (
    <div class="row">
      <Field label="Latest property" id={id} faults={faultsAt(shown, 'prop')}>
        {(attributes) => (
          <select name={id} {...attributes}>
            <PropertyOptions params={[]} chosen={shown.fields.text('prop') || undefined} />
          </select>
        )}
      </Field>
      <Select {...shown} name="op" label="Operator" path={['op']} options={OPERATOR_OPTIONS} />
      <Lines {...shown} name="values" label="Values" path={['values']} hint="One per line; any of them" rows={2} />
    </div>
  )
}

const AMOUNT_OPTIONS = AMOUNT_OPERATORS.map((operator) => [operator, labelOfOperator(operator)] as const)

function Revenue(shown: ConditionShown) {
  return (
    <>
      <div class="row">
        <Select {...shown} name="op" label="Payments less refunds" path={['op']} options={AMOUNT_OPTIONS} />
        <Text {...shown} name="amount" label="Amount" path={['amount']} inputmode="decimal" />
        <Text {...shown} name="currency" label="Currency" path={['currency']} placeholder="XTR" />
      </div>
      <Within {...shown} />
    </>
  )
}

const ORDER_OPTIONS = [
  ['ordered', 'Sequential'],
  ['strict', 'Strict order'],
  ['any', 'Any order'],
] as const

const MAX_STEPS = 10
const EMPTY_STEPS = 2

function Funnel(shown: ConditionShown) {
  const { place, fields } = shown
  const steps = eventsIn(fields)
  const offered = [...steps, ...Array<string>(EMPTY_STEPS).fill('')].slice(0, MAX_STEPS)
  return (
    <>
      <fieldset>
        <legend>Steps</legend>
        <div class="row">
          {offered.map((name, step) => (
            <EventInput
              label={`Step ${step + 1}`}
              name={conditionField(place, 'events')}
              id={conditionField(place, `events-${step}`)}
              value={name}
              placeholder="Add step"
              faults={faultsAt(shown, 'events', step)}
            />
          ))}
        </div>
        <Faults faults={wholeFaults(shown, 'events')} />
      </fieldset>
      <div class="row">
        <Text
          {...shown}
          name="window-amount"
          label="Conversion window"
          path={['window_seconds']}
          inputmode="decimal"
          placeholder="30"
        />
        <Select
          {...shown}
          name="window-unit"
          label="Unit"
          path={['unit']}
          options={WINDOW_UNITS.map((unit) => [unit, unit])}
        />
        <Select {...shown} name="order" label="Step order" path={['order']} options={ORDER_OPTIONS} />
        <Text {...shown} name="reached" label="Reached step" path={['reached']} inputmode="numeric" />
        <label class="box">
          <input type="checkbox" name={conditionField(place, 'stopped')} checked={fields.text('stopped') !== ''} />
          and no further step
        </label>
      </div>
      <Within {...shown} />
    </>
  )
}

function Users(shown: ConditionShown) {
  const hint = 'One per line, up to 10,000. Upload longer lists as CSV below.'
  return <Lines {...shown} name="ids" label="Telegram ids" path={['telegram_ids']} hint={hint} rows={4} />
}

/** A condition that other pages or the API made. */
function Kept(shown: ConditionShown) {
  const { place, fields } = shown
  return (
    <>
      <Faults faults={faultsAt(shown)} />
      <input type="hidden" name={conditionField(place, 'json')} value={fields.text('json')} />
      <p class="hint">This condition cannot be edited here. It stays as it is unless you remove it.</p>
    </>
  )
}
