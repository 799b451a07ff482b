import { Failure } from '../base/errors.ts'
import type { Database } from '../storage/database.ts'
import {
  deleteConsentsOfMember,
  deleteMember,
  deleteSubscriptionsOfMember,
  selectMembers,
  updateRole,
  upsertMember,
} from './sql.ts'

export const ROLES = ['owner', 'viewer'] as const

/** An owner may change everything; a viewer may only look. */
export type Role = (typeof ROLES)[number]

export const MAX_MEMBER_NAME_CHARACTERS = 100

export const MAX_MEMBERS = 100

const FULL = `An account has at most ${MAX_MEMBERS} members. Remove one first.`

export interface MemberId {
  readonly accountId: string
  readonly telegramId: number
}

export interface NewMember extends MemberId {
  readonly role: Role
  readonly name: string
}

export type Member = Awaited<ReturnType<typeof selectMembers>>[number]

export function listMembers(db: Database, accountId: string) {
  return selectMembers(db, accountId)
}

/** An existing member gets this role and name. Throws `conflict` if the account is full. */
export async function addMember(db: Database, member: NewMember, now: number): Promise<void> {
  const [added] = await upsertMember(db, { ...member, createdAt: now }, MAX_MEMBERS)
  if (!added) throw new Failure('conflict', FULL)
}

/** Takes effect on the next page. Returns whether there is such a member. */
export async function changeRole(db: Database, member: MemberId, role: Role): Promise<boolean> {
  return (await updateRole(db, member, role)).length > 0
}

/** Also ends the member's sessions, deletes the subscriptions of their chat, and disconnects chats that they connected. Returns whether there was such a member. */
export async function removeMember(db: Database, member: MemberId): Promise<boolean> {
  const isRemoved = (await deleteMember(db, member)).length > 0
  await deleteSubscriptionsOfMember(db, member)
  await deleteConsentsOfMember(db, member)
  return isRemoved
}
