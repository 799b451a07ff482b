import { compareTexts } from '../../base/text/order.ts'
import { isGroupInShare } from '../../columns/selection/dictionary.ts'
import type { Share } from '../../columns/selection/share.ts'
import { createLargest } from './largest.ts'
import type { Asking, Report } from './report.ts'
import { askInShares, createAnswer, sumOf } from './shares.ts'
import { addUpItems, type Total, together } from './totals.ts'

/** A question for a page of a list. */
export interface ListQuery {
  readonly limit: number
  readonly offset?: number
  /** Every item of this share, as other objects know more of them; null for the page itself, from an object that has all users. */
  readonly share: Share | null
}

type Page = Pick<ListQuery, 'limit' | 'offset'>

/** How the items of a list are ranked: the largest figures first, then by name. */
export interface ListRanking<Item> {
  readonly nameOf: (item: Item) => string
  readonly figureOf: (item: Item) => number
  readonly add: Total<Item>
}

/** An answer in which a list is null if it is too long for one answer. */
export type OrTooMany<Answer, List extends keyof Answer> = Omit<Answer, List> & {
  readonly [Name in List]: Answer[Name] | null
}

interface ListOptions<Query, Answer, List extends keyof Answer, Count extends keyof Answer, Item> {
  readonly name: string
  readonly isLarge?: (query: Query) => boolean
  /** The field of the answer with the items, and the one with the number of all items. */
  readonly list: List
  readonly total: Count
  readonly ranking: ListRanking<Item>
  readonly part: Report<Query, OrTooMany<Answer, List>, unknown>['part']
  /** The other fields, of all objects. */
  readonly others?: Total<Omit<Answer, List | Count>>
}

export interface ListReport<Query, Answer, List extends keyof Answer>
  extends Report<Query, OrTooMany<Answer, List>, OrTooMany<Answer, List>> {
  /** The answer of all shares. */
  together(answers: readonly Answer[], page: Page): Answer
  readonly list: List
}

/** A report that answers with a list. */
export function listReport<
  Query extends ListQuery,
  Answer extends object,
  List extends keyof Answer,
  Count extends keyof Answer,
  Item,
>(options: ListOptions<Query, Answer, List, Count, Item>): ListReport<Query, Answer, List> {
  const { name, isLarge, part, list, total, ranking, others } = options
  return {
    name,
    ...(isLarge && { isLarge }),
    part,
    list,
    result(parts, { limit, offset = 0, share }) {
      const [only] = parts
      if (share === null && only) return only
      const lists = parts.map((answer) => answer[list] as readonly Item[] | null)
      // Items that count nothing in any object are left out.
      const items = addUpItems(lists, ranking.nameOf, ranking.add)?.filter((item) => ranking.figureOf(item) > 0)
      const page = items ? pageOf(items, ranking, { limit: offset + limit }) : null
      const rest = others && together(others)(parts as readonly unknown[] as readonly Omit<Answer, List | Count>[])
      return { ...rest, [list]: page, [total]: items?.length ?? 0 } as OrTooMany<Answer, List>
    },
    together(answers, page) {
      const items = answers.flatMap((answer) => answer[list] as readonly Item[])
      const all = sumOf(answers, (answer) => answer[total] as number)
      return { ...(answers[0] as Answer), [list]: pageOf(items, ranking, page), [total]: all }
    },
  }
}

/** Asks a single object for the page, several for the whole list, share by share. */
export async function askForList<Query extends ListQuery, Answer, List extends keyof Answer>(
  report: ListReport<Query, Answer, List>,
  query: Omit<Query, 'share'> & Page,
  { objects, ask }: Asking,
): Promise<Answer> {
  const askFor = async (share: Share | null) => {
    const answer = await ask(report, { ...query, share } as Query)
    return answer[report.list] === null ? null : (answer as Answer)
  }
  if (objects === 1) return (await askFor(null)) as Answer
  return report.together(await askInShares(askFor), query)
}

/** Collects what one object knows of a list: the items of the page, or all of a share. */
export function createListCollector<Item>(
  { limit, share }: ListQuery,
  { nameOf }: ListRanking<Item>,
  maxCharacters: number,
) {
  const largest = createLargest<Item>(limit, (a, b) => compareTexts(nameOf(a), nameOf(b)))
  const answer = createAnswer<Item>(maxCharacters)
  let total = 0
  return {
    /** Makes the item only if it is needed. */
    take(figure: number, make: () => Item): void {
      total += 1
      if (share === null) {
        largest.offer(figure, make)
      } else {
        const item = make()
        const name = nameOf(item)
        if (isGroupInShare([name], share)) answer.add([name], item)
      }
    },
    /** Null if they are too many for one answer. */
    items: (): Item[] | null => (share === null ? largest.items() : answer.items()),
    total: () => total,
  }
}

export function pageOf<Item>(
  items: readonly Item[],
  { nameOf, figureOf }: ListRanking<Item>,
  { limit, offset = 0 }: Page,
): Item[] {
  return items
    .toSorted((a, b) => figureOf(b) - figureOf(a) || compareTexts(nameOf(a), nameOf(b)))
    .slice(offset, offset + limit)
}
