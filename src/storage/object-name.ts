/** Over how many objects an application's users are spread: one for each partition. */
export interface Partitioning {
  readonly applicationId: number
  readonly objects: number
}

/** The object of one partition of an application's users. */
export interface ObjectKey extends Partitioning {
  /** The partition: users whose `telegram_id % objects` is this number. */
  readonly part: number
}

/** There are 1, 2, 4, 8 or 16. Each number divides the next, so the remainder for 16 determines the partition for any of them. */
export const MAX_OBJECTS = 16

/** The numbers of all partitions. */
export function partsOf(objects: number): number[] {
  return Array.from({ length: objects }, (_, part) => part)
}

/** The `part` of daily figures for all partitions together, if the figures of each are no longer known. */
export const ALL_PARTS = -1

/** A single object has the name of its application. The object with that name also counts the use of quotas. */
export function nameOfObject({ applicationId, objects, part }: ObjectKey): string {
  return objects === 1 ? String(applicationId) : `${applicationId}/${objects}/${part}`
}

/** All objects of an application. */
export function keysOf({ applicationId, objects }: Partitioning): ObjectKey[] {
  return partsOf(objects).map((part) => ({ applicationId, objects, part }))
}
