import type uPlot from 'uplot'

/** The value of a colour of the style sheet. */
export type Colour = (name: string) => string

export const DAY_SECONDS = 86_400

export function drawAnnotations(colour: Colour): (plot: uPlot) => void {
  const dates = [...document.querySelectorAll<HTMLElement>('[data-annotation]')].map((item) => item.dataset.annotation)
  return ({ ctx, bbox, valToPos, scales: { x } }) => {
    ctx.save()
    ctx.strokeStyle = colour('--faint')
    ctx.setLineDash([2, 4])
    for (const date of dates) {
      const seconds = Date.parse(`${date}T00:00:00Z`) / 1000
      if (!(seconds >= (x?.min ?? 0) && seconds <= (x?.max ?? 0))) continue
      const place = Math.round(valToPos(seconds, 'x', true))
      ctx.beginPath()
      ctx.moveTo(place, bbox.top)
      ctx.lineTo(place, bbox.top + bbox.height)
      ctx.stroke()
    }
    ctx.restore()
  }
}

/** The bar of an unfinished last interval is faded. */
export function unfinished(x: readonly number[], colour: Colour): (plot: uPlot) => void {
  return ({ ctx, bbox, valToPos }) => {
    const [before = Number.NaN, last = Number.NaN] = [x.at(-2), x.at(-1)]
    const from = valToPos(x.length === 1 ? last - DAY_SECONDS / 2 : (before + last) / 2, 'x', true)
    ctx.save()
    ctx.globalAlpha = 0.55
    ctx.fillStyle = colour('--card')
    ctx.fillRect(from, bbox.top, bbox.left + bbox.width - from, bbox.height)
    ctx.restore()
  }
}

const SATURDAY = 6

/** Saturdays and Sundays stand on a shade, where each figure is of a day. */
export function weekends(days: readonly number[], colour: Colour): (plot: uPlot) => void {
  const isDaily = days.every((day, index) => index === 0 || day - (days[index - 1] ?? 0) === DAY_SECONDS)
  return ({ ctx, bbox, valToPos }) => {
    if (!isDaily || days.length === 1) return
    const [first, last] = [bbox.left, bbox.left + bbox.width]
    ctx.save()
    ctx.fillStyle = colour('--page')
    for (const day of days) {
      const weekday = new Date(day * 1000).getUTCDay()
      if (weekday !== 0 && weekday !== SATURDAY) continue
      const [from, to] = [day - DAY_SECONDS / 2, day + DAY_SECONDS / 2].map((edge) =>
        Math.min(last, Math.max(first, valToPos(edge, 'x', true))),
      ) as [number, number]
      ctx.fillRect(from, bbox.top, to - from, bbox.height)
    }
    ctx.restore()
  }
}
