import type { Columns } from '../columns.ts'
import { type Codes, enlarged } from '../flat-arrays.ts'
import { type Combined, type CombinedWhole, codedRows, codedWhole, combine, combineWhole } from './coded.ts'
import { type DICTIONARY_ROOM, type Dictionary, OUTSIDE, openDictionary } from './dictionary.ts'
import { type CodedProperty, type EventProperty, isOfUser } from './filter.ts'
import { knownTextsOf } from './known-texts.ts'
import { inSteps, NO_STEPS, perRows, type SelectableRows, TEXTS_A_STEP, translate } from './rows.ts'
import type { Share } from './share.ts'

/** The groups of a question, by ordinals. Missing values are in the group `(none)`. */
export interface Grouping {
  /** Ordinals are below this; not every one need occur. Further rows may add more. */
  readonly count: number
  valuesOf(ordinal: number): readonly string[]
  /** Whether some were left out because there are too many. */
  readonly isOverfull: boolean
  /** The values at the codes of rows, including groups that no question asks for. They are not cached, because texts take much memory. */
  valuesIn(rows: SelectableRows): (code: number) => readonly string[]
  /** Looks up the texts of rows, some before each yield: `of` finds them then, and otherwise looks up all at once. */
  prepare(rows: SelectableRows): Generator<void>
  /** The groups of rows: the table has the ordinal of a row's group at the row's code. */
  of(rows: SelectableRows): GroupCodes
}

interface GroupCodes {
  readonly codes: Codes
  readonly table: Uint32Array
  /** Whether the group of each code is asked for: 1 or 0; null if all are. */
  readonly mask: Uint8Array | null
}

/** Whether any of these properties is a parameter, which only events have: pairs of a day do not have it. */
export function needsParams(properties: readonly EventProperty[]): boolean {
  return properties.some(({ of }) => of === 'params')
}

/**
 * Whether a grouping needs a dictionary: parameters have codes of their own in each segment, and so have pairs of a property of
 * contexts and one of users.
 */
export function needsDictionary(groupBy: readonly EventProperty[]): boolean {
  return needsParams(groupBy) || (groupBy.some(isOfUser) && !groupBy.every(isOfUser))
}

/** Groups by one or two properties of contexts, or of users. Ordinals are codes, and no text is read. */
export function groupingByCode(columns: Columns, groupBy: readonly EventProperty[]): Grouping {
  const { codes: table, count, valuesOf } = combinedWhole(columns, groupBy)
  const isUsers = groupBy.every(isOfUser)
  return {
    count,
    valuesOf,
    isOverfull: false,
    of: ({ users, contexts }) => ({ codes: isUsers ? users : contexts, table, mask: null }),
    prepare: () => NO_STEPS,
    valuesIn: () => (code) => valuesOf(table[code] as number),
  }
}

/** Groups by any one or two properties. Ordinals are those of a dictionary, and groups outside it are left out. */
export function groupingByText(columns: Columns, groupBy: readonly EventProperty[], dictionary: Dictionary): Grouping {
  return {
    get count() {
      return dictionary.count
    },
    valuesOf: (ordinal) => dictionary.valuesOf(ordinal),
    get isOverfull() {
      return dictionary.isOverfull
    },
    ...(needsDictionary(groupBy) ? ofRows(columns, groupBy, dictionary) : ofWhole(columns, groupBy, dictionary)),
  }
}

/** All groups; where ordinals are those of a dictionary, the groups of a share, as many as there is room for. */
export function groupingOfShare(
  columns: Columns,
  groupBy: readonly EventProperty[],
  { share, room }: { readonly share: Share; readonly room: typeof DICTIONARY_ROOM },
): Grouping {
  return needsDictionary(groupBy)
    ? groupingByText(columns, groupBy, openDictionary(share, room))
    : groupingByCode(columns, groupBy)
}

type OfRows = Pick<Grouping, 'of' | 'prepare' | 'valuesIn'>

function ofRows(columns: Columns, groupBy: readonly EventProperty[], dictionary: Dictionary): OfRows {
  const properties = groupBy.map((property) => codedRows(columns, property))
  const codedOf = (rows: SelectableRows) => combine(properties.map((codedBy) => codedBy(rows)))
  const byTexts = (rows: SelectableRows): RowGroups => {
    const { codes, count, valuesOf } = codedOf(rows)
    const groupOf = (code: number) => (dictionary.isOverfull ? OUTSIDE : dictionary.ordinalOf(valuesOf(code)))
    return { codes, count, areRead: false, groupOf }
  }
  const [property, second] = groupBy
  const known = property?.of === 'params' && !second ? groupsOfKnown(columns, property.name, dictionary) : null
  const lookUps = perRows((rows) => {
    const groups = known?.(rows) ?? byTexts(rows)
    const table = new Uint32Array(groups.count)
    return { codes: groups.codes, table, lookingUp: lookUp(table, groups) }
  })
  return {
    prepare: (rows) => lookUps(rows).lookingUp,
    of: perRows((rows) => {
      const { codes, table, lookingUp } = lookUps(rows)
      while (!lookingUp.next().done);
      return { codes, table, mask: maskOf(table) }
    }),
    valuesIn: (rows) => codedOf(rows).valuesOf,
  }
}

