import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import { COPY_SECONDS, EFFECT_SECONDS } from '../src/access/api-keys.ts'
import { MAX_ANNOTATION_CHARACTERS, MAX_ANNOTATIONS } from '../src/accounts/annotations/annotations.ts'
import { MAX_APPLICATIONS } from '../src/accounts/applications/contract.ts'
import { MAX_KEEP_MONTHS, MIN_KEEP_MONTHS } from '../src/accounts/applications/kept.ts'
import { MAX_PINNED, MAX_SAVED_QUESTIONS } from '../src/accounts/applications/saved-questions.ts'
import { MAX_BOARDS, MAX_REPORTS } from '../src/accounts/boards/boards.ts'
import * as clientConfig from '../src/accounts/client-config/contract.ts'
import { MAX_KEYS } from '../src/accounts/contract.ts'
import { MAX_MEMBERS } from '../src/accounts/members.ts'
import * as shares from '../src/accounts/shares/shares.ts'
import * as sources from '../src/accounts/sources/contract.ts'
import { MAX_ROWS } from '../src/assistants/table.ts'
import { MAX_DECIMAL_DIGITS } from '../src/base/decimal.ts'
import * as text from '../src/base/text/text.ts'
import { SAME_DAYS } from '../src/base/time/intervals.ts'
import { DEFAULT_PERIOD_DAYS, MAX_PERIOD_DAYS } from '../src/base/time/period.ts'
import * as collection from '../src/collection/contract.ts'
import * as timeBounds from '../src/collection/time-bounds.ts'
import { MAX_GROUPED_BY, MAX_GROUPS } from '../src/columns/selection/filter.ts'
import { SESSION_GAP_MINUTES } from '../src/columns/selection/sessions.ts'
import { MIN_USERS } from '../src/dashboard/cards/privacy.ts'
import { MAX_LINES, MAX_LINES_OF_A_PAGE } from '../src/lifecycle/export/contract.ts'
import { QUOTA_PERCENT } from '../src/notifications/alerts.ts'
import { TIMEOUT_MS } from '../src/notifications/channels/webhook.ts'
import { LINE_DAYS, LINE_WEEKS } from '../src/notifications/digest.ts'
import { KEPT_DAYS } from '../src/notifications/due.ts'
import * as notifications from '../src/notifications/rules/contract.ts'
import { MAX_SUBSCRIPTIONS } from '../src/notifications/subscriptions.ts'
import { COMPARED_GROUPS } from '../src/questions/acquisition/acquisition.ts'
import * as acquisition from '../src/questions/acquisition/contract.ts'
import { getMonthlyActiveUsers } from '../src/questions/active-users/contract.ts'
import { MAX_INTERVALS } from '../src/questions/engine/period.ts'
import { listEventNames } from '../src/questions/event-names/contract.ts'
import { MAX_VALUES } from '../src/questions/filters/contract.ts'
import * as funnels from '../src/questions/funnels/contract.ts'
import { DAYS_AGO, getGrowthTrend } from '../src/questions/growth-trend/contract.ts'
import { listLatestEvents } from '../src/questions/latest-events/contract.ts'
import { LIVE_MINUTES } from '../src/questions/live-users/live-users.ts'
import * as paths from '../src/questions/paths/contract.ts'
import { PREMIUM_DAYS } from '../src/questions/premium-distribution/contract.ts'
import { listProperties } from '../src/questions/properties/contract.ts'
import { listPropertyValues } from '../src/questions/property-values/contract.ts'
import * as referrals from '../src/questions/referrals/contract.ts'
import { MOST_STEPS } from '../src/questions/referrals/forest.ts'
import { MAX_CURRENCIES } from '../src/questions/revenue/contract.ts'
import * as revenueRules from '../src/questions/revenue-rules/contract.ts'
import { CODE_CHARACTERS } from '../src/questions/revenue-rules/currency-code.ts'
import { MONTH_DAYS } from '../src/questions/rollups/daily-figures.ts'
import { LENGTHS } from '../src/questions/sessions/session-lengths.ts'
import * as preview from '../src/questions/source-preview/contract.ts'
import * as trends from '../src/questions/trends/contract.ts'
import * as division from '../src/questions/trends/division.ts'
import { LETTERS } from '../src/questions/trends/formula.ts'
import { WEEK_DAYS } from '../src/questions/user-activity/contract.ts'
import * as cohorts from '../src/questions/user-cohorts/cohorts.ts'
import { MAX_COHORT_NAME_CHARACTERS } from '../src/questions/user-cohorts/contract.ts'
import * as definition from '../src/questions/user-cohorts/definition/contract.ts'
import { MAX_LISTED, MAX_NAMED } from '../src/questions/user-cohorts/definition/list.ts'
import * as figure from '../src/questions/user-cohorts/figures/contract.ts'
import { MAX_NAMES } from '../src/questions/user-days/user-days.ts'
import { listUserEvents } from '../src/questions/user-events/contract.ts'
import { listUsers, MAX_SEARCHED } from '../src/questions/users/contract.ts'

