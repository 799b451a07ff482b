import { Invalid } from '../../base/errors.ts'
import { calendarOf } from '../../base/time/calendar.ts'
import { resolvePeriod } from '../../base/time/period.ts'
import { askAbout } from '../../questions/engine/ask.ts'
import { ruleMatchesReport } from '../../questions/revenue/rule-matches.ts'
import { readRules } from '../../questions/revenue-rules/contract.ts'
import { getRevenueRulesRoute, replaceRevenueRulesRoute } from '../../questions/revenue-rules/routes.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { ListTable, NumberCell, numberColumn } from '../figures/table.tsx'
import { Field } from '../forms/field.tsx'
import type { FormFields } from '../forms/fields-of-form.ts'
import { type AnswerTo, type ApplicationRequest, besideFigures } from '../request/application-request.ts'
import { attempt, inWords, type PageProblem, ProblemNote } from '../request/problem.tsx'
import { counted } from '../words/format.ts'
import { type RevenueSettings, refusedIn, Section, type Settings, SettingsForm } from './section.tsx'

type OwnRules = AnswerTo<typeof getRevenueRulesRoute>['data']

/** Reads the stored rules, or those typed for a preview. Throws `Invalid`. */
export async function readRevenue(request: ApplicationRequest, tried: FormFields | null): Promise<RevenueSettings> {
  const { data } = await getRevenueRulesRoute.ask({ path: pathOf(request) }, request.context)
  const rules = tried ? readRules(bodyOf(tried)) : (data.rules as OwnRules['rules'] & readonly RevenueRule[])
  return { rules, areDefaults: data.are_defaults, tried, matches: await attempt(askForMatches(request, rules)) }
}

async function askForMatches({ application, context, clock }: ApplicationRequest, rules: readonly RevenueRule[]) {
  const period = resolvePeriod({}, calendarOf(clock.timeZone).dayOf(clock.now))
  const query = { rules, filters: [], ...period }
  return (await askAbout(application, ruleMatchesReport, query, besideFigures(context))).data
}

export function changeRevenue(request: ApplicationRequest, typed: FormFields) {
  const isReset = typed.text('action') === 'defaults'
  const body = isReset ? { rules: null } : bodyOf(typed)
  return replaceRevenueRulesRoute.ask({ path: pathOf(request), body }, request.context)
}

export function isTried(typed: FormFields): boolean {
  return typed.text('action') === 'try'
}

function pathOf({ application }: ApplicationRequest) {
  return { handle: application.handle }
}

/** Throws `Invalid`. */
function bodyOf(typed: FormFields): { readonly rules: unknown } {
  try {
    return { rules: JSON.parse(typed.text('rules')) }
  } catch {
    throw new Invalid([{ loc: ['body', 'rules'], msg: 'Input should be valid JSON', type: 'value_error' }])
  }
}

export function RevenueSection({ revenue, ...settings }: Settings & { revenue: RevenueSettings }) {
  const { request } = settings
  const { typed, problem } = refusedIn(settings, 'revenue')
  const { rules, areDefaults, tried } = revenue
  const text = (typed ?? tried)?.text('rules') ?? textOf(rules)
  return (
    <Section id="revenue" title="Revenue" settings={settings}>
      <p>
        {
          'Rules say which events are payments or refunds, and where their amounts are. The first that matches decides. '
        }
        {areDefaults && 'These are the defaults, for payments that users make to your bot.'}
      </p>
      {request.visitor.canChange && (
        <SettingsForm settings={settings} path="/revenue" isWide note="Rules also apply to earlier events.">
          <Field
            label="Rules (JSON)"
            id="revenue-rules"
            hint="A list of rules, each with event, filters, kind, amount, currency and unit; see the API reference."
            faults={problem ? faultsIn(problem) : []}
          >
            {(attributes) => (
              <textarea name="rules" rows={12} autocapitalize="none" spellcheck={false} {...attributes}>
                {text}
              </textarea>
            )}
          </Field>
          <div class="row">
            <button type="submit" name="action" value="try" class="quiet">
              Preview
            </button>
            <button type="submit" name="action" value="defaults" class="quiet">
              Restore defaults
            </button>
          </div>
        </SettingsForm>
      )}
      <Matches {...revenue} />
    </Section>
  )
}

/** One rule per line. */
function textOf(rules: readonly RevenueRule[]): string {
  return rules.length === 0 ? '[]' : `[\n${rules.map((rule) => `  ${JSON.stringify(rule)}`).join(',\n')}\n]`
}

/** Faults name the rule and its field. */
function faultsIn({ faults }: PageProblem): string[] {
  return faults.map((fault) => {
    const [, , rule, ...field] = fault.loc
    return rule === undefined
      ? inWords(fault)
      : `Rule ${Number(rule) + 1}, ${field.join('.') || 'as a whole'}: ${fault.msg}`
  })
}

function Matches({ rules, tried, matches }: RevenueSettings) {
  if (matches.problem) return <ProblemNote problem={matches.problem} />
  const { skipped } = matches.data
  return (
    <>
      <h3>{tried ? 'Preview: events these rules would match' : 'Matching events'}</h3>
      {tried && <p class="note">Not saved yet.</p>}
      {rules.length === 0 ? (
        <p class="nothing">No rules: nothing counts as revenue. Add a rule or restore the defaults.</p>
      ) : (
        <ListTable label="Matches" columns={['Event', 'Kind', 'Amount', 'Currency', numberColumn('Last 30 days')]}>
          {rules.map(({ event, kind, amount, currency }, place) => (
            <tr>
              <th scope="row">
                <bdi>{event}</bdi>
              </th>
              <td>{kind}</td>
              <td>
                <bdi>{amount}</bdi>
              </td>
              <td>
                <bdi>{currency}</bdi>
              </td>
              <NumberCell value={matches.data.matches[place] ?? 0} />
            </tr>
          ))}
        </ListTable>
      )}
      {skipped > 0 && (
        <p class="hint">{`${counted(skipped, 'matching event')} left out: no valid amount, or no currency.`}</p>
      )}
    </>
  )
}
