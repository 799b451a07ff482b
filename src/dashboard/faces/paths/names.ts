import { START_OF_SESSION } from '../../../questions/engine/event-name.ts'
import type { PathTransition } from '../../../questions/paths/contract.ts'
import type { UsersHref } from '../../figures/figure-users.ts'
import type { View } from '../../request/address.ts'
import type { DrawnLink, FlowNode } from './flow.ts'
import { END, OTHER } from './question.ts'

export const UNNAMED: ReadonlySet<string> = new Set([END, OTHER, START_OF_SESSION])

export interface PathFiguresShown {
  readonly transitions: readonly PathTransition[]
  readonly usersHref: UsersHref
}

/** The list of the users of a transition. */
export type UsersOfTransition = (transition: PathTransition) => string

/** Links to the users of a transition. `(other)` means all names that the step does not show. */
export function usersOfTransition({ transitions, usersHref }: PathFiguresShown): UsersOfTransition {
  const shown = Map.groupBy(transitions, ({ step }) => step)
  const namesAt = (step: number) =>
    [...new Set((shown.get(step) ?? []).map(({ to }) => to))].filter((to) => !UNNAMED.has(to))
  const cellOf = (name: string, step: number) => (name === OTHER ? { not: namesAt(step) } : name)
  return ({ step, from, to }) => usersHref({ step, from: cellOf(from, step - 1), to: cellOf(to, step) })
}

/** Where the users of a ribbon are listed. The others of a ribbon are all that the drawing does not name. */
export function usersOfFlow({ usersHref }: PathFiguresShown, nodes: readonly FlowNode[]) {
  const namesAt = (at: number) =>
    nodes.filter(({ step, name }) => step === at && !UNNAMED.has(name)).map(({ name }) => name)
  const cellOf = (name: string, step: number) => (name === OTHER ? { not: namesAt(step) } : name)
  return ({ from, to, transitions }: DrawnLink) => {
    const step = transitions[0]?.step ?? 1
    return usersHref({ step, from: cellOf(from, step - 1), to: cellOf(to, step) })
  }
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
