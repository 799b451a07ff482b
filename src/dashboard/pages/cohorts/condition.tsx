import { AMOUNT_OPERATORS, TIMES_OPERATORS } from '../../../questions/engine/cohort-rule.ts'
import { MAX_WRITTEN } from '../../../questions/user-cohorts/definition/contract.ts'
import { shownWindow, WINDOW_UNITS } from '../../faces/funnels/window.ts'
import { BoundField, FaultsOf, idOf, type ShownForm, type Variant } from '../../forms/bound-field.tsx'
import { Field, Options } from '../../forms/field.tsx'
import { valueAt } from '../../forms/form-of.ts'
import { EVENT_INPUT, FilterRows, OPERATOR_OPTIONS, PropertySelect, rowsOf } from '../../forms/rows.tsx'
import { toCount } from '../../words/format.ts'
import { labelOfOperator } from '../../words/labels.ts'
import { unitField } from './cohort-form.ts'

interface ConditionShown {
  readonly of: ShownForm
  /** The part of the form, as `conditions.0`. */
  readonly at: string
  /** The parameters of events, as `params.<name>`. */
  readonly params: readonly string[]
}

/** The kinds of conditions that have fields, each with its own. */
export function conditionVariants(shown: ConditionShown): readonly Variant[] {
  const of = (type: string) => ({ ...shown, at: `${shown.at}:${type}` })
  return [
    ['did', 'Did an event', <Did {...of('did')} />],
    ['first_seen', 'First seen', <Within {...of('first_seen')} />],
    ['property', 'Property', <Property {...of('property')} />],
    ['revenue', 'Net revenue', <Revenue {...of('revenue')} />],
    ['funnel', 'Funnel progress', <Funnel {...of('funnel')} />],
    ['users', 'Listed users', <Users {...of('users')} />],
  ]
}

/** Days, if any: this many up to today, or fixed ones. */
function Within({ of, at }: ConditionShown) {
  return (
    <fieldset class="within">
      <legend>When</legend>
      <div class="row">
        <BoundField of={of} at={`${at}.within.days`} label="In the last … days" placeholder="any time" />
        <BoundField of={of} at={`${at}.within.start`} label="or from" type="date" />
        <BoundField of={of} at={`${at}.within.end`} label="to" type="date" />
      </div>
      <FaultsOf of={of} at={`${at}.within`} />
    </fieldset>
  )
}

const TIMES_LABELS = { at_least: 'at least', at_most: 'at most', exactly: 'exactly' } as const
const TIMES_OPTIONS = TIMES_OPERATORS.map((op) => [op, TIMES_LABELS[op]] as const)

function Did(shown: ConditionShown) {
  const { of, at } = shown
  return (
    <>
      <div class="row">
        <BoundField of={of} at={`${at}.event`} label="Event" placeholder="Choose an event" {...EVENT_INPUT} />
        <BoundField of={of} at={`${at}.times.op`} label="How often" options={TIMES_OPTIONS} />
        <BoundField of={of} at={`${at}.times.n`} label="Times" byDefault="1" noun="a whole number" />
      </div>
      <FilterRows {...shown} at={`${at}.filters`} />
      <Within {...shown} />
    </>
  )
}

function Property({ of, at }: ConditionShown) {
  return (
    <div class="row">
      <BoundField of={of} at={`${at}.prop`} label="Latest property">
        {(attributes) => <PropertySelect {...attributes} params={[]} />}
      </BoundField>
      <BoundField of={of} at={`${at}.op`} label="Operator" options={OPERATOR_OPTIONS} />
      <BoundField of={of} at={`${at}.values`} label="Values" hint="One per line; any of them" rows={2} />
    </div>
  )
}

const AMOUNT_OPTIONS = AMOUNT_OPERATORS.map((operator) => [operator, labelOfOperator(operator)] as const)

function Revenue(shown: ConditionShown) {
  const { of, at } = shown
  return (
    <>
      <div class="row">
        <BoundField of={of} at={`${at}.op`} label="Payments less refunds" options={AMOUNT_OPTIONS} />
        <BoundField of={of} at={`${at}.amount`} label="Amount" noun="an amount" />
        <BoundField of={of} at={`${at}.currency`} label="Currency" placeholder="XTR" />
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

const EMPTY_STEPS = 2

function Funnel(shown: ConditionShown) {
  const { of, at } = shown
  const events = `${at}.events`
  const steps = rowsOf(of, events, EMPTY_STEPS)
  return (
    <>
      <fieldset>
        <legend>Steps</legend>
        <div class="row">
          {steps.map((step, place) => (
            <BoundField
              of={of}
              at={step}
              name={events}
              label={`Step ${place + 1}`}
              placeholder="Add step"
              {...EVENT_INPUT}
            />
          ))}
        </div>
        <FaultsOf of={of} at={events} />
      </fieldset>
      <div class="row">
        <BoundField
          of={of}
          at={`${at}.window_seconds`}
          label="Conversion window"
          inputmode="decimal"
          placeholder="30"
          noun="a time"
        />
        <WindowUnit of={of} at={`${at}.window_seconds`} />
        <BoundField of={of} at={`${at}.order`} label="Step order" options={ORDER_OPTIONS} />
        <BoundField of={of} at={`${at}.reached`} label="Reached step" noun="a step" />
        <BoundField of={of} at={`${at}.and_stopped`} label="and no further step" />
      </div>
      <Within {...shown} />
    </>
  )
}

function WindowUnit({ of, at }: Pick<ConditionShown, 'of' | 'at'>) {
  const seconds = valueAt(of.body, at)
  const { unit: chosen } = shownWindow(seconds === undefined ? null : String(seconds))
  const name = unitField(at)
  return (
    <Field label="Unit" id={idOf(of, name)} faults={[]}>
      {(attributes) => (
        <select name={name} {...attributes}>
          <Options options={WINDOW_UNITS.map((unit) => [unit, unit])} chosen={chosen} />
        </select>
      )}
    </Field>
  )
}

function Users({ of, at }: ConditionShown) {
  const hint = `One per line, up to ${toCount(MAX_WRITTEN)}. Upload longer lists as CSV below.`
  return <BoundField of={of} at={`${at}.telegram_ids`} label="Telegram ids" hint={hint} rows={4} noun="an id" />
}
