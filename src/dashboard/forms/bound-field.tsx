import type { Child, JSX } from 'hono/jsx'
import type { Fault } from '../../base/errors.ts'
import type { Schema } from '../../http/api/json-schema.ts'
import { inWords, type PageProblem } from '../request/problem.tsx'
import { FaultsOfField, Field, type FieldShown, type Option, Options, ofItem } from './field.tsx'
import { type Body, type Form, faultsAt, faultsWithin, keptField, valueAt } from './form-of.ts'

/** A form as it is shown: empty, with what is stored, or as it was typed, with what is wrong with it. */
export interface ShownForm {
  readonly form: Form
  readonly body: Body
  readonly problem: PageProblem | null
  /** Begins the ids of fields where a page has several forms. */
  readonly id?: string
}

type InputAttributes = Omit<
  JSX.IntrinsicElements['input'],
  'name' | 'id' | 'value' | 'required' | 'maxlength' | 'label'
>

interface BoundShown extends InputAttributes {
  readonly of: ShownForm
  /** The part of the body, as `rule:digest.hour`. */
  readonly at: string
  /** The name of the field, if it is not that of the part: all items of a list may share one. */
  readonly name?: string
  /** How many lines a field has at least; without it, a text has one. */
  readonly rows?: number
  readonly label: Child
  readonly hint?: Child
  readonly isLong?: boolean
  /** What the field shows where the body has nothing. */
  readonly byDefault?: string
  /** The labels of its options; without them, a text is typed. */
  readonly options?: readonly Option[]
  /** Draws the input itself, where it is a special one. */
  readonly children?: (attributes: BoundAttributes) => Child
  /** What is typed, in a sentence about its bounds: `a percentage`. */
  readonly noun?: string
}

export interface BoundAttributes {
  readonly id: string
  readonly name: string
  readonly value: string
}

/** A field of a form that changes something. Its limits, and what it takes, are those of the contract. */
export function BoundField(shown: BoundShown) {
  const { of, at, name = at, label, hint, isLong, byDefault = '', options, children, noun, rows, ...input } = shown
  const schema = of.form.schemaAt(at) ?? {}
  const filled = of.form.fill(of.body, at)
  const text = Array.isArray(filled) ? filled.join('\n') : String(filled)
  const [id, value] = [idOf(of, at), text === '' ? byDefault : text]
  if (schema.type === 'boolean') {
    const box = { name, checked: filled === true, ...input }
    return hint ? (
      <Switch label={label} id={id} hint={hint} faults={faultsFor(shown)} {...box} />
    ) : (
      <label class="box">
        <input type="checkbox" {...box} />
        {label}
      </label>
    )
  }
  return (
    <Field label={label} id={id} hint={hint} isLong={isLong} faults={faultsFor(shown)}>
      {(attributes) => {
        if (children) return children({ ...attributes, name, value })
        if (options) {
          return (
            <select name={name} {...attributes}>
              <Options options={options} chosen={value} />
            </select>
          )
        }
        if (schema.items || rows !== undefined) {
          return (
            <textarea
              name={name}
              rows={Math.max(rows ?? 2, value.split('\n').length)}
              {...(schema.items && { autocapitalize: 'none', spellcheck: false })}
              {...limitsOf(schema, at)}
              {...attributes}
            >
              {value}
            </textarea>
          )
        }
        return (
          <input name={name} value={value} autocomplete="off" {...limitsOf(schema, at)} {...input} {...attributes} />
        )
      }}
    </Field>
  )
}

export function idOf({ id }: Pick<ShownForm, 'id'>, at: string): string {
  return id === undefined ? at : `${id}-${at}`
}

/**
 * The limits of a field. Fields of variants and rows are never required: they may be hidden, and browsers do not send forms whose hidden
 * fields lack something.
 */
function limitsOf({ type = '', minLength = 0, maxLength }: Schema, at: string) {
  const isAlone = !/[:.]/.test(at)
  return {
    ...(maxLength !== undefined && { maxlength: maxLength }),
    ...(isAlone && minLength > 0 && { required: true }),
    ...(type.includes('integer') && { inputmode: 'numeric' as const }),
    ...(type.includes('number') && { inputmode: 'decimal' as const }),
  }
}

/** A box with an explanation. */
function Switch({
  label,
  id,
  hint,
  faults,
  ...box
}: InputAttributes & Omit<FieldShown, 'children'> & { name: string }) {
  return (
    <>
      <div class="field">
        <label class="box">
          <input type="checkbox" {...box} aria-describedby={`${id}-hint`} />
          <strong>{label}</strong>
        </label>
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      </div>
      <FaultsOfField id={id} faults={faults} />
    </>
  )
}

