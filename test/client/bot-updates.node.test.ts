import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BotSettings } from '../../src/client/bot/capture.ts'
import { createBotClient } from '../../src/client/bot/client.ts'
import { sha256 } from '../../src/client/bot/digest.ts'
import type { BotClientOptions, Update } from '../../src/client/bot/options.ts'
import { FURTHER_MESSENGER_EVENTS, MESSENGER_EVENTS } from '../../src/storage/capture-settings.ts'
import { holds } from '../support/cases.ts'
import { type CollectedEvent, createCollectingService } from '../support/collecting-service.ts'
import { FURTHER_UPDATES, INVITED_UPDATES, ODD_UPDATES, UNKNOWN_UPDATES, UPDATES } from '../support/updates.ts'

const DATE_MS = 1_795_169_730_000
const LEA = 7234567890
const TOM = 218485655
const EVERYTHING: Partial<BotSettings> = { auto_capture_telegram_events: MESSENGER_EVENTS }

/** What each update becomes, in their order: the event as it was sent, or why there is none. */
async function track(
  updates: readonly Update[],
  settings: Partial<BotSettings>,
  options: Partial<BotClientOptions> = {},
) {
  const service = createCollectingService(settings)
  const bot = createBotClient({
    host: 'https://mauve.example',
    key: 'k',
    project: 'p',
    fetch: service.fetch,
    ...options,
  })
  // So that the settings are known.
  await bot.flush()
  const outcomes = updates.map((update) => bot.trackUpdate(update))
  await bot.flush()
  const events = [...service.taken]
  return outcomes.map((outcome) => (outcome === 'captured' ? events.shift() : outcome))
}

async function trackOne(update: Update, settings: Partial<BotSettings>, options?: Partial<BotClientOptions>) {
  const [only] = await track([update], settings, options)
  return only
}

function typed(types: BotSettings['auto_capture_telegram_events']): Partial<BotSettings> {
  return { auto_capture_telegram_events: types }
}

describe('of each type of update', () => {
  const CHANNEL = { chat_type: 'channel', chat_id: -1002236736395 }
  const GROUP = { chat_type: 'supergroup', chat_id: -1001293752024 }
  const PRIVATE = { chat_type: 'private' }

  it.each<[keyof typeof UPDATES, number, number | null, Record<string, unknown>]>([
    ['message', LEA, DATE_MS, { content: 'text', ...PRIVATE }],
    ['edited_message', LEA, DATE_MS + 60_000, { content: 'text', ...PRIVATE }],
    ['inline_query', LEA, null, PRIVATE],
    ['chosen_inline_result', TOM, null, { result_id: 'lemon-7' }],
    ['callback_query', LEA, null, { data: 'buy:2', ...PRIVATE }],
    ['shipping_query', LEA, null, {}],
    ['pre_checkout_query', LEA, null, { currency: 'XTR', total_amount: 250 }],
    ['message_reaction', LEA, DATE_MS, { emoji: '🌭', removed_emoji: '❤', ...GROUP }],
    ['poll_answer', TOM, null, { poll_id: '5310107230984536067', options: '0,2' }],
    ['my_chat_member', LEA, DATE_MS, { old_status: 'left', new_status: 'member', ...GROUP }],
    ['bot_blocked', LEA, DATE_MS, { old_status: 'member', new_status: 'kicked', ...PRIVATE }],
    ['bot_unblocked', LEA, DATE_MS, { old_status: 'kicked', new_status: 'member', ...PRIVATE }],
    [
      'chat_member',
      TOM,
      DATE_MS,
      { old_status: 'left', new_status: 'member', invite_link: 'From the newsletter', ...CHANNEL },
    ],
    ['chat_join_request', TOM, DATE_MS, CHANNEL],
    ['chat_boost', LEA, DATE_MS, { source: 'premium', ...CHANNEL }],
    ['removed_chat_boost', LEA, DATE_MS, { source: 'premium', ...CHANNEL }],
  ])('%s is an event if the settings ask for it', async (type, user, time, params) => {
    const before = Date.now()
    const event = (await trackOne(UPDATES[type], typed([type]))) as CollectedEvent
    expect(event).toMatchObject({ event_type: `telegram_${type}`, telegram_id: user, params })
    expect(event.params).toEqual(params)
    expect(event.event_id).toBe(`update-${UPDATES[type].update_id}-${user}`)
    if (time === null) expect(event.datetime).toBeGreaterThanOrEqual(before)
    else expect(event.datetime).toBe(time)

    const others = MESSENGER_EVENTS.filter((other) => other !== type && !isKindOf(type, other))
    expect(await trackOne(UPDATES[type], typed(others))).toBe('not_asked')
    expect(await trackOne(UPDATES[type], { ...EVERYTHING, auto_capture_telegram: false })).toBe('not_asked')
  })

  const isKindOf = (type: string, other: string) => type.startsWith('bot_') && other === 'my_chat_member'

  it.each<keyof typeof UPDATES>(['channel_post', 'edited_channel_post', 'poll', 'message_reaction_count'])(
    '%s names no person, so there is no event',
    async (type) => expect(await trackOne(UPDATES[type], EVERYTHING)).toBe('no_user'),
  )

  it('the settings know every type of update that is tried here', () => {
    expect(Object.keys(UPDATES).sort()).toEqual([...MESSENGER_EVENTS].sort())
  })

  it('blocking is a change of membership if the settings name only those', async () => {
    const types = typed(['my_chat_member'])
    expect(await track([UPDATES.bot_blocked, UPDATES.bot_unblocked], types)).toMatchObject([
      { event_type: 'telegram_my_chat_member', write_access: false },
      { event_type: 'telegram_my_chat_member', write_access: true },
    ])
    expect(await trackOne(UPDATES.my_chat_member, typed(['bot_blocked', 'bot_unblocked']))).toBe('not_asked')
  })

  it('a membership that is called like something that every object has is a change like any other', async () => {
    const { my_chat_member: change, ...update } = UPDATES.bot_blocked
    const member = { ...change.new_chat_member, status: 'constructor' } as unknown as typeof change.new_chat_member
    const odd = { ...update, my_chat_member: { ...change, new_chat_member: member } }
    expect(await trackOne(odd, typed(['my_chat_member']))).toMatchObject({ event_type: 'telegram_my_chat_member' })
  })
})

