import { type CaptureSettings, DEFAULT_CAPTURE } from '../../storage/capture-settings.ts'
import { FaultsOfField, Field, faultsOf } from '../components/field.tsx'
import type { PageProblem } from '../components/problem.tsx'
import { CAPTURE_FIELDS, type CaptureField, captureTyped, inWords } from './capture-fields.ts'
import { ReadOnly, Section, type SettingsRequest, settingsHref } from './section.tsx'

/** What the application's clients capture by themselves. */
export function CaptureSection({ settings }: { settings: SettingsRequest }) {
  const { request, refused } = settings
  const { application, visitor } = request
  const isRefused = refused?.form === 'capture'
  const values: Values = isRefused ? captureTyped(refused.typed) : { ...DEFAULT_CAPTURE, ...application.capture }
  return (
    <Section id="capture" title="Autocapture" settings={settings}>
      {visitor.canChange ? (
        <form method="post" action={settingsHref(request, '/capture')} class="fields wide">
          {CAPTURE_FIELDS.map((field) => (
            <Setting field={field} value={values[field.name]} problem={isRefused ? refused.problem : null} />
          ))}
          <div class="row">
            <button type="submit">Save</button>
            <span class="hint">Clients pick up changes within 90 seconds.</span>
          </div>
        </form>
      ) : (
        <ReadOnly rows={CAPTURE_FIELDS.map((field) => [field.label, described(field, values[field.name])] as const)} />
      )}
    </Section>
  )
}

type Values = Readonly<Record<string, unknown>> | CaptureSettings

interface SettingShown {
  readonly field: CaptureField
  readonly value: unknown
  readonly problem: PageProblem | null
}

function Setting({ field, value, problem }: SettingShown) {
  if (field.isSwitch) return <Switch field={field} value={value} />
  return field.choices ? (
    <Choices field={field} value={value} problem={problem} />
  ) : (
    <Lines {...{ field, value, problem }} />
  )
}

function Switch({ field: { name, label, what }, value }: Omit<SettingShown, 'problem'>) {
  return (
    <div class="field">
      <label class="box">
        <input type="checkbox" name={name} checked={value === true} aria-describedby={`${name}-hint`} />
        <strong>{label}</strong>
      </label>
      <span class="hint" id={`${name}-hint`}>
        {what}
      </span>
    </div>
  )
}

function Choices({ field: { name, label, what, choices = [] }, value, problem }: SettingShown) {
  const chosen = itemsOf(value)
  return (
    <fieldset aria-describedby={`${name}-hint`}>
      <legend>{label}</legend>
      <span class="hint" id={`${name}-hint`}>
        {what}
      </span>
      <div class="boxes">
        {choices.map((choice) => (
          <label class="box" title={choice}>
            <input type="checkbox" name={name} value={choice} checked={chosen.includes(choice)} />
            {inWords(choice)}
          </label>
        ))}
      </div>
      <FaultsOfField id={name} faults={faultsOf(problem, name, chosen)} />
    </fieldset>
  )
}

const MIN_ROWS = 3
const MAX_ROWS = 10

function Lines({ field: { name, label, what }, value, problem }: SettingShown) {
  const items = itemsOf(value)
  const rows = Math.min(Math.max(items.length + 1, MIN_ROWS), MAX_ROWS)
  return (
    <Field label={<strong>{label}</strong>} id={name} hint={what} faults={faultsOf(problem, name, items)}>
      {(attributes) => (
        <textarea name={name} rows={rows} autocapitalize="none" spellcheck={false} {...attributes}>
          {items.join('\n')}
        </textarea>
      )}
    </Field>
  )
}

function itemsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : []
}

function described({ choices, isSwitch }: CaptureField, value: unknown): string {
  if (isSwitch) return value === true ? 'On' : 'Off'
  const items = itemsOf(value)
  return items.length === 0 ? 'None' : items.map((item) => (choices ? inWords(item) : item)).join(', ')
}
