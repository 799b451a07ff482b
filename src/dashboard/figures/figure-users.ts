import type { QueryParams } from '../../http/params.ts'

/** A figure's place in the answer to a question, as the API names it. */
export type FigureCell = Readonly<Record<string, unknown>>

/** Where the users of a figure are listed. */
export type UsersHref = (at: FigureCell) => string

/** Where the users of a figure are listed; undefined for one that leads nowhere. */
export type ToUsers = (at: FigureCell) => string | undefined

/** The lists of users of a question's figures. The question is asked at a path, with these parameters. */
export function usersHrefOf(home: string, path: string, query: QueryParams): UsersHref {
  // A page may have thousands of them.
  const list = `${home}/users?${new URLSearchParams({ question: addressOf(path, query) })}&at=`
  return (at) => list + encodeURIComponent(JSON.stringify(at))
}

function addressOf(path: string, query: QueryParams): string {
  const params = Object.entries(query).flatMap(([name, given]) => [given].flat().map((value) => [name, value]))
  return `${path}?${new URLSearchParams(params)}`
}

/** A text that is no JSON stays one, which the API refuses. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The users of a group's figure; none where its name does not say what its values are. Without properties there are no groups. */
export function usersOfGroup(
  usersHref: ToUsers,
  at: FigureCell,
  properties: readonly string[],
  name: string,
): string | undefined {
  if (properties.length === 0) return usersHref(at)
  const group = properties.length === 1 ? [name] : name.split(', ')
  return group.length === properties.length ? usersHref({ ...at, group }) : undefined
}