describe('of each further type of update', () => {
  const LEFT_OUT = /secret|order-4711|lemons|limes|\+aBcDeFg|AbCdEfGh/

  async function trackFurther(update: Update, telegram_events: readonly string[]) {
    return trackOne(update, { mauve: { telegram_events } } as Partial<BotSettings>)
  }

  it.each<[keyof typeof FURTHER_UPDATES, number, number | null, Record<string, unknown>]>([
    ['subscription', LEA, null, { state: 'canceled' }],
    ['purchased_paid_media', LEA, null, {}],
    ['business_connection', LEA, DATE_MS, { is_enabled: true }],
    ['business_message', LEA, DATE_MS, { content: 'text', chat_type: 'private' }],
    ['edited_business_message', LEA, DATE_MS + 60_000, { content: 'text', chat_type: 'private' }],
    ['guest_message', TOM, DATE_MS, { content: 'text', chat_type: 'supergroup', chat_id: -1001293752024 }],
    ['managed_bot', LEA, null, {}],
    ['stopped_message_generation', LEA, null, { chat_type: 'private' }],
  ])('%s is an event if the settings ask for it', async (type, user, time, params) => {
    const event = (await trackFurther(FURTHER_UPDATES[type], [type])) as CollectedEvent
    expect(event).toMatchObject({ event_type: `telegram_${type}`, telegram_id: user })
    expect(event.params).toEqual(params)
    if (time !== null) expect(event.datetime).toBe(time)
    expect(JSON.stringify(event)).not.toMatch(LEFT_OUT)
    // What people write to others says nothing about who may be written to.
    expect(event.write_access).toBe(type === 'stopped_message_generation' ? true : undefined)
    const others = FURTHER_MESSENGER_EVENTS.filter((other) => other !== type)
    expect(await trackFurther(FURTHER_UPDATES[type], others)).toBe('not_asked')
    expect(await trackOne(FURTHER_UPDATES[type], EVERYTHING)).toBe('not_asked')
  })

  it('the settings know every further type of update that is tried here', () => {
    expect([...Object.keys(FURTHER_UPDATES), 'other'].sort()).toEqual([...FURTHER_MESSENGER_EVENTS].sort())
  })

  it('one that the client does not know has its own name if it names a person', async () => {
    expect(await trackFurther(UNKNOWN_UPDATES.from, ['other'])).toMatchObject({
      event_type: 'telegram_lemon_squeezed',
      telegram_id: LEA,
      datetime: DATE_MS,
    })
    const event = (await trackFurther(UNKNOWN_UPDATES.user, ['other'])) as CollectedEvent
    expect([event.event_type, event.telegram_id, event.params]).toEqual(['telegram_bot_lemon', TOM, {}])
    const all = await track(Object.values(UNKNOWN_UPDATES), { mauve: { telegram_events: ['other'] } } as object)
    expect(all.map((outcome) => (typeof outcome === 'object' ? 'captured' : outcome))).toEqual([
      'captured',
      'captured',
      ...new Array(5).fill('no_user'),
    ])
    expect(JSON.stringify(all)).not.toMatch(LEFT_OUT)
    expect(await trackOne(UNKNOWN_UPDATES.from, EVERYTHING)).toBe('not_asked')
    const furthest = FURTHER_MESSENGER_EVENTS.filter((type) => type !== 'other')
    expect(await trackFurther(UNKNOWN_UPDATES.from, furthest)).toBe('not_asked')
  })

  it('says by which link people came: its name, else its end', async () => {
    expect(await track(Object.values(INVITED_UPDATES), EVERYTHING)).toMatchObject([
      { params: { invite_link: 'Summer ad' } },
      { params: { invite_link: 'iJkLmNoP' } },
    ])
  })
})

