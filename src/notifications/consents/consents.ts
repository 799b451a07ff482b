import { noteAct } from '../../access/audit.ts'
import type { Database } from '../../storage/database.ts'
import type { MessageTarget } from '../../storage/subscription.ts'
import { findChat } from '../channels/messenger.ts'
import { type AccountChat, deleteConsents, selectApplicationsOf, selectConsent, upsertChatConsent } from './sql.ts'

const MAX_CHATS = 200

export const NO_CONSENT =
  'The receiver has not agreed to messages of this account, or stopped them with /stop. Members agree by signing in inside the messenger, groups and channels when an administrator connects them with /connect.'

interface Consenting {
  readonly db: Database
  readonly now: number
  readonly fetch: typeof fetch
  /** The bot's token. */
  readonly token: string
}

/** The chat's id; a person's own chat has the id of the person. */
export function chatIdOf(target: Exclude<MessageTarget, { type: 'webhook' }>): number {
  return target.type === 'member' ? target.telegram_id : Number(target.chat_id)
}

/** Whether a chat agreed to messages of an account; null if the messenger does not say who administrates it. */
export async function hasConsented(chat: AccountChat, { db, now, ...messenger }: Consenting): Promise<boolean | null> {
  const [consent] = await selectConsent(db, chat)
  if (!consent || consent.telegramId !== null) return consent !== undefined && consent.memberId !== null
  // The chat had subscriptions before administrators connected chats themselves.
  const found = await findChat(String(chat.chatId), messenger)
  if (!found) return null
  const telegramIds = found.administrators
  const [given] = await upsertChatConsent(db, { ...chat, isAsked: false, telegramIds, now, most: MAX_CHATS })
  // It must not wait for an administrator who signs in later.
  if (!given) await deleteConsents(db, chat)
  return given !== undefined
}

interface Connecting {
  /** The person who asks for it. */
  readonly telegramId: number
  /** The id or @name of a group or channel. */
  readonly chat: string
  /** The handle of an application of the account, with or without its at-sign. */
  readonly handle: string
}

/** Lets an account's messages go to a chat, if the person who asks administrates it and signed in to the account. Returns the chat's id. */
export async function connectChat(
  { telegramId, chat, handle }: Connecting,
  { db, now, ...messenger }: Consenting,
): Promise<number | null> {
  const [application] = await selectApplicationsOf(db, { telegramId, handle: handle.replace(/^@/, ''), limit: 1 })
  if (!application) return null
  const found = await findChat(chat, messenger)
  if (!found?.administrators.includes(telegramId)) return null
  const { accountId } = application
  const consent = { isAsked: true, accountId, chatId: found.id, telegramIds: [telegramId], now, most: MAX_CHATS }
  if ((await upsertChatConsent(db, consent)).length === 0) return null
  const actor = { kind: 'member', id: String(telegramId) } as const
  await noteAct(db, { accountId, actor, action: 'connectChat', target: String(found.id) }, now)
  return found.id
}

/** The applications of accounts that somebody is a member of and signed in to, oldest first. */
export function listApplicationsOf(
  telegramId: number,
  { db, limit }: { readonly db: Database; readonly limit: number },
) {
  return selectApplicationsOf(db, { telegramId, limit })
}

/** Ends the messages of all accounts to a chat. Returns whether there were any. */
export async function disconnectChat(db: Database, chatId: number): Promise<boolean> {
  return (await deleteConsents(db, { chatId })).length > 0
}
