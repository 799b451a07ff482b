import { dataSince } from '../../accounts/applications/kept.ts'
import type { Period } from '../../base/time/period.ts'
import type { Activity } from '../../columns/activity.ts'
import type { Store } from '../../columns/store.ts'
import type { ObjectKey } from '../../storage/object-name.ts'
import { acknowledge, type FigureDatabases, type StoredChange } from './changes.ts'
import { countDays, countMonthly, type DailyFigures, MONTH_DAYS, type MonthlyFigures } from './daily-figures.ts'

export interface FiguresWriting {
  readonly activity: Activity
  readonly store: Store
  readonly key: ObjectKey
  /** Runs work while no question is being answered. */
  readonly exclusively: <T>(work: () => T) => Promise<T>
}

interface Figures {
  /** Whether no days are left to do. */
  readonly isLast: boolean
  readonly days: readonly number[]
  readonly figures: readonly DailyFigures[]
  readonly monthly: readonly MonthlyFigures[]
  /** The day up to which the monthly active users of all days are then written. */
  readonly until: number
}

/** The note with the last day whose monthly active users are written. */
const WRITTEN_UNTIL = 'figures until'
/** The note with the new users of each day as written: pairs of a day and a number. */
const NEW_USERS = 'new users'

/** Writes the daily figures of columns to the database. */
export class FiguresWriter {
  readonly #writing: FiguresWriting

  constructor(writing: FiguresWriting) {
    this.#writing = writing
  }

  /** Writes the figures of all changed days, up to tomorrow's. Changes are acknowledged with the last of them. */
  async write(
    changes: readonly StoredChange[],
    { now, ...databases }: FigureDatabases & { now: number },
  ): Promise<void> {
    const { key, exclusively, activity } = this.#writing
    // One day per turn, so that questions get theirs.
    for (const day of activity.days.tasks('pairs')) await exclusively(() => activity.pairsOf(day))
    await this.#updateFirstDays()
    await exclusively(() => this.#addDaysWithOtherNewUsers())
    for (;;) {
      const step = await exclusively(() => this.#nextStep(now))
      const written = { ...this.#known(step), changes: step.isLast ? changes : [], asOf: now }
      if (written.figures.length + written.monthly.length + written.changes.length > 0) {
        await acknowledge(databases, key, written)
      }
      await exclusively(() => this.#recordStep(step))
      if (step.isLast) return
    }
  }

  /** The figures of days with complete data. What was written for earlier days stays. */
  #known({ figures, monthly }: Figures) {
    const { keptFrom } = this.#writing.activity
    const isKnown = ({ day }: MonthlyFigures) => keptFrom === null || day >= dataSince(keptFrom)
    return { figures: figures.filter(isKnown), monthly: monthly.filter(isKnown) }
  }

  /** Forgets what was written for days that are no longer retained. */
  forgetBefore(day: number): void {
    const { store } = this.#writing
    const written = store.note<[number, number][]>(NEW_USERS) ?? []
    store.setNote(
      NEW_USERS,
      written.filter(([other]) => other >= day),
    )
  }

  /** The next step: the newest day to do, and those within a month before it, which share most of what must be read. */
  #nextStep(now: number): Figures {
    const { activity } = this.#writing
    const tasks = activity.days.tasks('figures')
    const days = tasks.filter((day) => day > (tasks[0] as number) - MONTH_DAYS)
    const counts = countDays(days, activity)
    const tomorrow = activity.calendar.dayOf(now) + 1
    const monthly = this.#monthly(days, tomorrow)
    const byDay = new Map(monthly.map((figures) => [figures.day, figures.monthlyActiveUsers]))
    const figures = counts.map((count, index) => {
      const day = days[index] as number
      const [newUsers, monthlyActiveUsers] = [this.#newUsersOn(day), byDay.get(day) ?? 0]
      return { ...count, day, newUsers, monthlyActiveUsers, nonPremiumUsers: count.activeUsers - count.premiumUsers }
    })
    const others = monthly.filter(({ day }) => !days.includes(day))
    return { days, figures, monthly: others, until: tomorrow, isLast: days.length === tasks.length }
  }

  /** Counts monthly active users of the days that `days` affect, and of days up to tomorrow that have none. */
  #monthly(days: readonly number[], tomorrow: number): MonthlyFigures[] {
    const { activity, store } = this.#writing
    const until = store.note<number>(WRITTEN_UNTIL)
    const periods: Period[] = []
    if (days.length > 0) {
      const newest = Math.max(...days)
      const last = Math.min(newest + MONTH_DAYS - 1, tomorrow)
      periods.push({ from: Math.min(...days), to: Math.max(newest, last) })
    }
    // A month later, nobody who was active before then counts.
    if (until !== null && until < tomorrow) {
      periods.push({ from: until + 1, to: Math.min(until + MONTH_DAYS, tomorrow) })
    }
    const byDay = new Map(
      periods.flatMap((period) => countMonthly(period, activity)).map((figures) => [figures.day, figures] as const),
    )
    const isTask = new Set(days)
    return [...byDay.values()].filter(
      ({ day, monthlyActiveUsers }) => monthlyActiveUsers > 0 || isTask.has(day) || day <= (until ?? 0),
    )
  }

  /** Updates first days, one day per turn: after a start, these are all days. */
  async #updateFirstDays(): Promise<void> {
    const { activity, exclusively } = this.#writing
    const days = activity.days.firstDays.update()
    while (!(await exclusively(() => days.next().done)));
  }

  /** Adds the days whose new users differ from what was written. */
  #addDaysWithOtherNewUsers(): void {
    const { activity, store } = this.#writing
    const written = new Map(store.note<[number, number][]>(NEW_USERS) ?? [])
    for (const [day, users] of activity.days.firstDays.entries()) {
      if ((written.get(day) ?? 0) !== users) activity.days.add('figures', day)
    }
    for (const [day, users] of written) {
      if (users !== this.#newUsersOn(day)) activity.days.add('figures', day)
    }
  }

  #newUsersOn(day: number): number {
    return this.#writing.activity.days.firstDays.newUsersOn(day)
  }

  #recordStep({ days, figures, until }: Figures): void {
    const { activity, store } = this.#writing
    store.transaction(() => {
      activity.days.done('figures', days)
      const written = new Map(store.note<[number, number][]>(NEW_USERS) ?? [])
      for (const { day, newUsers } of figures) written.set(day, newUsers)
      if (figures.length > 0)
        store.setNote(
          NEW_USERS,
          [...written].filter(([, users]) => users > 0),
        )
      const known = store.note<number>(WRITTEN_UNTIL)
      const hasFigures = known !== null || figures.length > 0
      if (hasFigures && until > (known ?? 0)) store.setNote(WRITTEN_UNTIL, until)
    })
  }
}
