/** How an application's users are spread over objects, and by the days of which time zone these count. */
export interface Partitioning {
  readonly applicationId: number
  /**
   * The number of the partitioning: how many objects it has (`countOf`), and `GENERATION` for each time zone that the application
   * had before. Number 1 is a single object that counts by UTC days. Stored keys of objects have it under this name.
   */
  readonly objects: number
}

/** The object of one partition of an application's users. */
export interface ObjectKey extends Partitioning {
  /** The partition: users whose `telegram_id % countOf(objects)` is this number. */
  readonly part: number
}

/** There are 1, 2, 4, 8 or 16. Each number divides the next, so the remainder for 16 determines the partition for any of them. */
export const MAX_OBJECTS = 16

/** The number of a partitioning is its count of objects and this many for each generation. A power of two: SQL masks it. */
const GENERATION = 32

/** The bits of the number that are the count, for SQL. */
export const COUNT_MASK = GENERATION - 1

/** How many objects a partitioning has, by its number. */
export function countOf(objects: number): number {
  return objects % GENERATION
}

/** Which of an application's time zones a partitioning counts by: 0 is UTC, and each change takes a later one. */
export function generationOf(objects: number): number {
  return Math.floor(objects / GENERATION)
}

/** The number of a partitioning. */
export function numberOf({ count, generation }: { readonly count: number; readonly generation: number }): number {
  return generation * GENERATION + count
}

/** The numbers of all partitions. */
export function partsOf(count: number): number[] {
  return Array.from({ length: count }, (_, part) => part)
}

/** The `part` of daily figures for all partitions together, if the figures of each are no longer known. */
export const ALL_PARTS = -1

/** A single object has the name of its application. The object with that name also counts the use of quotas. */
export function nameOfObject({ applicationId, objects, part }: ObjectKey): string {
  return objects === 1 ? String(applicationId) : `${applicationId}/${objects}/${part}`
}

/** All objects of an application. */
export function keysOf({ applicationId, objects }: Partitioning): ObjectKey[] {
  return partsOf(countOf(objects)).map((part) => ({ applicationId, objects, part }))
}
