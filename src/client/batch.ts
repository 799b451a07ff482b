import { attempt } from './console.ts'

/** What is said of the user: in the body what the messenger has signed of them, else in each event. */
interface Said {
  readonly init_data?: string
  readonly user?: object
}

/** `now`, the page's clock, tells the service how far that is off. */
export function bodyOf({ init_data, user }: Said, events: readonly object[], now: number): string {
  return JSON.stringify({ init_data, sent_at: now, events: events.map((event) => ({ ...user, ...event })) })
}

/** Those of the batch that a refusal names (`{"detail": [{"loc": ["body", "events", 3, …]}]}`); all if it names none. */
export function refusedOf<E>(text: string, batch: readonly E[]): readonly E[] {
  const named = attempt(() => JSON.parse(text).detail.map(({ loc }: { loc: unknown[] }) => loc[2]))
  const refused = batch.filter((_, index) => named?.includes(index))
  return refused[0] ? refused : batch
}
