import type { Child } from 'hono/jsx'
import { isMeasure } from '../../questions/event-segments/contract.ts'
import { labelOfProperty } from '../words/labels.ts'
import { Field, type FieldShown } from './field.tsx'

interface Mode {
  readonly mode: string
  readonly label: string
}

interface MeasureShown extends Partial<Pick<FieldShown, 'faults'>> {
  readonly label: Child
  readonly name: string
  readonly value: string
  readonly modes: readonly Mode[]
  /** The field of the parameter that some of them measure. */
  readonly ofName: string
}

/** What is counted of an event, or measured of one of its parameters. */
export function MeasureChoice({ label, name, value, modes, ofName, faults = [] }: MeasureShown) {
  const chosen = value || 'uniques'
  const [counts, measures] = [false, true].map((isOfParam) => modes.filter(({ mode }) => isMeasure(mode) === isOfParam))
  return (
    <Field label={label} id={name} faults={faults}>
      {(attributes) => (
        <select name={name} {...attributes}>
          {!modes.some(({ mode }) => mode === chosen) && (
            <option value={chosen} selected>
              {chosen}
            </option>
          )}
          {counts?.map(({ mode, label: text }) => (
            <option value={mode} selected={mode === chosen}>
              {text}
            </option>
          ))}
          <optgroup label="Of a parameter">
            {measures?.map(({ mode, label: text }) => (
              <option value={mode} selected={mode === chosen} data-needs={ofName}>
                {text}
              </option>
            ))}
          </optgroup>
        </select>
      )}
    </Field>
  )
}

interface ParamShown extends Pick<MeasureShown, 'label' | 'name' | 'value' | 'faults'> {
  /** Parameters, as `params.<name>`. */
  readonly params: readonly string[]
}

/** The parameter that is measured; the style sheet shows it only beside a measure that needs one. */
export function ParamChoice({ label, name, value, params, faults = [] }: ParamShown) {
  const offered = value === '' || params.includes(value) ? params : [value, ...params]
  return (
    <div class="of">
      <Field label={label} id={name} faults={faults}>
        {(attributes) => (
          <select name={name} {...attributes}>
            <option value="">Choose a parameter</option>
            {offered.map((param) => (
              <option value={param} selected={param === value}>
                {labelOfProperty(param)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  )
}
