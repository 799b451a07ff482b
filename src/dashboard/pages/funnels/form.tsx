import { FUNNEL_PARAMS, namesIn } from '../../../questions/saved/contract.ts'
import { hrefWith, type View } from '../../address.ts'
import { Field, faultsOf, faultsOfItem, faultsOfList, SelectField } from '../../components/field.tsx'
import {
  EventInput,
  GroupPickers,
  groupsOf,
  type QuestionFields,
  QuestionForm,
} from '../../components/question-form.tsx'
import { shownWindow, WINDOW_FIELDS, WINDOW_UNITS } from './window.ts'

/** The limits of the operation. */
const MAX_STEPS = 10
const MAX_EXCLUDED = 5

/** Offered after the steps that have a name. */
const EMPTY_STEPS = 2

const ORDERS = [
  { order: 'ordered', label: 'Sequential', hint: 'Other events may happen in between.' },
  { order: 'strict', label: 'Strict order', hint: 'No other event of the user may happen in between.' },
  { order: 'any', label: 'Any order', hint: 'Counts how many of the events a user did, in any order.' },
] as const

export function FunnelForm({ view, names, params, cohorts, problem }: QuestionFields) {
  const isMoreAsked = ['order', 'exclude', 'group_by'].some((name) => asksFor(view, name))
  return (
    <QuestionForm view={view} own={[...FUNNEL_PARAMS, ...Object.values(WINDOW_FIELDS)]} names={names}>
      <div class="sides">
        <Steps view={view} problem={problem} />
        <div>
          <Window view={view} problem={problem} />
          <details open={isMoreAsked}>
            <summary class="hint">Options</summary>
            <div class="options">
              <Orders view={view} problem={problem} />
              <Excluded view={view} problem={problem} />
              <div class="row">
                <GroupPickers view={view} params={params} cohorts={cohorts} problem={problem} />
              </div>
            </div>
          </details>
        </div>
      </div>
      <div class="row">
        <button type="submit">Show funnel</button>
        <button type="submit" class="quiet">
          Add step
        </button>
      </div>
    </QuestionForm>
  )
}

function asksFor(view: View, name: string): boolean {
  if (name === 'group_by') return groupsOf(view).length > 0 || view.params.has(name)
  return name === 'order' ? (view.params.get(name) ?? 'ordered') !== 'ordered' : view.params.has(name)
}

type PartShown = Pick<QuestionFields, 'view' | 'problem'>

function Steps({ view, problem }: PartShown) {
  const steps = namesIn(view, 'events')
  const offered = [...steps, ...Array<string>(EMPTY_STEPS).fill('')].slice(0, Math.max(MAX_STEPS, steps.length))
  return (
    <fieldset>
      <legend>Steps</legend>
      <ol class="steps">
        {offered.map((name, place) => (
          <li>
            <EventInput
              label={<span class="unseen">{`Step ${place + 1}`}</span>}
              name="events"
              id={`step-${place + 1}`}
              value={name}
              placeholder={place === 0 ? 'Select step 1' : 'Add step'}
              faults={faultsOfItem(problem, 'events', place)}
            />
            {place < steps.length && <StepLinks view={view} steps={steps} place={place} />}
          </li>
        ))}
      </ol>
      <ListFaults faults={faultsOfList(problem, 'events')} />
    </fieldset>
  )
}

/** A step goes up, or away, by a link: that needs no script. */
function StepLinks({ view, steps, place }: { view: View; steps: readonly string[]; place: number }) {
  const name = steps[place] ?? ''
  const earlier = steps.toSpliced(place, 1).toSpliced(place - 1, 0, name)
  return (
    <span class="step-links">
      {place > 0 && (
        <a href={hrefWith(view, { events: earlier })} aria-label={`Move step ${place + 1} up: ${name}`}>
          ↑
        </a>
      )}
      <a href={hrefWith(view, { events: steps.toSpliced(place, 1) })} aria-label={`Remove step ${place + 1}: ${name}`}>
        ×
      </a>
    </span>
  )
}

function ListFaults({ faults }: { faults: readonly string[] }) {
  if (faults.length === 0) return null
  return (
    <p class="fault" role="alert">
      {faults.join('. ')}
    </p>
  )
}

function Window({ view, problem }: PartShown) {
  const { amount, unit: shown } = shownWindow(view.params.get('window_seconds'))
  return (
    <div class="row window">
      <Field label="Conversion window" id="window" faults={faultsOf(problem, 'window_seconds')}>
        {(attributes) => (
          <input
            type="number"
            min="1"
            step="any"
            inputmode="decimal"
            name={WINDOW_FIELDS.amount}
            value={amount}
            {...attributes}
          />
        )}
      </Field>
      <SelectField
        label="Unit"
        name={WINDOW_FIELDS.unit}
        id="window-unit"
        value={shown}
        options={WINDOW_UNITS.map((unit) => [unit, unit])}
        problem={null}
      />
    </div>
  )
}

function Orders({ view, problem }: PartShown) {
  const asked = view.params.get('order') ?? 'ordered'
  return (
    <fieldset>
      <legend>Step order</legend>
      {ORDERS.map(({ order, label, hint }) => (
        <label class="choice">
          <input type="radio" name="order" value={order} checked={order === asked} />
          <span>
            {label}. <span class="hint">{hint}</span>
          </span>
        </label>
      ))}
      <ListFaults faults={faultsOf(problem, 'order')} />
    </fieldset>
  )
}

function Excluded({ view, problem }: PartShown) {
  const excluded = namesIn(view, 'exclude')
  const offered = [...excluded, ''].slice(0, Math.max(MAX_EXCLUDED, excluded.length))
  return (
    <fieldset>
      <legend>Exclude users who did</legend>
      <p class="hint">Doing one of these events between the first and the last step ends that attempt.</p>
      <div class="row">
        {offered.map((name, place) => (
          <EventInput
            label={<span class="unseen">{`Excluded event ${place + 1}`}</span>}
            name="exclude"
            id={`exclude-${place + 1}`}
            value={name}
            placeholder="Choose an event"
            faults={faultsOfItem(problem, 'exclude', place)}
          />
        ))}
      </div>
      <ListFaults faults={faultsOfList(problem, 'exclude')} />
    </fieldset>
  )
}
