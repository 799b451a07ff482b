import { START_OF_SESSION } from '../../../questions/engine/event-name.ts'
import type { PathTransition } from '../../../questions/paths/contract.ts'
import type { UsersHref } from '../../figures/figure-users.ts'
import type { View } from '../../request/address.ts'
import { END, OTHER } from './question.ts'

export const UNNAMED: ReadonlySet<string> = new Set([END, OTHER, START_OF_SESSION])

export interface PathFiguresShown {
  readonly transitions: readonly PathTransition[]
  readonly usersHref: UsersHref
}

/** Where the users of a transition are listed, or of several that are drawn as one. */
export type UsersOf = (transition: Pick<PathTransition, 'step' | 'from' | 'to'>) => string

/** All others at a step are those that are not named there. */
export function usersOfNames(usersHref: UsersHref, namesAt: (step: number) => readonly string[]): UsersOf {
  const others = (step: number) => [...new Set(namesAt(step))].filter((name) => !UNNAMED.has(name))
  const cellOf = (name: string, step: number) => (name === OTHER ? { not: others(step) } : name)
  return ({ step, from, to }) => usersHref({ step, from: cellOf(from, step - 1), to: cellOf(to, step) })
}

export function isBackwards({ params }: Pick<View, 'params'>): boolean {
  return params.get('direction') === 'before'
}

export function pathsAction(view: Pick<View, 'params'>): string {
  return isBackwards(view) ? 'show the paths to it' : 'show the paths from it'
}

export function labelOf(view: Pick<View, 'params'>, name: string): string {
  if (name === END) return isBackwards(view) ? 'Session start' : 'Exit'
  if (name === START_OF_SESSION) return isBackwards(view) ? 'End of session' : 'Start of session'
  return name === OTHER ? 'Other' : name
}
