import { idsIn, withoutIds } from '../../base/text/messenger-ids.ts'
import { type Erasures, findErasures, type User } from './erased-users.ts'

/** A start parameter of an application's user. */
export interface StartParameter {
  readonly applicationId: number
  readonly text: string
}

/** Replaces the ids of erased users in start parameters of others. `findBack` returns those of them who came back as new users. */
export async function erasedReferrers(
  startParameters: readonly StartParameter[],
  erasures: Erasures,
  findBack: (users: readonly User[]) => Promise<(user: User) => boolean> = async () => () => false,
): Promise<(startParameter: StartParameter) => string> {
  const users = startParameters.flatMap(({ applicationId, text }) =>
    idsIn(text).map((telegramId) => ({ applicationId, telegramId })),
  )
  const erasedAt = users.length === 0 ? () => null : await findErasures(users, erasures)
  const erased = users.filter((user) => erasedAt(user) !== null)
  if (erased.length === 0) return ({ text }) => text
  const isBack = await findBack(erased)
  return ({ applicationId, text }) =>
    withoutIds(text, (telegramId) => {
      const user = { applicationId, telegramId }
      return erasedAt(user) !== null && !isBack(user)
    })
}

/** The texts that a replacing function is given. */
export function textsGiven(replaceIn: (change: (text: string) => string) => unknown): string[] {
  const texts: string[] = []
  replaceIn((text) => {
    texts.push(text)
    return text
  })
  return texts
}
