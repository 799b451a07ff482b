import { add, type Decimal } from '../../base/decimal.ts'
import type { GroupValues } from './groups.ts'
import type { Report } from './report.ts'

// What objects answer about their own users, and what all of them say together, is one description: from it follow the type of an
// answer and how the answers of several objects are added up. Loops over events see typed arrays only.

/** Adds up what two objects counted. No user is in both. */
export type Total<T> = (a: T, b: T) => T

/** The type that a description describes. */
export type TotalOf<Description> = Description extends Total<infer T> ? T : never

export const count: Total<number> = (a, b) => a + b

export const money: Total<Decimal> = add

export const least: Total<number> = (a, b) => Math.min(a, b)

export const greatest: Total<number> = (a, b) => Math.max(a, b)

/** What every object answers alike, such as the values of a group. */
export function same<T>(): Total<T> {
  return (a) => a
}

/** What only an object that has all users can say, such as a median: null if there are several. */
export function onlyOfOne<T>(): Total<T | null> {
  return () => null
}

/** Adds up lists item by item, such as one figure a day. The lists of all objects have the same length. */
export function list<T>(item: Total<T>): Total<readonly T[]> {
  return (a, b) => a.map((own, index) => item(own, b[index] as T))
}

/** A list of counts, as few bytes travel. */
export const counts: Total<Uint32Array> = (a, b) => a.map((own, index) => own + (b[index] as number))

export function record<T extends object>(fields: { readonly [Name in keyof T]: Total<T[Name]> }): Total<Readonly<T>> {
  const described = Object.entries(fields) as [keyof T, Total<unknown>][]
  return (a, b) => {
    const sums = {} as T
    for (const [name, total] of described) sums[name] = total(a[name], b[name]) as T[keyof T]
    return sums
  }
}

/** Items that not every object has, such as groups: those with the same key are added up, in the order in which they first occur. */
export function keyed<T>(keyOf: (item: T) => string | number, item: Total<T>): Total<readonly T[]> {
  return (a, b) => sumsOf([...a, ...b], keyOf, item)
}

/** Adds up many items of all objects at once, as one object after another takes longer. Null if one has too many to answer. */
export function addUpItems<T>(
  parts: readonly (readonly T[] | null)[],
  keyOf: (item: T) => string | number,
  item: Total<T>,
): T[] | null {
  if (parts.includes(null)) return null
  const items = parts.flatMap((own) => own ?? [])
  return sumsOf(items, keyOf, item)
}

function sumsOf<T>(items: readonly T[], keyOf: (item: T) => string | number, item: Total<T>): T[] {
  const sums = new Map<string | number, T>()
  for (const own of items) {
    const key = keyOf(own)
    const sum = sums.get(key)
    sums.set(key, sum === undefined ? own : item(sum, own))
  }
  return [...sums.values()]
}

/** What is known of a group, with its values. */
export type OfGroup<T> = T & { readonly values: GroupValues }

export function grouped<T>(total: Total<T>): Total<OfGroup<T>> {
  return (a, b) => ({ ...total(a, b), values: a.values })
}

/** Groups by their values; every group has the same number of values. */
export function groups<T extends { readonly values: GroupValues }>(group: Total<T>): Total<readonly T[]> {
  return keyed(keyOfGroup, group)
}

/** Adds up many groups of all objects at once. Null if one has too many to answer. */
export function addUpGroups<T extends { readonly values: GroupValues }>(
  parts: readonly (readonly T[] | null)[],
  group: Total<T>,
): T[] | null {
  return addUpItems(parts, keyOfGroup, group)
}

function keyOfGroup({ values }: { readonly values: GroupValues }): string {
  return values.length === 1 ? (values[0] as string) : JSON.stringify(values)
}

/** Null for too much to answer, which all objects together then have as well. */
export function orTooMuch<T>(total: Total<T>): Total<T | null> {
  return (a, b) => (a === null || b === null ? null : total(a, b))
}

/** The `result` of a report: what the objects say together. */
export function together<T>(total: Total<T>): (parts: readonly T[]) => T {
  return (parts) => parts.reduce((a, b) => total(a, b))
}

/** A report that adds up what `part` counts for the users of each object. */
export function totalReport<Query, Counted>(
  name: string,
  total: Total<Counted>,
  part: Report<Query, Counted, Counted>['part'],
  options: Pick<Report<Query, Counted, Counted>, 'isLarge'> = {},
): Report<Query, Counted, Counted> {
  return { name, ...options, part, result: together(total) }
}
