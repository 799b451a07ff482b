import { MAX_EXCLUDED } from '../../../questions/funnels/contract.ts'
import { namesIn } from '../../../questions/funnels/saved.ts'
import { Field, faultsOf, faultsOfItem, faultsOfList, SelectField } from '../../forms/field.tsx'
import { EventInput, FieldsMenu, type QuestionFields } from '../../forms/question-form.tsx'
import { ORDERS } from './question.ts'
import { shownWindow, WINDOW_FIELDS, WINDOW_UNITS, windowInWords } from './window.ts'

type FieldsShown = Pick<QuestionFields, 'view' | 'problem'>

export function WindowMenu({ view, problem }: FieldsShown) {
  const asked = view.params.get('window_seconds')
  const { amount, unit: shown } = shownWindow(asked)
  const faults = faultsOf(problem, 'window_seconds')
  return (
    <FieldsMenu
      label={`Within ${windowInWords(asked)}`}
      isChosen={windowInWords(asked) !== windowInWords(null)}
      isOpen={faults.length > 0}
    >
      <Field label="Conversion window" id="window" faults={faults}>
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
    </FieldsMenu>
  )
}

export function OptionsMenu({ view, problem }: FieldsShown) {
  const order = ORDERS.find((one) => one.order === view.params.get('order'))
  const excluded = namesIn(view, 'exclude').length
  const chosen = [
    ...(order && order.order !== 'ordered' ? [order.label] : []),
    ...(excluded > 0 ? [`${excluded} excluded`] : []),
  ]
  const hasFaults = problem?.faults.some(({ loc }) => loc[1] === 'order' || loc[1] === 'exclude') ?? false
  return (
    <FieldsMenu label={['Options', ...chosen].join(' · ')} isChosen={chosen.length > 0} isOpen={hasFaults} isWide>
      <Orders view={view} problem={problem} />
      <Excluded view={view} problem={problem} />
    </FieldsMenu>
  )
}

export function ListFaults({ faults }: { faults: readonly string[] }) {
  if (faults.length === 0) return null
  return (
    <p class="fault" role="alert">
      {faults.join('. ')}
    </p>
  )
}

function Orders({ view, problem }: FieldsShown) {
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

function Excluded({ view, problem }: FieldsShown) {
  const excluded = namesIn(view, 'exclude')
  const offered = [...excluded, ''].slice(0, Math.max(MAX_EXCLUDED, excluded.length))
  return (
    <fieldset>
      <legend>Exclude users who did</legend>
      <p class="hint">Doing one of these events between the first and the last step ends that attempt.</p>
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
      <ListFaults faults={faultsOfList(problem, 'exclude')} />
    </fieldset>
  )
}
