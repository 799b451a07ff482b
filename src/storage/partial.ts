/** Some of the fields of T; the others are missing or undefined. */
export type Some<T> = { readonly [Field in keyof T]?: T[Field] | undefined }

/** The fields that are not undefined. */
export function fieldsGiven<T extends object>(some: Some<T>): Partial<T> {
  return Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined)) as Partial<T>
}