describe('who it is', () => {
  it("the user's properties are beside the event", async () => {
    expect(await trackOne(UPDATES.message, EVERYTHING)).toEqual({
      telegram_id: LEA,
      language: 'de',
      is_premium: true,
      username: 'lea_lemon',
      firstname: 'Лея',
      lastname: 'Lemon 🍋',
      event_type: 'telegram_message',
      datetime: DATE_MS,
      event_id: `update-892252934-${LEA}`,
      referrer_type: 'private',
      write_access: true,
      params: { content: 'text', chat_type: 'private' },
      event_source: 'mauve-bot',
    })
  })

  it('has no premium where the messenger leaves it out', async () => {
    expect(await trackOne(UPDATES.poll_answer, EVERYTHING)).toMatchObject({ is_premium: false, firstname: 'Tom' })
  })

  it('has no names if the option says so', async () => {
    const text = JSON.stringify(await track(Object.values(UPDATES), EVERYTHING, { names: false }))
    expect(text).toContain(String(LEA))
    expect(text).not.toMatch(/Лея|Lemon|lea_lemon|Tom/)
  })

  it('may be written to in a chat with the bot, not where an inline query comes from', async () => {
    expect(await trackOne(UPDATES.callback_query, EVERYTHING)).toMatchObject({ write_access: true })
    expect(await trackOne(UPDATES.inline_query, EVERYTHING)).not.toHaveProperty('write_access')
    expect(await trackOne(ODD_UPDATES.report, EVERYTHING)).not.toHaveProperty('write_access')
  })

  it.each<keyof typeof ODD_UPDATES>([
    'forwardedPost',
    'anonymousAdmin',
    'asChannel',
    'fromBot',
    'reactionOfChat',
    'pollAnswerOfChat',
    'giveawayNobodyWon',
  ])('an update in %s has no user', async (name) =>
    expect(await trackOne(ODD_UPDATES[name], EVERYTHING)).toBe('no_user'),
  )

  it.each([
    ['of an unknown type', UNKNOWN_UPDATES.nobody],
    ['empty', { update_id: 1 }],
    ['damaged', { update_id: 1, message: 5 }],
    ['without a change', { update_id: 1, chat_member: { from: { id: 5 } } }],
    ['null', null as unknown as Update],
    ['of an impossible id', { update_id: 1, inline_query: { from: { id: 1.5 } } }],
  ])('an update that is %s has no user', async (_, update) => {
    expect(await trackOne(update, EVERYTHING)).toBe('no_user')
  })
})

describe('commands', () => {
  const commands = { auto_capture_commands: ['/start', 'Report'] }
  const bot = { username: 'Lemon_Shop_Bot' }

  it.each<[keyof typeof ODD_UPDATES, string, string | undefined]>([
    ['start', '/start', 'promo_42'],
    ['startOfBotInGroup', '/start', 'promo_42'],
    ['startWithText', '/start', undefined],
    ['report', '/Report', undefined],
    ['captionedCommand', '/Report', undefined],
  ])('are known: %s', async (name, command, startParameter) => {
    const event = await trackOne(ODD_UPDATES[name], commands, bot)
    expect(event).toMatchObject({ event_type: `telegram_command ${command}`, params: { command } })
    expect((event as CollectedEvent).start_parameter).toBe(startParameter)
    expect(await trackOne(ODD_UPDATES[name], { auto_capture_commands: ['/help'] }, bot)).toBe('not_asked')
  })

  it.each<keyof typeof ODD_UPDATES>(['commandLater', 'commandWithoutEntity', 'editedCommand', 'startOfAnotherBot'])(
    'are none: %s',
    async (name) => expect(await trackOne(ODD_UPDATES[name], commands, bot)).toBe('not_asked'),
  )

  it("commands of another bot count as this one's if the client does not know its own name", async () => {
    expect(await trackOne(ODD_UPDATES.startOfAnotherBot, commands)).toMatchObject({
      event_type: 'telegram_command /start',
    })
  })

  it('are one event, and a message if only messages are captured', async () => {
    expect(await trackOne(ODD_UPDATES.start, { ...commands, ...EVERYTHING })).toMatchObject({
      event_type: 'telegram_command /start',
    })
    expect(await trackOne(ODD_UPDATES.start, EVERYTHING)).toMatchObject({
      event_type: 'telegram_message',
      start_parameter: 'promo_42',
    })
  })
})

