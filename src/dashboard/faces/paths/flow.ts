import { type SankeyNode, sankey } from 'd3-sankey'
import type { PathTransition } from '../../../questions/paths/contract.ts'
import { END, OTHER } from './question.ts'

/** A name at a step, with how often paths come to it. */
interface FlowNode {
  readonly id: string
  /** 0 for the event at which paths begin. */
  readonly step: number
  readonly name: string
  readonly count: number
}

/** The names of a step that are drawn on their own; all others are one. */
type DrawnNames = readonly ReadonlySet<string>[]

interface FlowLink {
  readonly source: string
  readonly target: string
  readonly value: number
}

interface Flow {
  readonly nodes: readonly FlowNode[]
  readonly links: readonly FlowLink[]
}

const ROWS = 5

interface FlowAsked {
  readonly transitions: readonly PathTransition[]
  readonly start: string
  /** Names with a smaller share of all paths are not drawn on their own, in percent. */
  readonly minShare: number
}

/** The steps of a drawing: each has its most frequent names, then all others, then the end. */
export function flowOf({ transitions, start, minShare }: FlowAsked): Flow {
  const all = totalOf(transitions.filter(({ step }) => step === 1))
  const drawn = drawnNames(transitions, (minShare / 100) * all)
  const nodeAt = (step: number, name: string) =>
    step === 0 ? start : name === END || drawn[step - 1]?.has(name) ? name : OTHER
  const links = [
    ...Map.groupBy(transitions, ({ step, from, to }) =>
      JSON.stringify([idOf(step - 1, nodeAt(step - 1, from)), idOf(step, nodeAt(step, to))]),
    ),
  ].map(([ends, transitions]) => {
    const [source, target] = JSON.parse(ends) as [string, string]
    return { source, target, value: totalOf(transitions) }
  })
  const nodes = [...Map.groupBy(links, ({ target }) => target)].map(([id, into]) => {
    const [step, name] = JSON.parse(id) as [number, string]
    return { id, step, name, count: into.reduce((sum, { value }) => sum + value, 0) }
  })
  return { nodes: [{ id: idOf(0, start), step: 0, name: start, count: all }, ...nodes], links }
}

function idOf(step: number, name: string): string {
  return JSON.stringify([step, name])
}

export function totalOf(transitions: readonly PathTransition[]): number {
  return transitions.reduce((sum, { count }) => sum + count, 0)
}

function drawnNames(transitions: readonly PathTransition[], least: number): DrawnNames {
  const steps = Map.groupBy(transitions, ({ step }) => step)
  return Array.from({ length: Math.max(0, ...steps.keys()) }, (_, place) => {
    const named = (steps.get(place + 1) ?? []).filter(({ to }) => to !== END && to !== OTHER)
    const counts = [...Map.groupBy(named, ({ to }) => to)].map(([name, same]) => ({ name, count: totalOf(same) }))
    const largest = counts.toSorted((a, b) => b.count - a.count).filter(({ count }) => count >= least)
    return new Set(largest.slice(0, ROWS).map(({ name }) => name))
  })
}

type PlacedNode = SankeyNode<FlowNode, FlowLink>

export interface DrawnNode extends FlowNode {
  readonly x: number
  readonly y: number
  readonly height: number
}

export interface DrawnLink extends Pick<FlowLink, 'value'> {
  readonly path: string
  readonly step: number
  readonly from: string
  readonly to: string
}

interface DrawnFlow {
  readonly nodes: readonly DrawnNode[]
  readonly links: readonly DrawnLink[]
  readonly width: number
  /** How wide a step is. */
  readonly column: number
}

/** The room that a flow is drawn in, in pixels where a page is wide. Two lines of text fit between nodes. */
const [WIDTH, LEAST_COLUMN] = [900, 150]
export const NODE_WIDTH = 10
export const HEIGHT = 440
const GAP = 36

/** Where each part of a flow is drawn: from the left, or to the right where paths are followed backwards. */
export function layOut({ nodes, links }: Flow, isBackwards: boolean): DrawnFlow {
  const columns = Math.max(...nodes.map(({ step }) => step)) + 1
  const column = Math.max(LEAST_COLUMN, Math.floor(WIDTH / columns))
  const width = columns * column
  const layout = sankey<FlowNode, FlowLink>()
    .nodeId(({ id }) => id)
    .nodeAlign(({ step }) => step)
    .nodeSort((a, b) => rankOf(a) - rankOf(b) || b.count - a.count)
    .nodeWidth(NODE_WIDTH)
    .nodePadding(GAP)
    // Names stand on the right of their nodes.
    .extent([
      [0, GAP / 2],
      [width - column + NODE_WIDTH, HEIGHT - GAP / 2],
    ])
  const placed = layout({ nodes: nodes.map((node) => ({ ...node })), links: links.map((link) => ({ ...link })) })
  const xOf = ({ x0 = 0 }: PlacedNode) => round(isBackwards ? width - column - x0 : x0)
  return {
    width,
    column,
    nodes: placed.nodes.map((node) => {
      const { id, step, name, count, y0 = 0, y1 = 0 } = node
      return { id, step, name, count, x: xOf(node), y: round(y0), height: round(y1 - y0) }
    }),
    links: placed.links.map(({ value, y0 = 0, y1 = 0, ...link }) => {
      const [source, target] = [link.source, link.target] as [PlacedNode, PlacedNode]
      const ends = [
        { x: xOf(source), y: round(y0) },
        { x: xOf(target), y: round(y1) },
      ]
      const path = pathBetween(isBackwards ? ends.reverse() : ends, Math.max(1, link.width ?? 0))
      return { step: target.step, from: source.name, to: target.name, value, path }
    }),
  }
}

interface End {
  readonly x: number
  readonly y: number
}

/** A ribbon that is as high at its ends as in between. */
function pathBetween([left, right]: readonly End[], height: number): string {
  if (!left || !right) return ''
  const from = left.x + NODE_WIDTH
  const middle = round((from + right.x) / 2)
  const [a, b] = [left.y, right.y].map((y) => round(y - height / 2)) as [number, number]
  const [c, d] = [right.y, left.y].map((y) => round(y + height / 2)) as [number, number]
  return `M${from} ${a}C${middle} ${a} ${middle} ${b} ${right.x} ${b}V${c}C${middle} ${c} ${middle} ${d} ${from} ${d}Z`
}

/** Others, and the end, stand below all names. */
function rankOf({ name }: FlowNode): number {
  return name === END ? 2 : name === OTHER ? 1 : 0
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
