import { attempt } from './console.ts'

/** What a body has beside its events, and what each event has beside its own. */
interface Said {
  readonly body?: object
  readonly user?: object
}

/** `now`, the page's clock, tells the service how far that is off. */
export function bodyOf({ body, user }: Said, events: readonly object[], now: number): string {
  return JSON.stringify({ ...body, sent_at: now, events: events.map((event) => ({ ...user, ...event })) })
}

/** Those of the batch that a refusal names (`{"detail": [{"loc": ["body", "events", 3, …]}]}`); all if it names none. */
export function refusedOf<E>(text: string, batch: readonly E[]): readonly E[] {
  const named = attempt(() => JSON.parse(text).detail.map(({ loc }: { loc: unknown[] }) => loc[2]))
  const refused = batch.filter((_, index) => named?.includes(index))
  return refused[0] ? refused : batch
}