describe('messages that contain a text', () => {
  it('are captured in any letter case, with the text that matched', async () => {
    const settings = { auto_capture_messages: ['orange', 'Fresh limón', 'limón'] }
    expect(await track([ODD_UPDATES.photo, UPDATES.message], settings)).toMatchObject([
      { event_type: 'telegram_message', params: { matched: 'Fresh limón', content: 'photo' } },
      'not_asked',
    ])
  })

  it('are not captured again when they are edited', async () => {
    expect(await trackOne(UPDATES.edited_message, { auto_capture_messages: ['hello'] })).toBe('not_asked')
  })
})

describe('further features', () => {
  const having = (feature: string) => ({ advanced_tracking_features: [feature] })

  it('events of channels: who joins, asks to join, and boosts', async () => {
    const inChannel = [UPDATES.chat_member, UPDATES.chat_join_request, UPDATES.chat_boost, UPDATES.removed_chat_boost]
    const names = ['telegram_chat_member', 'telegram_chat_join_request', 'telegram_chat_boost']
    expect(await track(inChannel, having('channel_events_tracking'))).toMatchObject(
      [...names, 'telegram_removed_chat_boost'].map((event_type) => ({ event_type })),
    )
    expect(await trackOne(UPDATES.my_chat_member, having('channel_events_tracking'))).toBe('not_asked')
    expect(await trackOne(UPDATES.channel_post, having('channel_events_tracking'))).toBe('no_user')
  })

  it('posts that were scheduled', async () => {
    const { scheduled, scheduledForBot } = ODD_UPDATES
    const updates = [scheduled, scheduledForBot, UPDATES.message]
    expect(await track(updates, having('post_schedule_analytics'))).toMatchObject([
      { event_type: 'telegram_message', params: { scheduled: true } },
      'not_asked',
      'not_asked',
    ])
  })

  it('comments under posts, and answers to them', async () => {
    const { forwardedPost, comment, answerToComment, answerInGroup } = ODD_UPDATES
    const commented = { event_type: 'telegram_message', params: { comment: true } }
    const feature = having('post_comments_analytics')
    expect(await track([comment, answerToComment, answerInGroup], feature)).toMatchObject([
      commented,
      commented,
      'not_asked',
    ])
    expect(await track([forwardedPost, answerToComment], feature)).toMatchObject(['no_user', commented])
    expect(await track([answerToComment], feature)).toEqual(['not_asked'])
    expect(JSON.stringify(await track([comment], EVERYTHING))).not.toContain('comment')
  })

  it('the latest thousand posts are remembered', async () => {
    const posts = Array.from({ length: 1_000 }, (_, place) => ({
      update_id: 100 + place,
      message: { ...ODD_UPDATES.forwardedPost.message, message_id: 200_000 + place },
    }))
    const answerAfter = (updates: readonly Update[]) =>
      track([...updates, ODD_UPDATES.answerToComment], having('post_comments_analytics'))
    expect((await answerAfter([ODD_UPDATES.forwardedPost, ...posts.slice(1)])).at(-1)).toBeTypeOf('object')
    expect((await answerAfter([ODD_UPDATES.forwardedPost, ...posts])).at(-1)).toBe('not_asked')
  })
})

