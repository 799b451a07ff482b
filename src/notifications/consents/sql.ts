import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { selectRow } from '../../storage/json-rows.ts'
import { accounts, applications, consents, isOfMember, members } from '../../storage/schema.ts'

export interface AccountChat {
  readonly accountId: string
  readonly chatId: number
}

/** A chat's consent to messages of an account: who gave it, and the same again if they still are a member. */
export function selectConsent(db: Database, { accountId, chatId }: AccountChat) {
  return db
    .select({ telegramId: consents.telegramId, memberId: members.telegramId })
    .from(consents)
    .leftJoin(members, isOfMember)
    .where(and(eq(consents.chatId, chatId), eq(consents.accountId, accountId)))
}

interface NewConsent extends AccountChat {
  /** Whether somebody asks for it. Otherwise it replaces one without a member, unless that was taken back meanwhile. */
  readonly isAsked: boolean
  /** People who may give the consent; the first of them who signed in to the account gives it. */
  readonly telegramIds: readonly number[]
  readonly now: number
  /** The chats that an account may have. */
  readonly most: number
}

/** Returns nothing if none of these people signed in to the account, or if it has too many chats. */
export function upsertChatConsent(db: Database, { isAsked, accountId, chatId, telegramIds, now, most }: NewConsent) {
  const telegramId = sql`(select ${members.telegramId} from ${members} join ${consents} on ${isOfMember}
    where ${members.accountId} = ${accountId} and ${consents.chatId} = ${members.telegramId}
      and ${members.telegramId} in (select value from json_each(${JSON.stringify(telegramIds)})) limit 1)`
  const others = sql`(select count(*) from ${consents} where ${consents.accountId} = ${accountId} and ${consents.chatId} < 0
    and ${consents.chatId} <> ${chatId})`
  const known = sql`exists (select 1 from ${consents} where ${consents.accountId} = ${accountId} and ${consents.chatId} = ${chatId})`
  const row = { chatId, accountId, telegramId: telegramId as unknown as number, at: now }
  return db
    .insert(consents)
    .select(
      selectRow(consents, row, sql`${telegramId} is not null and ${others} < ${most} and (${isAsked} or ${known})`),
    )
    .onConflictDoUpdate({
      target: [consents.chatId, consents.accountId],
      set: { telegramId: sql`excluded.telegram_id`, at: now },
    })
    .returning({ telegramId: consents.telegramId })
}

/** Takes back what a chat agreed to, for one account or for all. */
export function deleteConsents(db: Database, { chatId, accountId }: { chatId: number; accountId?: string }) {
  const own = accountId === undefined ? undefined : eq(consents.accountId, accountId)
  return db
    .delete(consents)
    .where(and(eq(consents.chatId, chatId), own))
    .returning({ accountId: consents.accountId })
}

interface ApplicationsOf {
  readonly telegramId: number
  readonly limit: number
  /** Only the application of this handle. */
  readonly handle?: string
}

/** The applications of accounts whose messages somebody agreed to get, oldest first. */
export function selectApplicationsOf(db: Database, { telegramId, limit, handle }: ApplicationsOf) {
  const { id, name, handle: stored, accountId } = applications
  return db
    .select({ accountId, plan: accounts.plan, handle: stored, id, name })
    .from(members)
    .innerJoin(consents, and(isOfMember, eq(consents.chatId, members.telegramId)))
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .innerJoin(applications, eq(accountId, accounts.id))
    .where(
      and(
        eq(members.telegramId, telegramId),
        handle === undefined ? undefined : eq(sql`lower(${stored})`, handle.toLowerCase()),
      ),
    )
    .orderBy(id)
    .limit(limit)
}