/** `10,000` */
function grouped(count: number): string {
  return count.toLocaleString('en')
}

/** Small numbers as sentences spell them. */
function spelled(count: number): string {
  return ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'][count] ?? `${count}`
}

/** What a list answers without `limit`, and the largest that it takes, as the operation itself says. */
function limitOf({
  request,
}: {
  readonly request: { readonly query: { readonly shape: { readonly limit: z.ZodType } } }
}) {
  return boundsOf(request.query.shape.limit)
}

function boundsOf(schema: z.ZodType): { readonly byDefault: number; readonly most: number } {
  const [fault] = schema.safeParse(String(Number.MAX_SAFE_INTEGER)).error?.issues ?? []
  return { byDefault: schema.safeParse(undefined).data as number, most: Number(fault?.message.split(' ').at(-1)) }
}

/** `100 by default, 1 to 1000` */
function listed(contract: Parameters<typeof limitOf>[0]): string {
  return `${limitOf(contract).byDefault} by default, 1 to ${limitOf(contract).most}`
}

const { day: days, week: weeks, month: months } = MAX_INTERVALS
const bySeconds = LENGTHS.map(({ belowMilliseconds }) => belowMilliseconds / 1000)

/** The sentences that state a limit elsewhere than beside its declaration: those of the documentation, and of contracts that spell a number. */
const STATED: Readonly<Record<string, readonly string[]>> = {
  'docs/rules.md': [
    // 1 to 5
    `\`start\` to ${DEFAULT_PERIOD_DAYS - 1} days before \`end\` (${DEFAULT_PERIOD_DAYS} days in all). A period has at most ${MAX_PERIOD_DAYS} days.`,
    `An account has at most ${MAX_APPLICATIONS} applications, ${grouped(MAX_KEYS)} keys that are not revoked, and ${MAX_MEMBERS} members; an application has at most ${MAX_SAVED_QUESTIONS} saved questions, ${MAX_PINNED} of them pinned, ${MAX_BOARDS} boards and ${shares.MAX_SHARES} links`,
    `is the number of distinct users active in the ${MONTH_DAYS} days that end with that day`,
    `corrects the MAU of _d_ to _d_+${MONTH_DAYS - 1}`,
    `\`days\` is ${boundsOf(getMonthlyActiveUsers.request.query.shape.days).byDefault} by default, 1 to ${boundsOf(getMonthlyActiveUsers.request.query.shape.days).most}.`,
    `\`limit\` is ${listed(getGrowthTrend)}; \`offset\` is 0 by default. \`profile_photo\``,
    `the MAU of today, yesterday, ${DAYS_AGO.weekAgo} days ago and ${DAYS_AGO.monthAgo} days ago.`,
    `(today_users - month_ago_users) / ${DAYS_AGO.monthAgo}\``,
    `**Premium distribution** has ${PREMIUM_DAYS} entries`,
    `\`limit\` is 1 to ${limitOf(listUsers).most}. Missing values sort last`,
    `\`search\` (1 to ${MAX_SEARCHED} characters, one line)`,
    // 6 and 7
    `\`group_by\` takes up to ${spelled(MAX_GROUPED_BY)} properties`,
    `the ${MAX_GROUPS} largest by \`key_value\``,
    `more than ${MAX_DECIMAL_DIGITS} digits before or after its decimal point`,
    `\`series\` is JSON, 1 to ${LETTERS.length} of`,
    `at most ${division.MAX_DAYS_OF_HOURS} days of hours, ${days} days, ${weeks} weeks or ${months} months (else a 422 at \`start\`); by the hour, \`start\` is ${division.DEFAULT_DAYS_OF_HOURS - 1} days before \`end\` by default`,
    `on the same days ${SAME_DAYS} days earlier (\`28d\``,
    `\`formula\` (up to ${trends.MAX_FORMULAS} of at most ${trends.MAX_FORMULA_CHARACTERS} characters): letters \`A\` to \`${LETTERS.at(-1)}\``,
    // 8
    `\`events\` has ${funnels.STEPS.min} to ${funnels.STEPS.max} names in order`,
    `1 to ${funnels.WINDOW_SECONDS.max} = ${funnels.WINDOW_SECONDS.max / 86_400} days; by default ${funnels.WINDOW_SECONDS.byDefault} = ${funnels.WINDOW_SECONDS.byDefault / 86_400} days`,
    `\`exclude\` has up to ${funnels.MAX_EXCLUDED} names`,
    // 9
    `one event or an array of up to ${collection.MAX_EVENTS.full}, in either`,
    `\`event_id\` (text, 1 to ${collection.EVENT_ID_CHARACTERS})`,
    `\`start_parameter\` (up to ${text.START_PARAMETER_CHARACTERS})`,
    `are at most ${timeBounds.CLIENT_KEY_DAYS_BACK} days old (422), and its arrays have at most ${collection.MAX_EVENTS.client};`,
    `more than ${timeBounds.MINUTES_AHEAD} minutes ahead or more than ${timeBounds.YEARS_BACK} years old`,
    `Names are cut at ${text.NAME_CHARACTERS} characters, strings at ${text.TEXT_CHARACTERS}, context texts at ${text.CONTEXT_CHARACTERS} (start parameters at ${text.START_PARAMETER_CHARACTERS},`,
    `a batch has 1 to ${collection.MAX_EVENTS_OF_VERIFIED_USER} events`,
    // 11 to 14
    `distinct users of the ${WEEK_DAYS} and ${MONTH_DAYS} days that end with the day`,
    `in the ${spelled(LIVE_MINUTES)} minutes (\`minutes\`) before the request: later than ${LIVE_MINUTES * 60} seconds before it`,
    `at most ${days} days, ${weeks} weeks or ${months} months (else a 422 at \`start\`).`,
    `\`groups\` has the ${MAX_GROUPS} groups with most users`,
    `none is more than ${SESSION_GAP_MINUTES} minutes after the one before: a gap of exactly ${SESSION_GAP_MINUTES} minutes continues it`,
    `sessions below ${bySeconds[0]} seconds, from ${bySeconds[0]} to below ${bySeconds[1]}, below ${bySeconds[2]}, below ${bySeconds[3]}, and from ${bySeconds[3]} on`,
    `below ${bySeconds[0]} seconds, from ${bySeconds[0]} to below ${bySeconds[1]}, below ${bySeconds[2]}, below ${bySeconds[3]}, and from ${bySeconds[3]} on. The mean`,
    `the users active in the last ${DEFAULT_PERIOD_DAYS} days, ending today`,
    // 15 to 17
    `\`limit\` is ${listed(listEventNames)}; \`offset\` is 0 by default; \`total\` is the number of names`,
    `\`limit\` is ${listed(listLatestEvents)}. There is no period.`,
    `\`limit\` (${limitOf(listProperties).byDefault} by default, 1 to ${grouped(limitOf(listProperties).most)}) bounds the parameters`,
    `\`limit\` is ${listed(listPropertyValues)}; \`total\` counts all values`,
    `\`limit\` is ${listed(listUserEvents)}; a page has fewer`,
    `a pause of more than ${SESSION_GAP_MINUTES} minutes between two of their events starts a new one`,
    `most frequent first, ties by name, at most ${MAX_NAMES}.`,
    `\`steps\` (1 to ${paths.STEPS.max}, by default 3)`,
    `The ${paths.MAX_TARGETS} targets of a step`,
    `takes none of the ${paths.MAX_TARGETS} places`,
    // 18 to 20
    `Lists have at most ${clientConfig.MAX_ITEMS} items of 1 to ${clientConfig.MAX_CHARACTERS} characters`,
    `the last ${grouped(MAX_KEYS)} that are.`,
    `up to ${grouped(MAX_ANNOTATIONS)}, with a \`text\` of 1 to ${MAX_ANNOTATION_CHARACTERS} characters`,
    `of an application is ${MIN_KEEP_MONTHS} to ${MAX_KEEP_MONTHS}, or null`,
    `and everywhere within ${COPY_SECONDS} seconds`,
    `may use the old zone for another ${COPY_SECONDS} seconds`,
    // 22 to 27
    `\`rules\`: at most ${revenueRules.MAX_RULES}, tried in order`,
    `up to ${revenueRules.MAX_FILTERS} \`filters\` (6; at most ${MAX_VALUES} values in a rule)`,
    `has at most ${MAX_DECIMAL_DIGITS} digits, as in 7), a \`currency\` (\`params.<name>\` or a code of ${CODE_CHARACTERS},`,
    `Its currency is a text of ${CODE_CHARACTERS}, in upper case.`,
    `the ${MAX_CURRENCIES} with the most payments, ties by code`,
    `the ${MAX_GROUPS} with the largest \`total\` of \`gross\``,
    `The ${MAX_GROUPS} groups with the most users are listed`,
    `an ordered list of at most ${sources.MAX_RULES} rules`,
    `a change also applies to the past, within ${EFFECT_SECONDS} seconds`,
    `in the last ${preview.PREVIEW_DAYS} days (today included)`,
    `with the first ${spelled(preview.MAX_EXAMPLES)} of their start parameters. \`unmatched\` has the ${preview.MAX_UNMATCHED} start parameters`,
    `\`limit\` is ${listed(acquisition.getAcquisition)}; \`offset\` is 0 by default; \`total\` (and`,
    `at most ${acquisition.ACTIVATION_DAYS} × 24 hours after their first event`,
    `of all groups with at least ${acquisition.LEAST_USERS} users (of the ${grouped(COMPARED_GROUPS)} largest groups;`,
    `Only groups with at least ${acquisition.LEAST_USERS} users have it`,
    // 28
    `a name of 1 to ${MAX_COHORT_NAME_CHARACTERS} characters; an application has at most ${cohorts.MAX_COHORTS}.`,
    `"conditions": [1 to ${definition.MAX_CONDITIONS}]`,
    `(1 to ${definition.MAX_DAYS}: the last n days, today included)`,
    `(\`telegram_ids\`, up to ${grouped(definition.MAX_WRITTEN)})`,
    `one \`users\` condition of up to ${grouped(MAX_LISTED)} ids`,
    `for the first ${MAX_NAMED} wrong lines. Where a list has more than ${grouped(definition.MAX_WRITTEN)} ids`,
    `at most ${cohorts.MAX_ASKED} cohorts, which list at most ${grouped(cohorts.MAX_LISTED_ASKED)} ids`,
    `(at most ${grouped(figure.MAX_QUESTION)} characters)`,
    `a \`start\` needs an \`end\` (at most ${figure.MAX_DAYS} days)`,
    // 29 and 30
    `sources of the last ${DEFAULT_PERIOD_DAYS} days`,
    `a table of at most ${MAX_ROWS} rows`,
    `at most ${referrals.INVITING_DAYS} × 24 hours after the first event of that new user`,
    `\`top\` has the ${referrals.MOST_INVITERS} users`,
    `\`limit\` is ${listed(referrals.listUserReferrals)}; \`offset\` up to ${grouped(boundsOf(referrals.listUserReferrals.request.query.shape.offset).most)}.`,
    // 31 to 33
    `digests and alerts of an application, at most ${MAX_SUBSCRIPTIONS}.`,
    `a line of active users of ${LINE_DAYS} days (${LINE_WEEKS} weeks)`,
    `up to ${spelled(notifications.MAX_QUESTIONS)} saved reports`,
    `\`minutes\` (${notifications.MINUTES.min} to ${grouped(notifications.MINUTES.max)})`,
    `has used ${QUOTA_PERCENT} percent of a daily quota`,
    `until it answers 2xx within ${TIMEOUT_MS / 1000} seconds`,
    `Messages are stored for ${KEPT_DAYS} days.`,
    `\`groups\` then has the ${MAX_GROUPS} groups`,
    `shows 1 to ${MAX_REPORTS} saved reports`,
    `A password (${shares.PASSWORD_CHARACTERS.min} to ${shares.PASSWORD_CHARACTERS.max} characters)`,
    `After ${shares.MAX_ATTEMPTS} wrong ones within ${shares.ATTEMPTS_MINUTES} minutes`,
    `(up to ${shares.MAX_HOSTS} origins`,
    `match fewer than ${MIN_USERS} users in its period`,
  ],
  'docs/questions.md': [
    `The default is the last ${DEFAULT_PERIOD_DAYS} days, the maximum ${MAX_PERIOD_DAYS}.`,
    `on each of the last ${PREMIUM_DAYS} days`,
    `those active in the last ${spelled(LIVE_MINUTES)} minutes`,
    `up to ${grouped(MAX_LISTED)} ids as CSV`,
    `(${days} days, ${weeks} weeks, ${months} months or ${division.MAX_DAYS_OF_HOURS} days of hours)`,
    `at most ${MAX_VALUES} values in all, and compare cohorts with \`is\` or \`is not\`, at most ${cohorts.MAX_ASKED} in a question`,
    `more than ${MAX_DECIMAL_DIGITS} digits before or after the decimal point`,
    `the ${MAX_GROUPS} largest are shown`,
  ],
  'docs/account.md': [
    `a revoked one stops working everywhere within ${EFFECT_SECONDS} seconds`,
    `\`client\` keys of the application stop working within ${COPY_SECONDS} seconds`,
    `at most ${EFFECT_SECONDS} seconds behind`,
    `Collection applies changes within ${EFFECT_SECONDS} seconds`,
    `at most ${grouped(MAX_KEYS)} keys that are not revoked`,
    `\`keep_months\` (${MIN_KEEP_MONTHS} to ${MAX_KEEP_MONTHS})`,
    `at most ${clientConfig.MAX_ITEMS} items of 1 to ${clientConfig.MAX_CHARACTERS} characters`,
    `Up to ${revenueRules.MAX_FILTERS} [filters]`,
    `The service tries up to ${revenueRules.MAX_RULES} rules in order`,
  ],
  'docs/clients.md': [
    `at most ${collection.MAX_EVENTS.client} events (${collection.MAX_EVENTS_OF_VERIFIED_USER} with init data), at most ${timeBounds.CLIENT_KEY_DAYS_BACK} days old`,
    `one event or an array of up to ${collection.MAX_EVENTS.full} as plain JSON`,
    `at most ${timeBounds.MINUTES_AHEAD} minutes ahead and ${timeBounds.YEARS_BACK} years back`,
    `Send up to ${collection.MAX_EVENTS_OF_VERIFIED_USER} events without \`telegram_id\``,
  ],
  'docs/dashboard.md': [
    `An application can have ${MAX_SAVED_QUESTIONS}.`,
    `show up to ${MAX_REPORTS} saved reports for one period`,
  ],
  'docs/data.md': [
    `${grouped(MAX_LINES)} by default and at most. With up to ${grouped(MAX_LINES_OF_A_PAGE)}, the headers`,
  ],
  'docs/notifications.md': [
    `answer with a 2xx within ${TIMEOUT_MS / 1000} seconds`,
    `After any other answer, or none within ${TIMEOUT_MS / 1000} seconds`,
  ],
  'docs/operating.md': [
    `continue for up to ${COPY_SECONDS} seconds`,
    `did not know yet (up to ${COPY_SECONDS} seconds)`,
    `Cached keys expire within ${EFFECT_SECONDS} seconds`,
  ],
  'docs/recipes.md': [`time range (at most ${MAX_PERIOD_DAYS} days)`],
  'src/questions/enterprise-summary/contract.ts': [
    `shorter than ${bySeconds[0]} seconds on average`,
    `from ${bySeconds[0]} to less than ${bySeconds[1]} seconds on average`,
    `from ${bySeconds[1]} to less than ${bySeconds[2]} seconds on average`,
    `from ${bySeconds[2]} to less than ${bySeconds[3]} seconds on average`,
    `take ${bySeconds[3]} seconds or more on average`,
  ],
  'src/questions/live-users/contract.ts': [
    `in these ${spelled(LIVE_MINUTES)} minutes`,
    `in the ${spelled(LIVE_MINUTES)} minutes before the request`,
  ],
  'src/storage/README.md': [
    `a copy older than ${COPY_SECONDS} s is never used`,
    `at most ${MAX_SAVED_QUESTIONS} an application`,
    `at most ${MAX_BOARDS} an application`,
  ],
  'src/questions/trends/contract.ts': [`Up to ${spelled(LETTERS.length)} events`],
  'src/questions/referrals/contract.ts': [`The ${MOST_STEPS === 100 ? 'hundredth' : `${MOST_STEPS}th`} entry`],
  'src/questions/sessions/contract.ts': [
    `below ${bySeconds[0]} seconds, from ${bySeconds[0]} to below ${bySeconds[1]}, from ${bySeconds[1]} to below ${bySeconds[2]}, from ${bySeconds[2]} to below ${bySeconds[3]}, and from ${bySeconds[3]} seconds`,
  ],
}

it.each(Object.entries(STATED))('%s states the limits as the code declares them', (file, sentences) => {
  const page = readFileSync(join(import.meta.dirname, '..', file), 'utf8').replaceAll(/\s+/g, ' ')
  expect(sentences.filter((sentence) => !page.includes(sentence))).toEqual([])
})