describe('payments', () => {
  const event = async (update: Update) => (await trackOne(update, EVERYTHING)) as Record<string, unknown>
  const PAID = { chat_type: 'private', content: 'successful_payment', currency: 'XTR' }

  it('have their amount, whether they renew a subscription, and until when', async () => {
    const { payment, firstOfSubscription, renewal, refund } = ODD_UPDATES
    expect((await event(payment)).params).toEqual({ ...PAID, total_amount: 250 })
    const club = { ...PAID, total_amount: 100, is_recurring: true }
    const [first, second] = [firstOfSubscription, renewal].map(
      ({ message }) => message.successful_payment.subscription_expiration_date,
    )
    expect((await event(firstOfSubscription)).params).toEqual({
      ...club,
      is_first_recurring: true,
      subscription_expiration_date: first,
    })
    expect((await event(renewal)).params).toEqual({ ...club, subscription_expiration_date: second })
    expect((await event(refund)).params).toEqual({ ...PAID, content: 'refunded_payment', total_amount: 250 })
  })

  it('are identified by a hash of their charge, which is the same in whatever update they come', async () => {
    const { payment, firstOfSubscription, renewal, refund } = ODD_UPDATES
    const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)
    const id = async (update: Update) => (await event(update)).event_id
    expect(await id(payment)).toBe(`payment-${hash('stxAbCdEf ')}`)
    expect(await id({ ...payment, update_id: 4711 })).toBe(await id(payment))
    expect(await id(refund)).toBe(`refund-${hash('stxAbCdEf ')}`)
    expect(await id(renewal)).not.toBe(await id(firstOfSubscription))
    expect(await id({ ...renewal, update_id: 4711 })).toBe(await id(renewal))
  })

  it('never have their payload, nor the ids of their charge', async () => {
    const { payment, firstOfSubscription, renewal, refund } = ODD_UPDATES
    const events = JSON.stringify(await track([payment, firstOfSubscription, renewal, refund], EVERYTHING))
    for (const text of ['order-4711', 'club', 'stx', '7234567890_']) expect(events).not.toContain(text)
  })

  it('payments without a charge are identified by their update', async () => {
    const { telegram_payment_charge_id: _, ...paid } = ODD_UPDATES.payment.message.successful_payment
    const message = { ...ODD_UPDATES.payment.message, successful_payment: paid }
    expect((await event({ update_id: 11, message } as Update)).event_id).toBe(`update-11-${LEA}`)
  })

  it('are hashed with SHA-256', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'))
      }),
    )
  })
})

it('the data of a button is cut after 64 bytes, between two letters', async () => {
  const { callback_query } = UPDATES.callback_query
  const data = `x${'ж'.repeat(40)}`
  const event = await trackOne({ update_id: 1, callback_query: { ...callback_query, data } } as Update, EVERYTHING)
  expect(event).toMatchObject({ params: { data: `x${'ж'.repeat(31)}` } })
})

describe('what people write is never sent', () => {
  /** What the messenger or the bot's owner says, and names of people, which are a setting of their own. */
  const NOT_WRITTEN = new Set([
    ...[
      'type',
      'status',
      'state',
      'source',
      'currency',
      'emoji',
      'data',
      'result_id',
      'poll_id',
      'chat_type',
      'language_code',
    ],
    ...['id', 'username', 'first_name', 'last_name'],
  ])

  /** Replaces every text of an update that may be replaced, except links, which the owner of a chat makes and names. */
  function rewritten(value: unknown, text: string, name = ''): unknown {
    if (Array.isArray(value)) return value.map((item) => rewritten(item, text, name))
    if (name === 'invite_link') return value
    if (typeof value === 'string') return NOT_WRITTEN.has(name) ? value : beginningOf(value) + text
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewritten(item, text, key)]))
  }

  /** A command stays one. */
  const beginningOf = (text: string) => /^\/\w+(@\w+)? /.exec(text)?.[0] ?? ''

  const settings: Partial<BotSettings> = {
    ...EVERYTHING,
    ...({ mauve: { telegram_events: FURTHER_MESSENGER_EVENTS } } as object),
    auto_capture_commands: ['/start', '/report'],
    auto_capture_messages: [' '],
    advanced_tracking_features: ['channel_events_tracking', 'post_schedule_analytics', 'post_comments_analytics'],
  }
  const updates = [UPDATES, ODD_UPDATES, FURTHER_UPDATES, UNKNOWN_UPDATES].flatMap((some) =>
    Object.values<Update>(some),
  )

  it('no event has what people write, whatever the update and wherever it is', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 6 }).map((some) => `${some} §`)
    await holds(
      fc.asyncProperty(text, async (written) => {
        const events = await track(
          updates.map((update) => rewritten(update, written) as Update),
          settings,
        )
        const captured = events.filter((event) => typeof event === 'object')
        expect(captured.length).toBeGreaterThan(30)
        // As it stands in JSON.
        expect(JSON.stringify(captured)).not.toContain(JSON.stringify(written).slice(1, -1))
      }),
      { atLeast: 20, atMost: 200 },
    )
  })
})
