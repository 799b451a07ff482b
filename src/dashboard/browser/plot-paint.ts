import type uPlot from 'uplot'
import { annotationsOfPage, heightsOf, type PlotFigures } from './plot-figures.ts'
import { extentAt, weekendsOf } from './plot-scale.ts'

export type Colour = (name: string) => string

/** What is drawn below and above the figures. */
export function paintHooks(figures: PlotFigures, colour: Colour): uPlot.Hooks.Arrays {
  const { isStack } = figures
  const below = [shadeWeekends(figures, colour), ...(isStack ? [] : [hatch(figures, colour('--line'))])]
  return {
    drawClear: below,
    draw: [...(isStack ? [hatch(figures, colour('--card'))] : []), drawAnnotations(figures, colour)],
  }
}

type Paint = (plot: uPlot) => void

function shadeWeekends({ labels }: PlotFigures, colour: Colour): Paint {
  const weekends = weekendsOf(labels)
  return ({ ctx, bbox, valToPos }) => {
    ctx.save()
    ctx.fillStyle = colour('--weekend')
    for (const index of weekends) {
      const [from, to] = [valToPos(index - 0.5, 'x', true), valToPos(index + 0.5, 'x', true)]
      ctx.fillRect(from, bbox.top, to - from, bbox.height)
    }
    ctx.restore()
  }
}

const HATCH_PIXELS = 6

/** The interval that is not over is hatched: its bar, or all of its height behind lines. */
function hatch(figures: PlotFigures, stroke: string): Paint {
  const { open, isStack } = figures
  return (plot) => {
    if (open < 0) return
    const { ctx, bbox } = plot
    const [from, to] = [plot.valToPos(open - 0.5, 'x', true), plot.valToPos(open + 0.5, 'x', true)]
    const [low, high] = extentAt(heightsOf(figures), open)
    const top = isStack ? plot.valToPos(high, 'y', true) : bbox.top
    const bottom = isStack ? plot.valToPos(low, 'y', true) : bbox.top + bbox.height
    const pixel = devicePixelRatio
    ctx.save()
    ctx.beginPath()
    ctx.rect(from, top, to - from, bottom - top)
    ctx.clip()
    ctx.strokeStyle = stroke
    ctx.lineWidth = (isStack ? 2.5 : 1.5) * pixel
    ctx.beginPath()
    for (let x = from; x < to + bottom - top; x += HATCH_PIXELS * pixel) {
      ctx.moveTo(x, top)
      ctx.lineTo(x - (bottom - top), bottom)
    }
    ctx.stroke()
    ctx.restore()
  }
}

/** A line at each annotation of the page. */
function drawAnnotations({ labels }: PlotFigures, colour: Colour): Paint {
  const days = annotationsOfPage()
  const places = [...labels.keys()].filter((index) => days.has(labels[index] ?? ''))
  return ({ ctx, bbox, valToPos }) => {
    ctx.save()
    ctx.strokeStyle = colour('--faint')
    ctx.fillStyle = colour('--faint')
    ctx.lineWidth = devicePixelRatio
    for (const index of places) {
      const x = Math.round(valToPos(index, 'x', true)) + 0.5
      ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio])
      ctx.beginPath()
      ctx.moveTo(x, bbox.top)
      ctx.lineTo(x, bbox.top + bbox.height)
      ctx.stroke()
      ctx.setLineDash([])
      ctx.beginPath()
      ctx.arc(x, bbox.top, 3 * devicePixelRatio, 0, 2 * Math.PI)
      ctx.fill()
    }
    ctx.restore()
  }
}
