import type { Child } from 'hono/jsx'
import { RevenueRules, readRules } from '../../questions/revenue-rules/contract.ts'
import { replaceRevenueRulesRoute } from '../../questions/revenue-rules/routes.ts'
import { readRevenueRules } from '../../questions/revenue-rules/rules.ts'
import { offeredNames, offeredParams } from '../faces/events/offered.ts'
import { ruleMatchesOf } from '../faces/revenue/rule-matches.tsx'
import { BoundField, FaultsOf, type ShownForm } from '../forms/bound-field.tsx'
import type { FormFields } from '../forms/fields-of-form.ts'
import { type Body, faultsWithin, formOf, valueAt, withRows } from '../forms/form-of.ts'
import { EventNames } from '../forms/question-form.tsx'
import { AddRow, EVENT_INPUT, FilterRows, RemoveRow, rowsOf, SaveOnEnter } from '../forms/rows.tsx'
import { besideFigures } from '../request/application-request.ts'
import { type Part, type Settings, SettingsForm } from './section.tsx'

const rulesForm = formOf(RevenueRules, {}, ['rules'])
const NEW_RULE: Body = { kind: 'sale', unit: 'minor' }

/** Without a row, nothing is revenue. */
function bodyOf(typed: FormFields): Body {
  return { rules: [], ...rulesForm.read(typed) }
}

export const revenuePart: Part = {
  id: 'revenue',
  title: 'Revenue',
  content: async (settings) => {
    const { request, typed, problem } = settings
    const { c, application } = request
    const stored = await readRevenueRules(c.get('db'), application.id)
    const body = typed && bodyOf(typed)
    const action = typed?.text('action') ?? ''
    const isTried = action === 'try' && !problem
    const rules = isTried ? readRules(body) : stored.rules
    const shown = (body && withRows(body, action, NEW_RULE)) ?? body ?? { rules }
    const [form, matches] = await Promise.all([
      request.visitor.canChange ? rulesFormOf(settings, { form: rulesForm, body: shown, problem }) : null,
      ruleMatchesOf(request, rules),
    ])
    return (
      <>
        <p>
          {
            'Rules say which events are payments or refunds, and where their amounts are. The first that matches decides. '
          }
          {stored.areDefaults && 'These are the defaults, for payments that users make to your bot.'}
        </p>
        {form}
        <h3>{isTried ? 'Preview: events these rules would match' : 'Matching events'}</h3>
        {isTried && <p class="note">Not saved yet.</p>}
        {matches}
      </>
    )
  },
  forms: {
    '/revenue': async (request, typed, showAgain) => {
      const action = typed.text('action')
      if (action === 'try' || withRows(bodyOf(typed), action, NEW_RULE)) return showAgain()
      const body = action === 'defaults' ? { rules: null } : bodyOf(typed)
      await replaceRevenueRulesRoute.ask({ path: { handle: request.application.handle }, body }, request.context)
      return undefined
    },
  },
}

async function rulesFormOf(settings: Settings, of: ShownForm): Promise<Child> {
  const { view } = settings.request
  const context = besideFigures(settings.request.context)
  const [{ names }, params] = await Promise.all([offeredNames({ view, context }), offeredParams(view, context)])
  return (
    <SettingsForm settings={settings} isWide hasRows note="Rules also apply to earlier events.">
      <SaveOnEnter />
      {rowsOf(of, 'rules').map((_, place) => (
        <Rule of={of} place={place} params={params} />
      ))}
      <FaultsOf of={of} at="rules" />
      <div class="row">
        <AddRow of={of} at="rules" item="rule" />
        <button type="submit" name="action" value="try" class="quiet">
          Preview
        </button>
        <button type="submit" name="action" value="defaults" class="quiet" formnovalidate>
          Restore defaults
        </button>
      </div>
      <EventNames names={names} hasAny={false} />
    </SettingsForm>
  )
}

const KINDS = [
  ['sale', 'Sale'],
  ['renewal', 'Renewal'],
  ['refund', 'Refund'],
] as const

const UNITS = [
  ['minor', 'the smallest unit, such as cents or Stars'],
  ['major', 'the currency itself'],
] as const

interface RuleShown {
  readonly of: ShownForm
  readonly place: number
  readonly params: readonly string[]
}

/** A rule as a line, which opens to be edited; a new one, and one that is refused, are open. */
function Rule({ of, place, params }: RuleShown) {
  const at = `rules.${place}`
  const [event, kind] = ['event', 'kind'].map((field) => String(valueAt(of.body, `${at}.${field}`) ?? ''))
  const name = `Rule ${place + 1}`
  return (
    <details class="rule" open={!event || faultsWithin(of.problem, at).length > 0}>
      <summary>
        {name}{' '}
        <span class="hint">{[KINDS.find(([value]) => value === kind)?.[1], event].filter(Boolean).join(': ')}</span>
      </summary>
      <fieldset class="condition">
        <legend class="unseen">{name}</legend>
        <div class="row">
          <BoundField of={of} at={`${at}.event`} label="Event" {...EVENT_INPUT} />
          <BoundField of={of} at={`${at}.kind`} label="Kind" options={KINDS} />
          <RemoveRow at="rules" item="rule" place={place} />
        </div>
        <div class="row">
          <BoundField
            of={of}
            at={`${at}.amount`}
            label="Amount"
            hint="A parameter, such as params.total_amount, or a number."
          />
          <BoundField
            of={of}
            at={`${at}.currency`}
            label="Currency"
            hint="A parameter, such as params.currency, or a code."
          />
          <BoundField of={of} at={`${at}.unit`} label="Amounts are in" options={UNITS} />
        </div>
        <FilterRows of={of} at={`${at}.filters`} params={params} hasUser={false} />
        <FaultsOf of={of} at={at} />
      </fieldset>
    </details>
  )
}
