import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import {
  addMember,
  listMembers,
  MAX_MEMBER_NAME_CHARACTERS,
  type MemberId,
  type NewMember,
  removeMember,
} from '../accounts/members.ts'
import { toIso } from '../base/time/days.ts'
import { requireAccount } from './accounts.ts'
import { CommandFailure } from './failure.ts'

/** The members of an account, oldest first. Throws `CommandFailure`. */
export async function membersOf(db: SqliteRemoteDatabase, accountId: string) {
  await requireAccount(db, accountId)
  const members = await listMembers(db, accountId)
  return members.map(({ telegramId, role, createdAt, name }) => ({ telegramId, role, added: toIso(createdAt), name }))
}

/** Throws `CommandFailure`. */
export async function putMember(db: SqliteRemoteDatabase, member: NewMember): Promise<void> {
  if (member.name.length > MAX_MEMBER_NAME_CHARACTERS) {
    throw new CommandFailure(`--name takes at most ${MAX_MEMBER_NAME_CHARACTERS} characters.`)
  }
  await requireAccount(db, member.accountId)
  await addMember(db, member, Date.now())
}

/** Throws `CommandFailure` where there is no such member. */
export async function dropMember(db: SqliteRemoteDatabase, member: MemberId): Promise<void> {
  if (await removeMember(db, member)) return
  const { accountId, telegramId } = member
  throw new CommandFailure(
    `${telegramId} is not a member of that account. List them: npm run account -- members --account ${accountId}`,
  )
}

/** Throws `CommandFailure`. */
export function readTelegramId(text: string, option = '--telegram-id'): number {
  const id = /^\d+$/.test(text) ? Number(text) : 0
  if (Number.isSafeInteger(id) && id > 0) return id
  throw new CommandFailure(`${option} is "${text}", but must be a person's id in the messenger, such as 7234567890.`)
}
