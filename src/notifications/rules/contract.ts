import { z } from '@hono/zod-openapi'
import { MAX_NAME_CHARACTERS } from '../../accounts/applications/saved-questions.ts'
import { toTimeZone } from '../../base/time/calendar.ts'
import { integer, issue, reject, text } from '../../http/params.ts'
import { eventParam } from '../../questions/engine/contract.ts'
import { QUOTA_PERCENT } from '../alerts.ts'

/** The most saved reports of a digest. */
export const MAX_QUESTIONS = 3
const MAX_URL_CHARACTERS = 2_000
/** The fewest and the most minutes that an alert waits for an event. */
export const MINUTES = { min: 10, max: 10_080 }
const MAX_PERCENT = 100_000

const timeZone = z
  .string()
  .transform((name, context) => toTimeZone(name) ?? reject(context, issue('value_error', NO_ZONE)))

const NO_ZONE = "Input should be the IANA name of a time zone, such as 'Europe/Berlin'"

/** The field that tells the choices of a rule or target apart. */
function kind<const T extends string>(type: T) {
  return z.literal(type).openapi({ description: `Always \`${type}\`.` })
}

export const anyName = text({ min: 1, max: MAX_NAME_CHARACTERS })
const savedReport = anyName.openapi({ description: 'Name of a saved report.', example: 'Orders' })

/** What a subscription sends, and when. */
export const Rule = z
  .discriminatedUnion('type', [
    z
      .strictObject({
        type: kind('digest'),
        every: z.enum(['daily', 'weekly']).openapi({ description: 'Every day, or on Mondays.' }),
        hour: integer({ min: 0, max: 23 }).openapi({ description: 'The hour of the day.' }),
        time_zone: timeZone.openapi({
          description: 'IANA name of the time zone of that hour.',
          example: 'Europe/Berlin',
        }),
        questions: z
          .array(savedReport)
          .max(MAX_QUESTIONS)
          .default([])
          .openapi({ description: 'Names of saved reports.' }),
      })
      .openapi('DigestRule', { description: 'Figures of the last whole day or week.' }),
    z
      .strictObject({
        type: z.enum(['above', 'below']).openapi({ description: 'Whether the figure must be greater or less.' }),
        question: savedReport,
        value: z.number().openapi({ description: 'What the figure is compared with.' }),
      })
      .openapi('ThresholdRule', { description: 'The figure of the last whole interval is greater or less.' }),
    z
      .strictObject({
        type: kind('changes_by'),
        question: savedReport,
        percent: z.number().min(1).max(MAX_PERCENT).openapi({ description: 'The change, up or down.' }),
      })
      .openapi('ChangeRule', {
        description:
          'The figure of the last whole interval differs by at least that much from the same weekday or hour a week before, or from the week or month before.',
      }),
    z
      .strictObject({
        type: kind('silent'),
        minutes: integer(MINUTES).openapi({ description: 'For how long.' }),
        event: eventParam.optional().openapi({ description: 'Name of the event; by default any.' }),
      })
      .openapi('SilenceRule', { description: 'No event, or none of that name, for so long.' }),
    z
      .strictObject({ type: kind('new_event_name') })
      .openapi('NewNameRule', { description: 'Events with a name that never occurred before.' }),
    z.strictObject({ type: kind('quota') }).openapi('QuotaRule', {
      description: `${QUOTA_PERCENT} percent of one of the application's daily quotas are used.`,
    }),
  ])
  .openapi('SubscriptionRule', {
    description: 'What is sent.',
    example: { type: 'digest', every: 'daily', hour: 9, time_zone: 'Europe/Berlin', questions: [] },
  })

declare module '../../base/described.ts' {
  interface Described {
    readonly rule: z.output<typeof Rule>
    readonly target: z.output<typeof Target>
  }
}

/** The messenger's ids of groups and channels are negative. Names change hands, so they are not taken. */
const CHAT = /^-\d{1,16}$/

/** Where a subscription sends. Samples of requests take the first: it needs no other service. */
export const Target = z
  .discriminatedUnion('type', [
    z
      .strictObject({
        type: kind('chat'),
        chat_id: text({
          min: 2,
          max: 17,
          pattern: CHAT,
          mismatch: 'Input should be an id such as -1001234567890',
        }).openapi({ description: 'Id of the group or channel.', example: '-1001234567890' }),
        topic_id: integer({ min: 1 }).optional().openapi({ description: 'The topic of a group that has topics.' }),
      })
      .openapi('ChatTarget', {
        description: 'A group or channel that one of its administrators connected with `/connect`.',
      }),
    z
      .strictObject({
        type: kind('member'),
        telegram_id: integer({ min: 1 }).openapi({ description: 'Messenger id of the member.' }),
      })
      .openapi('MemberTarget', {
        description:
          'The chat of a member of the account, who signed in inside the messenger, with the bot of the service.',
      }),
    z
      .strictObject({
        type: kind('webhook'),
        url: text({ min: 1, max: MAX_URL_CHARACTERS }).openapi({ description: 'An `https` address.' }),
      })
      .openapi('WebhookTarget', { description: 'A server that takes messages as JSON.' }),
  ])
  .openapi('SubscriptionTarget', {
    description: 'Where it is sent.',
    example: { type: 'chat', chat_id: '-1001234567890' },
  })