interface RowGroups {
  readonly codes: Codes
  readonly count: number
  /** Whether no text has to be read: then more of them are looked up before each yield. */
  readonly areRead: boolean
  /** The ordinal of a code's group; `OUTSIDE`, without reading its text, once there are too many groups. */
  groupOf(code: number): number
}

/** Fills the table, in order of codes. */
function lookUp(table: Uint32Array, { groupOf, areRead }: RowGroups): Generator<void> {
  const step = areRead ? 8 * TEXTS_A_STEP : TEXTS_A_STEP
  return inSteps({ count: table.length, step }, (from, to) => {
    for (let code = from; code < to; code++) table[code] = groupOf(code)
  })
}

const NOT_ASKED = 0xffff_fffe

/** The groups of a parameter: the dictionary is asked for each distinct text once. */
function groupsOfKnown(columns: Columns, name: string, dictionary: Dictionary) {
  const texts = knownTextsOf(columns, name)
  /** The group of each text, by the ordinal of the text plus one. */
  let groups = new Uint32Array([NOT_ASKED])
  function ask(ordinal: number): number {
    const place = ordinal + 1
    if (place >= groups.length) groups = enlarged(groups, 2 * place).fill(NOT_ASKED, groups.length)
    const group = dictionary.ordinalOf([texts.textOf(ordinal)])
    groups[place] = group
    return group
  }
  return (rows: SelectableRows): RowGroups | null => {
    const codes = rows.param?.(name)?.codes
    const ordinals = codes ? texts.ordinalsIn(rows) : null
    if (!codes || !ordinals) return null
    const { known, areNew, of } = ordinals
    return {
      codes,
      count: known.length,
      areRead: !areNew,
      groupOf(code) {
        const group = groups[known[code] as number] ?? NOT_ASKED
        if (group !== NOT_ASKED) return group
        return dictionary.isOverfull ? OUTSIDE : ask(of(code))
      },
    }
  }
}

function ofWhole(columns: Columns, groupBy: readonly EventProperty[], dictionary: Dictionary): OfRows {
  const combined = combinedWhole(columns, groupBy)
  const { codes, count, valuesOf } = combined
  const ordinals = dictionary.isClosed ? ordinalsOfFew(combined, dictionary) : ordinalsOf(count, valuesOf, dictionary)
  const table = translate(codes, ordinals)
  const mask = maskOf(table)
  const isUsers = groupBy.every(isOfUser)
  return {
    of: ({ users, contexts }) => ({ codes: isUsers ? users : contexts, table, mask }),
    prepare: () => NO_STEPS,
    valuesIn: () => (code) => valuesOf(codes[code] as number),
  }
}

function combinedWhole(columns: Columns, groupBy: readonly EventProperty[]): CombinedWhole {
  if (needsDictionary(groupBy)) throw new RangeError('these have no codes in common')
  return combineWhole(groupBy.map((property) => codedWhole(columns, property as CodedProperty)))
}

/** The ordinal of each code's group; each distinct text is read once. */
function ordinalsOf(count: number, valuesOf: Combined['valuesOf'], dictionary: Dictionary): Uint32Array {
  const ordinals = new Uint32Array(count)
  for (let code = 0; code < count; code++) ordinals[code] = dictionary.ordinalOf(valuesOf(code))
  return ordinals
}

/** The ordinal of each code's group if few groups are asked for: no text of another group is read. */
function ordinalsOfFew({ count, codeOf }: CombinedWhole, dictionary: Dictionary): Uint32Array {
  const ordinals = new Uint32Array(count).fill(OUTSIDE)
  for (let ordinal = 0; ordinal < dictionary.count; ordinal++) {
    const code = codeOf(dictionary.valuesOf(ordinal))
    if (code !== null) ordinals[code] = ordinal
  }
  return ordinals
}

function maskOf(table: Uint32Array): Uint8Array | null {
  if (!table.includes(OUTSIDE)) return null
  const mask = new Uint8Array(table.length)
  for (let code = 0; code < table.length; code++) mask[code] = Number(table[code] !== OUTSIDE)
  return mask
}
