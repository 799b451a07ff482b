/**
 * Updates as the messenger sends them to bots: shapes recorded by the tests of bot libraries and in the messenger's own
 * documentation of its Bot API, one of each type that the capture settings know and the odd ones besides. People, chats, texts
 * and ids are made up.
 */

/** Seconds; 2026-11-20 10:15:30 UTC. */
const DATE = 1_795_169_730

const LEA = {
  id: 7234567890,
  is_bot: false,
  first_name: 'Лея',
  last_name: 'Lemon 🍋',
  username: 'lea_lemon',
  language_code: 'de',
  is_premium: true,
}
/** Without all that a person may leave out. */
const TOM = { id: 218485655, is_bot: false, first_name: 'Tom' }
const SHOP_BOT = { id: 6000000001, is_bot: true, first_name: 'Lemon Shop', username: 'lemon_shop_bot' }
/** The user in `from` of messages that a chat wrote. */
const ANONYMOUS_ADMIN = { id: 1087968824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' }
const CHANNEL_STAND_IN = { id: 136817688, is_bot: true, first_name: 'Channel', username: 'Channel_Bot' }
const MESSENGER = { id: 777000, is_bot: false, first_name: 'Telegram' }

const LEAS_CHAT = { id: LEA.id, first_name: 'Лея', last_name: 'Lemon 🍋', username: 'lea_lemon', type: 'private' }
const GROUP = { id: -1001293752024, title: 'Lemon talk', type: 'supergroup', username: 'lemon_talk' }
const CHANNEL = { id: -1002236736395, title: 'Lemon news', type: 'channel' }

const inLeasChat = { message_id: 6557, from: LEA, chat: LEAS_CHAT, date: DATE }
const inGroup = { message_id: 134545, from: TOM, chat: GROUP, date: DATE }

function command(text: string) {
  return { text, entities: [{ offset: 0, length: text.split(' ')[0]?.length, type: 'bot_command' }] }
}

const PHOTO = [
  { file_id: 'AgACAgIAAxkBAAIBY2', file_unique_id: 'AQADAgAT', file_size: 1253, width: 90, height: 67 },
  { file_id: 'AgACAgIAAxkBAAIBY3', file_unique_id: 'AQADAgBT', file_size: 17290, width: 320, height: 240 },
]

const POST = {
  message_id: 36,
  author_signature: 'Lea',
  sender_chat: CHANNEL,
  chat: CHANNEL,
  date: DATE,
  text: 'New lemons are in.',
}

/** A post, forwarded to the group in which it is discussed. */
const FORWARDED_POST = {
  message_id: 134600,
  from: MESSENGER,
  sender_chat: CHANNEL,
  chat: GROUP,
  date: DATE,
  forward_origin: { type: 'channel', chat: CHANNEL, message_id: 36, author_signature: 'Lea', date: DATE },
  is_automatic_forward: true,
  forward_from_chat: CHANNEL,
  forward_from_message_id: 36,
  forward_date: DATE,
  text: 'New lemons are in.',
}

const OWN_MEMBERSHIP = { user: SHOP_BOT, status: 'member' }
const LEFT = { user: SHOP_BOT, status: 'left' }
const BLOCKED = { user: SHOP_BOT, status: 'kicked', until_date: 0 }

const BOOST = { source: 'premium', user: LEA }

export const UPDATES = {
  message: { update_id: 892252934, message: { ...inLeasChat, text: 'hello there' } },
  edited_message: {
    update_id: 892252935,
    edited_message: { ...inLeasChat, edit_date: DATE + 60, text: 'hello, everybody' },
  },
  channel_post: { update_id: 892252936, channel_post: POST },
  edited_channel_post: { update_id: 892252937, edited_channel_post: { ...POST, edit_date: DATE + 60 } },
  inline_query: {
    update_id: 892252938,
    inline_query: { id: '31072389000', from: LEA, chat_type: 'private', query: 'sour lemons', offset: '' },
  },
  chosen_inline_result: {
    update_id: 892252939,
    chosen_inline_result: {
      from: TOM,
      inline_message_id: 'AgAAAPPsAQAWr2kNvNmcNBAgLoQ',
      query: 'sour lemons',
      result_id: 'lemon-7',
    },
  },
  callback_query: {
    update_id: 892252940,
    callback_query: {
      id: '938404890245',
      from: LEA,
      message: {
        message_id: 6560,
        from: SHOP_BOT,
        chat: LEAS_CHAT,
        date: DATE - 86_400,
        text: 'How many?',
        reply_markup: { inline_keyboard: [[{ text: 'Two', callback_data: 'buy:2' }]] },
      },
      chat_instance: '-5213456789012345678',
      data: 'buy:2',
    },
  },
  shipping_query: {
    update_id: 892252941,
    shipping_query: {
      id: '938404890246',
      from: LEA,
      invoice_payload: 'order-4711',
      shipping_address: {
        country_code: 'DE',
        state: 'Bayern',
        city: 'München',
        street_line1: 'Zitronenweg 1',
        street_line2: '',
        post_code: '80331',
      },
    },
  },
  pre_checkout_query: {
    update_id: 892252942,
    pre_checkout_query: {
      id: '938404890247',
      from: LEA,
      currency: 'XTR',
      total_amount: 250,
      invoice_payload: 'order-4711',
      order_info: { name: 'Lea Lemon', phone_number: '491700000000', email: 'lea@example.org' },
    },
  },
  message_reaction: {
    update_id: 71651249,
    message_reaction: {
      chat: GROUP,
      message_id: 35,
      user: LEA,
      date: DATE,
      old_reaction: [{ type: 'emoji', emoji: '❤' }],
      new_reaction: [{ type: 'emoji', emoji: '🌭' }],
    },
  },
  message_reaction_count: {
    update_id: 71651251,
    message_reaction_count: {
      chat: CHANNEL,
      message_id: 36,
      date: DATE,
      reactions: [{ type: { type: 'emoji', emoji: '🗿' }, total_count: 2 }],
    },
  },
  poll: {
    update_id: 71651252,
    poll: {
      id: '5310107230984536067',
      question: 'Sweet or sour?',
      options: [
        { text: 'Sweet', voter_count: 1 },
        { text: 'Sour', voter_count: 3 },
      ],
      total_voter_count: 4,
      is_closed: true,
      is_anonymous: true,
      type: 'regular',
      allows_multiple_answers: false,
    },
  },
  poll_answer: {
    update_id: 71651253,
    poll_answer: { poll_id: '5310107230984536067', user: TOM, option_ids: [0, 2] },
  },
  my_chat_member: {
    update_id: 71651254,
    my_chat_member: { chat: GROUP, from: LEA, date: DATE, old_chat_member: LEFT, new_chat_member: OWN_MEMBERSHIP },
  },
  bot_blocked: {
    update_id: 71651255,
    my_chat_member: {
      chat: LEAS_CHAT,
      from: LEA,
      date: DATE,
      old_chat_member: OWN_MEMBERSHIP,
      new_chat_member: BLOCKED,
    },
  },
  bot_unblocked: {
    update_id: 71651256,
    my_chat_member: {
      chat: LEAS_CHAT,
      from: LEA,
      date: DATE,
      old_chat_member: BLOCKED,
      new_chat_member: OWN_MEMBERSHIP,
    },
  },
  /** Lea, an administrator, lets Tom into the channel. */
  chat_member: {
    update_id: 71651257,
    chat_member: {
      chat: CHANNEL,
      from: LEA,
      date: DATE,
      old_chat_member: { user: TOM, status: 'left' },
      new_chat_member: { user: TOM, status: 'member' },
      invite_link: {
        invite_link: 'https://t.me/+AbCdEfGhIjK…',
        name: 'From the newsletter',
        creator: LEA,
        creates_join_request: true,
        is_primary: false,
        is_revoked: false,
      },
    },
  },
  chat_join_request: {
    update_id: 71651258,
    chat_join_request: { chat: CHANNEL, from: TOM, user_chat_id: TOM.id, date: DATE, bio: 'I like lemons.' },
  },
  chat_boost: {
    update_id: 71651297,
    chat_boost: {
      chat: CHANNEL,
      boost: {
        boost_id: '4506e1b7e866e33fcbde78fe1746ec3a',
        add_date: DATE,
        expiration_date: DATE + 2_592_000,
        source: BOOST,
      },
    },
  },
  removed_chat_boost: {
    update_id: 71651298,
    removed_chat_boost: {
      chat: CHANNEL,
      boost_id: '4506e1b7e866e33fcbde78fe1746ec3a',
      remove_date: DATE,
      source: BOOST,
    },
  },
} as const

const SUBSCRIPTION = {
  currency: 'XTR',
  total_amount: 100,
  invoice_payload: 'club',
  telegram_payment_charge_id: 'stxSubscription',
  provider_payment_charge_id: '7234567890_1',
  subscription_expiration_date: DATE + 30 * 86_400,
  is_recurring: true,
}

/** More of the types above, each with something of its own. */
/** One update of each further type of today's Bot API that names a person. */
export const FURTHER_UPDATES = {
  subscription: { update_id: 71651300, subscription: { user: LEA, invoice_payload: 'order-4711', state: 'canceled' } },
  purchased_paid_media: { update_id: 71651301, purchased_paid_media: { from: LEA, paid_media_payload: 'order-4711' } },
  business_connection: {
    update_id: 71651302,
    business_connection: {
      id: 'AbCdEfGh',
      user: LEA,
      user_chat_id: LEA.id,
      date: DATE,
      rights: { can_reply: true },
      is_enabled: true,
    },
  },
  business_message: {
    update_id: 71651303,
    business_message: { ...inLeasChat, business_connection_id: 'AbCdEfGh', text: 'Do you have lemons?' },
  },
  edited_business_message: {
    update_id: 71651304,
    edited_business_message: {
      ...inLeasChat,
      business_connection_id: 'AbCdEfGh',
      edit_date: DATE + 60,
      text: 'Do you have limes?',
    },
  },
  guest_message: { update_id: 71651305, guest_message: { ...inGroup, guest_query_id: '31072389001', text: 'lemons?' } },
  managed_bot: { update_id: 71651306, managed_bot: { user: LEA, bot: SHOP_BOT } },
  stopped_message_generation: { update_id: 71651307, stopped_message_generation: { chat: LEAS_CHAT, draft_id: 7 } },
}

/** Types that no release knows yet, or that name nobody. */
export const UNKNOWN_UPDATES = {
  from: { update_id: 71651310, lemon_squeezed: { from: LEA, chat: GROUP, date: DATE, note: 'a secret' } },
  user: { update_id: 71651311, bot_lemon: { user: TOM } },
  bot: { update_id: 71651312, lemon_squeezed: { from: SHOP_BOT } },
  nobody: { update_id: 71651313, lemon_squeezed: { chat: LEAS_CHAT, user: 'Lea', date: 'now' } },
  deleted: {
    update_id: 71651314,
    deleted_business_messages: { business_connection_id: 'AbCdEfGh', chat: LEAS_CHAT, message_ids: [1] },
  },
  odd: { update_id: 71651315, 'Lemon squeezed!': { from: LEA } },
  empty: { update_id: 71651316, lemon_squeezed: null, lime: 5 },
}

const INVITED = { invite_link: 'https://t.me/+aBcDeFgHiJkLmNoP', creator: LEA, is_primary: false }

/** Updates of users who came by a link. */
export const INVITED_UPDATES = {
  chat_member: {
    update_id: 71651320,
    chat_member: {
      chat: CHANNEL,
      from: TOM,
      date: DATE,
      old_chat_member: { user: TOM, status: 'left' },
      new_chat_member: { user: TOM, status: 'member' },
      invite_link: { ...INVITED, name: 'Summer ad' },
    },
  },
  chat_join_request: {
    update_id: 71651321,
    chat_join_request: { chat: CHANNEL, from: TOM, user_chat_id: TOM.id, date: DATE, invite_link: INVITED },
  },
}

export const ODD_UPDATES = {
  start: { update_id: 1, message: { ...inLeasChat, ...command('/start promo_42') } },
  startOfBotInGroup: { update_id: 2, message: { ...inGroup, ...command('/start@lemon_shop_bot promo_42') } },
  startOfAnotherBot: { update_id: 3, message: { ...inGroup, ...command('/start@another_bot promo_42') } },
  startWithText: { update_id: 4, message: { ...inLeasChat, ...command('/start with private words') } },
  report: { update_id: 5, message: { ...inGroup, ...command('/report that Tom') } },
  commandLater: {
    update_id: 6,
    message: {
      ...inLeasChat,
      text: '"report" is /report',
      entities: [{ offset: 12, length: 7, type: 'bot_command' }],
    },
  },
  commandWithoutEntity: { update_id: 7, message: { ...inLeasChat, text: '/report' } },
  captionedCommand: {
    update_id: 8,
    message: {
      ...inLeasChat,
      photo: PHOTO,
      caption: '/report this',
      caption_entities: [{ offset: 0, length: 7, type: 'bot_command' }],
    },
  },
  editedCommand: { update_id: 9, edited_message: { ...inLeasChat, edit_date: DATE + 9, ...command('/report') } },
  photo: { update_id: 10, message: { ...inLeasChat, photo: PHOTO, caption: 'Fresh LIMÓN for you' } },
  payment: {
    update_id: 11,
    message: {
      ...inLeasChat,
      successful_payment: {
        currency: 'XTR',
        total_amount: 250,
        invoice_payload: 'order-4711',
        telegram_payment_charge_id: 'stxAbCdEf',
        provider_payment_charge_id: '7234567890_0',
      },
    },
  },
  firstOfSubscription: {
    update_id: 24,
    message: { ...inLeasChat, successful_payment: { ...SUBSCRIPTION, is_first_recurring: true } },
  },
  renewal: {
    update_id: 25,
    message: {
      ...inLeasChat,
      successful_payment: { ...SUBSCRIPTION, subscription_expiration_date: DATE + 60 * 86_400 },
    },
  },
  refund: {
    update_id: 26,
    message: {
      ...inLeasChat,
      refunded_payment: {
        currency: 'XTR',
        total_amount: 250,
        invoice_payload: 'order-4711',
        telegram_payment_charge_id: 'stxAbCdEf',
      },
    },
  },
  scheduled: { update_id: 12, message: { ...inGroup, is_from_offline: true, text: 'Good morning' } },
  scheduledForBot: { update_id: 23, message: { ...inLeasChat, is_from_offline: true, text: 'Good morning' } },
  forwardedPost: { update_id: 13, message: FORWARDED_POST },
  comment: {
    update_id: 14,
    message: {
      ...inGroup,
      message_id: 134601,
      message_thread_id: 134600,
      reply_to_message: FORWARDED_POST,
      text: 'At last!',
    },
  },
  answerToComment: {
    update_id: 15,
    message: {
      ...inGroup,
      message_id: 134602,
      message_thread_id: 134600,
      reply_to_message: { ...inGroup, message_id: 134601, text: 'At last!' },
      text: 'Indeed.',
    },
  },
  answerInGroup: {
    update_id: 16,
    message: {
      ...inGroup,
      message_id: 134603,
      message_thread_id: 134545,
      reply_to_message: inGroup,
      text: 'Indeed.',
    },
  },
  anonymousAdmin: {
    update_id: 17,
    message: { ...inGroup, from: ANONYMOUS_ADMIN, sender_chat: GROUP, text: 'Be kind.' },
  },
  /** In the name of a channel, where the stand-in is not marked as a bot. */
  asChannel: { update_id: 18, message: { ...inGroup, from: MESSENGER, sender_chat: CHANNEL, text: 'Be kind.' } },
  fromBot: { update_id: 19, message: { ...inGroup, from: SHOP_BOT, text: 'Thank you!' } },
  reactionOfChat: {
    update_id: 767844136,
    message_reaction: {
      chat: GROUP,
      message_id: 2,
      actor_chat: GROUP,
      date: DATE,
      old_reaction: [{ type: 'emoji', emoji: '❤' }],
      new_reaction: [],
    },
  },
  pollAnswerOfChat: {
    update_id: 20,
    poll_answer: { poll_id: '5310107230984536067', voter_chat: GROUP, user: CHANNEL_STAND_IN, option_ids: [1] },
  },
  giveawayNobodyWon: {
    update_id: 21,
    removed_chat_boost: {
      chat: CHANNEL,
      boost_id: '5506e1b7e866e33fcbde78fe1746ec3b',
      remove_date: DATE,
      source: { source: 'giveaway', giveaway_message_id: 77, is_unclaimed: true },
    },
  },
} as const
