import { attempt } from './console.ts'

/** Who the user is: what the messenger signed, once per body, else properties in each event. */
interface Said {
  readonly init_data?: string
  readonly user?: object
}

/** The service compares `now`, the page's clock, with its own. */
export function bodyOf({ init_data, user }: Said, events: readonly object[], now: number): string {
  return JSON.stringify({ init_data, sent_at: now, events: events.map((event) => ({ ...user, ...event })) })
}

/** The events that a refusal names (`{"detail": [{"loc": ["body", "events", 3, …]}]}`); all if it names none. */
export function refusedOf<E>(text: string, batch: readonly E[]): readonly E[] {
  const named = attempt(() => JSON.parse(text).detail.map(({ loc }: { loc: unknown[] }) => loc[2]))
  const refused = batch.filter((_, index) => named?.includes(index))
  return refused[0] ? refused : batch
}