/** What is wrong with a part of the body, and with the items of a list that is typed into one field. */
export function faultsFor({ of, at, noun }: Pick<BoundShown, 'of' | 'at' | 'noun'>): string[] {
  const schema = of.form.schemaAt(at) ?? {}
  const values = schema.items ? of.form.fill(of.body, at) : []
  const ofItems = (Array.isArray(values) ? values : []).flatMap((value, place) =>
    faultsAt(of.problem, `${at}.${place}`).map((fault) =>
      ofItem(String(value), sayFault(fault, schema.items ?? {}, noun)),
    ),
  )
  return [...new Set([...faultsAt(of.problem, at).map((fault) => sayFault(fault, schema, noun)), ...ofItems])]
}

/** A fault as one would say it to somebody who fills in a form. */
function sayFault(
  fault: Fault,
  { minimum, maximum, type = '' }: Schema,
  noun = type.includes('integer') ? 'a whole number' : 'a number',
): string {
  if (fault.type === 'greater_than_equal' && minimum !== undefined)
    return `Enter ${noun} of ${minimum.toLocaleString('en')} or more`
  if (fault.type === 'less_than_equal' && maximum !== undefined)
    return `Enter ${noun} of ${maximum.toLocaleString('en')} or less`
  if (['int_type', 'int_parsing', 'float_type'].includes(fault.type)) return `Enter ${noun}`
  return inWords(fault)
}

interface VariantsShown {
  readonly of: ShownForm
  /** The part that is one of several variants, as `rule`. */
  readonly at: string
  readonly label: Child
  readonly hint?: Child
  /** What is chosen first. */
  readonly byDefault: string
  readonly variants: readonly Variant[]
  /** Whether only the chosen one is on the page, where all together would be many fields: a button of the form changes it. */
  readonly isOneAtATime?: boolean
  /** Content next to the choice. */
  readonly children?: Child
}

/** A variant: its `type`, what it is called, and its fields. */
export type Variant = readonly [type: string, label: string, fields: Child]

/** A choice between variants, each with fields of its own: the style sheet shows those of the chosen one, so no script is needed. */
export function Variants(shown: VariantsShown) {
  const { of, at, label, hint, byDefault, variants, isOneAtATime = false, children } = shown
  const chosen = String(of.form.fill(of.body, `${at}.type`) || byDefault)
  const isKnown = variants.some(([type]) => type === chosen)
  const all = isKnown ? variants : [...variants, [chosen, chosen, <Kept of={of} at={at} type={chosen} />] as const]
  const options = all.map(([type, text]) => [type, text] as const)
  const choice = (
    <BoundField of={of} at={`${at}.type`} label={label} hint={hint} byDefault={byDefault} options={options} />
  )
  if (isOneAtATime) {
    return (
      <>
        <div class="row" data-edits>
          {choice}
          {children}
        </div>
        <FaultsOf of={of} at={at} />
        {all.find(([type]) => type === chosen)?.[2]}
      </>
    )
  }
  return (
    <div class="variants">
      {choice}
      <FaultsOf of={of} at={at} />
      {all.map(([, text, fields]) => (
        <fieldset class="variant" aria-label={text}>
          {fields}
        </fieldset>
      ))}
    </div>
  )
}

/** A variant that has no fields here, as another page or the API made it. */
function Kept({ of, at, type }: Pick<VariantsShown, 'of' | 'at'> & { readonly type: string }) {
  return (
    <>
      <Sentences faults={faultsWithin(of.problem, at).filter((fault) => !faultsAt(of.problem, at).includes(fault))} />
      <input type="hidden" name={keptField(at, type)} value={JSON.stringify(valueAt(of.body, at))} />
      <p class="hint">This cannot be edited here. It stays as it is unless you remove it.</p>
    </>
  )
}

/** What is wrong with several fields together. */
export function FaultsOf({ of, at }: Pick<VariantsShown, 'of' | 'at'>) {
  return <Sentences faults={faultsAt(of.problem, at)} />
}

function Sentences({ faults }: { readonly faults: readonly Fault[] }) {
  if (faults.length === 0) return null
  return (
    <p class="fault" role="alert">
      {[...new Set(faults.map(inWords))].join('. ')}
    </p>
  )
}
