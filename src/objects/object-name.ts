/** One of the objects that an application's users are spread over. */
export interface ObjectKey {
  readonly applicationId: number
  /** How many there are. */
  readonly objects: number
  /** It has the users whose id leaves this when it is divided by the number of objects. */
  readonly part: number
}

/** There are 1, 2, 4, 8 or so many: each number divides the next, so what is left by this one tells the part of any. */
export const MAX_OBJECTS = 16

/** All parts of so many objects. */
export function partsOf(objects: number): number[] {
  return Array.from({ length: objects }, (_, part) => part)
}

/** Stands in daily figures for all parts together, where the figures of each are not known any more. */
export const ALL_PARTS = -1

/** An only object is named like its application; that one also counts what is used of quotas. */
export function nameOfObject({ applicationId, objects, part }: ObjectKey): string {
  return objects === 1 ? String(applicationId) : `${applicationId}/${objects}/${part}`
}

/** All objects of an application. */
export function keysOf({ applicationId, objects }: Pick<ObjectKey, 'applicationId' | 'objects'>): ObjectKey[] {
  return Array.from({ length: objects }, (_, part) => ({ applicationId, objects, part }))
}
