import { START_OF_SESSION } from '../../../questions/engine/event-name.ts'
import { hrefTo, hrefWith, type View } from '../../request/address.ts'
import { toCount, toShare } from '../../words/format.ts'
import { type DrawnLink, type DrawnNode, flowOf, HEIGHT, layOut, NODE_WIDTH } from './flow.ts'
import { isBackwards, labelOf, type PathFiguresShown, pathsAction, UNNAMED, usersOfNames } from './names.ts'
import { END } from './question.ts'

interface DrawingShown extends PathFiguresShown {
  readonly view: View
  readonly home: string
  readonly start: string
  readonly minShare: number
}

/** Paths as a flow from the left to the right, as wide as they are frequent. The tables have the same for the keyboard. */
export function PathsDrawing({ view, home, start, minShare, ...shown }: DrawingShown) {
  const { nodes, links, width, column } = layOut(
    flowOf({ transitions: shown.transitions, start, minShare }),
    isBackwards(view),
  )
  const all = nodes.find(({ step }) => step === 0)?.count ?? 0
  const usersOf = usersOfNames(shown.usersHref, (at) => nodes.filter(({ step }) => step === at).map(({ name }) => name))
  return (
    <div class="sankey-scroll">
      <svg class="sankey" viewBox={`0 0 ${width} ${HEIGHT}`} aria-label="Paths, step by step">
        <g>
          {links.map((link) => (
            <Ribbon view={view} link={link} users={usersOf(link)} />
          ))}
        </g>
        {nodes.map((node) => (
          <Node view={view} home={home} start={start} node={node} all={all} column={column} />
        ))}
      </svg>
    </div>
  )
}

function Ribbon({ view, link: { path, from, to, value }, users }: { view: View; link: DrawnLink; users: string }) {
  return (
    <a href={users} tabindex={-1}>
      <path d={path} class={to === END ? 'ribbon exit' : 'ribbon'}>
        <title>{`${labelOf(view, from)} → ${labelOf(view, to)}: ${toCount(value)}`}</title>
      </path>
    </a>
  )
}

interface NodeShown {
  readonly view: View
  readonly home: string
  readonly start: string
  readonly node: DrawnNode
  /** How many paths there are. */
  readonly all: number
  /** How wide a step is. */
  readonly column: number
}

/** The width of a character of a label, more or less. */
const CHARACTER_WIDTH = 8

function Node({ view, home, start, node, all, column }: NodeShown) {
  const { x, y, height, name, step, count } = node
  const label = labelOf(view, name)
  const isEvent = !UNNAMED.has(name)
  const middle = y + height / 2
  const text = { x: x + NODE_WIDTH + 6 }
  return (
    <g>
      <rect x={x} y={y} width={NODE_WIDTH} height={Math.max(1.5, height)} rx="2" class={isEvent ? 'node' : 'node exit'}>
        <title>{`${label}: ${toCount(count)}`}</title>
      </rect>
      <text {...text} y={middle - 4}>
        {isEvent ? (
          <a href={hrefWith(view, { event: name })} aria-label={`${name}: ${pathsAction(view)}`}>
            {shortened(label, Math.floor((column - NODE_WIDTH) / CHARACTER_WIDTH))}
            <title>{label}</title>
          </a>
        ) : (
          <tspan class="unnamed">{label}</tspan>
        )}
      </text>
      <text {...text} y={middle + 11} class="hint">
        {`${toCount(count)} · ${toShare(count, all)} `}
        {isEvent && step > 0 && name !== start && (
          <a href={funnelHref({ view, home, start, name })} aria-label={`Create a funnel with ${name}`}>
            Funnel
          </a>
        )}
      </text>
    </g>
  )
}

function funnelHref({ view, home, start, name }: Pick<NodeShown, 'view' | 'home' | 'start'> & { name: string }) {
  const steps = [start, name].filter((step) => step !== START_OF_SESSION)
  return hrefTo(view, `${home}/funnels`, { events: isBackwards(view) ? steps.reverse() : steps })
}

/** Text of a drawing has no ellipsis of its own. It ends with a whole word if that leaves most of it. */
function shortened(label: string, length: number): string {
  const characters = [...label]
  if (characters.length <= length) return label
  const start = characters.slice(0, length).join('')
  const words = start.slice(0, start.search(/\s+\S*$/))
  return `${words.length > start.length * MOST ? words : start.slice(0, -1)}…`
}

const MOST = 0.7
