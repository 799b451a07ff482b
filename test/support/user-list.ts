import { getJson } from './client.ts'

/** One user as the list of users shows them. */
export interface ListedUser {
  readonly telegram_id: number
  readonly language: string | null
  readonly utm: string | null
  readonly is_premium: boolean | null
  readonly first_active_at: string
  readonly country: string | null
  readonly city: string | null
  readonly total_events: number
  readonly total_sessions: number
  readonly username: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  readonly last_active_at: string
  readonly device: string | null
  readonly brand: string | null
  readonly model: string | null
  readonly first: Readonly<Record<string, string | boolean>> | null
  readonly acquired_by: string | null
  readonly source: string | null
  readonly medium: string | null
  readonly campaign: string | null
  readonly content: string | null
  readonly referrer: string | null
}

/** What the database has of a user, without what objects know of their first events. */
export function storedFields({ first, acquired_by, source, medium, campaign, content, referrer, ...user }: ListedUser) {
  return user
}

/** The users that `GET /users/segmentation` lists for these parameters. */
export async function listUsers(key: string, parameters: Record<string, string> = {}): Promise<ListedUser[]> {
  const response = await getJson(`/users/segmentation?${new URLSearchParams(parameters)}`, key)
  if (response.status !== 200) throw new Error(`The list answered ${response.status}: ${await response.text()}`)
  const { data } = await response.json<{ data: ListedUser[] }>()
  return data
}

/** The fields that objects know, and the database does not, so that they come a moment later. */
const FROM_COLUMNS = ['first', 'acquired_by', 'source', 'medium', 'campaign', 'content', 'referrer']

type StoredUser = Record<string, unknown> & Pick<ListedUser, 'telegram_id'>

/** The users as the database has them. */
export async function listStoredUsers(key: string, parameters: Record<string, string> = {}): Promise<StoredUser[]> {
  const users = await listUsers(key, parameters)
  return users.map((user) => {
    const stored = Object.entries(user).filter(([field]) => !FROM_COLUMNS.includes(field))
    return { ...Object.fromEntries(stored), telegram_id: user.telegram_id }
  })
}
