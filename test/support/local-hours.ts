import { localMidnight } from './zones.ts'

const MINUTE_MS = 60_000

/** A stretch of a day during which local clocks show one hour and go on as usual; the end is exclusive. */
export interface HourOfDay {
  readonly from: number
  readonly to: number
  readonly hour: number
}

const clocks = new Map<string, Intl.DateTimeFormat>()
const known = new Map<string, readonly HourOfDay[]>()

/** The hours of a day, found minute by minute: no clocks of these zones change in between. */
export function hoursOfDay(day: number, timeZone = 'UTC'): readonly HourOfDay[] {
  const key = `${timeZone} ${day}`
  const hours = known.get(key) ?? findHours(day, timeZone)
  known.set(key, hours)
  return hours
}

function findHours(day: number, timeZone: string): HourOfDay[] {
  const hours: HourOfDay[] = []
  let last = Number.NaN
  for (let time = localMidnight(day, timeZone); time < localMidnight(day + 1, timeZone); time += MINUTE_MS) {
    const minute = minuteOfDay(time, timeZone)
    const hour = Math.floor(minute / 60)
    const current = hours.at(-1)
    if (current?.hour === hour && minute === last + 1) hours[hours.length - 1] = { ...current, to: time + MINUTE_MS }
    else hours.push({ from: time, to: time + MINUTE_MS, hour })
    last = minute
  }
  return hours
}

function minuteOfDay(time: number, timeZone: string): number {
  const format =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  clocks.set(timeZone, format)
  const [hours = 0, minutes = 0] = format.format(time).split(':').map(Number)
  return hours * 60 + minutes
}
