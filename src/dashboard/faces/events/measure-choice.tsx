import { Field, type FieldShown, Options } from '../../forms/field.tsx'
import { labelOfProperty } from '../../words/labels.ts'
import { COUNTS, MEASURES } from './question.ts'

interface MeasureShown extends Pick<FieldShown, 'label'>, Partial<Pick<FieldShown, 'faults'>> {
  readonly name: string
  readonly value: string
  /** The field of the parameter that some of them measure. */
  readonly ofName: string
}

/** What is counted of an event, or measured of one of its parameters. */
export function MeasureChoice({ label, name, value, ofName, faults = [] }: MeasureShown) {
  const chosen = value || 'uniques'
  const isKnown = [...COUNTS, ...MEASURES].some(({ mode }) => mode === chosen)
  const counts = COUNTS.map(({ mode, label: text }) => [mode, text] as const)
  return (
    <Field label={label} id={name} faults={faults}>
      {(attributes) => (
        <select name={name} {...attributes}>
          <Options options={isKnown ? counts : [[chosen, chosen], ...counts]} chosen={chosen} />
          <optgroup label="Of a parameter">
            {MEASURES.map(({ mode, label: text }) => (
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

interface ParamShown extends Omit<MeasureShown, 'ofName'> {
  /** Parameters, as `params.<name>`. */
  readonly params: readonly string[]
}

/** The parameter that is measured; the style sheet shows it only beside a measure that needs one. */
export function ParamChoice({ label, name, value, params, faults = [] }: ParamShown) {
  const offered = value === '' || params.includes(value) ? params : [value, ...params]
  const options = offered.map((param) => [param, labelOfProperty(param)] as const)
  return (
    <div class="of">
      <Field label={label} id={name} faults={faults}>
        {(attributes) => (
          <select name={name} {...attributes}>
            <option value="">Choose a parameter</option>
            <Options options={options} chosen={value} />
          </select>
        )}
      </Field>
    </div>
  )
}
