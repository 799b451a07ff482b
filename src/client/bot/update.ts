import type { BotUser } from './options.ts'

/** The used parts of the messenger's objects, documented at https://core.telegram.org/bots/api#update */
export interface Chat {
  readonly id: number
  /** `private`, `group`, `supergroup` or `channel`. */
  readonly type: string
}

interface MessageEntity {
  readonly type: string
  /** In UTF-16 code units, like JavaScript strings. */
  readonly offset: number
  readonly length: number
}

/** A price in the smallest unit of its currency. */
interface Price {
  readonly currency: string
  readonly total_amount: number
}

interface Payment extends Price {
  /** Equal in a payment and its refund. */
  readonly telegram_payment_charge_id: string
}

interface SuccessfulPayment extends Payment {
  /** Unix seconds; set for subscriptions only. */
  readonly subscription_expiration_date?: number
  readonly is_recurring?: boolean
  readonly is_first_recurring?: boolean
}

export interface Message {
  readonly message_id: number
  readonly message_thread_id?: number
  readonly is_topic_message?: boolean
  readonly date: number
  readonly edit_date?: number
  readonly chat: Chat
  readonly from?: BotUser
  /** The chat that the message was sent on behalf of; `from` is then a placeholder. */
  readonly sender_chat?: Chat
  /** A channel's post that the messenger forwarded to its discussion group. */
  readonly is_automatic_forward?: boolean
  /** Sent while its author was offline, like scheduled messages. */
  readonly is_from_offline?: boolean
  readonly reply_to_message?: Message
  readonly text?: string
  readonly entities?: readonly MessageEntity[]
  readonly caption?: string
  readonly caption_entities?: readonly MessageEntity[]
  readonly successful_payment?: SuccessfulPayment
  readonly refunded_payment?: Payment
}

interface Reaction {
  readonly type: string
  readonly emoji?: string
}

interface BoostSource {
  readonly source: string
  readonly user?: BotUser
}

interface ChatMember {
  readonly status: string
  readonly user: BotUser
}

export interface InviteLink {
  readonly invite_link: string
  readonly name?: string
}

interface ChatMemberUpdated {
  readonly chat: Chat
  readonly from: BotUser
  readonly date: number
  readonly old_chat_member: ChatMember
  readonly new_chat_member: ChatMember
  readonly invite_link?: InviteLink
}

/** The types of update that the settings know, with their content. */
export interface Contents {
  readonly message: Message
  readonly edited_message: Message
  readonly channel_post: Message
  readonly edited_channel_post: Message
  readonly inline_query: { readonly from: BotUser; readonly chat_type?: string }
  readonly chosen_inline_result: { readonly from: BotUser; readonly result_id: string }
  readonly callback_query: {
    readonly from: BotUser
    readonly message?: { readonly chat: Chat }
    readonly data?: string
    readonly game_short_name?: string
  }
  readonly shipping_query: { readonly from: BotUser }
  readonly pre_checkout_query: Price & { readonly from: BotUser }
  readonly message_reaction: {
    readonly chat: Chat
    readonly user?: BotUser
    readonly date: number
    readonly old_reaction: readonly Reaction[]
    readonly new_reaction: readonly Reaction[]
  }
  readonly message_reaction_count: { readonly chat: Chat; readonly date: number }
  readonly poll: object
  readonly poll_answer: {
    readonly poll_id: string
    /** Missing, or a placeholder bot, if a chat voted. */
    readonly user?: BotUser
    readonly option_ids: readonly number[]
  }
  readonly my_chat_member: ChatMemberUpdated
  readonly chat_member: ChatMemberUpdated
  readonly chat_join_request: {
    readonly chat: Chat
    readonly from: BotUser
    readonly date: number
    readonly invite_link?: InviteLink
  }
  readonly chat_boost: {
    readonly chat: Chat
    readonly boost: { readonly add_date: number; readonly source: BoostSource }
  }
  readonly removed_chat_boost: { readonly chat: Chat; readonly remove_date: number; readonly source: BoostSource }
  readonly subscription: { readonly user: BotUser; readonly state: string }
  readonly purchased_paid_media: { readonly from: BotUser }
  readonly business_connection: { readonly user: BotUser; readonly date: number; readonly is_enabled: boolean }
  readonly business_message: Message
  readonly edited_business_message: Message
  readonly guest_message: Message
  readonly managed_bot: { readonly user: BotUser }
  readonly stopped_message_generation: { readonly chat: Chat }
}

/** The content of a type that came later: any of these may be missing, or something else. */
export interface UnknownContent {
  readonly from?: BotUser
  readonly user?: BotUser
  readonly chat?: Chat
  readonly date?: number
}

export type UpdateType = keyof Contents
