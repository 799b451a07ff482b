import { hrefWith, type View } from '../request/address.ts'
import { toCount } from '../words/format.ts'

interface PaginationShown {
  readonly view: Pick<View, 'path' | 'params'>
  readonly offset: number
  readonly limit: number
  /** Null if nobody counted them. */
  readonly total: number | null
  readonly shown: number
}

export function Pagination({ view, offset, limit, total, shown }: PaginationShown) {
  const hasMore = total === null ? shown === limit : offset + shown < total
  if (offset === 0 && !hasMore) return null
  const of = total === null ? '' : ` of ${toCount(total)}`
  const before = Math.max(0, offset - limit)
  return (
    <nav class="pages" aria-label="Pages of the list">
      {offset > 0 && (
        <a class="button quiet" rel="prev" href={hrefWith(view, { offset: before === 0 ? null : String(before) })}>
          Previous
        </a>
      )}
      <span>{shown === 0 ? 'No rows' : `${toCount(offset + 1)} – ${toCount(offset + shown)}${of}`}</span>
      {hasMore && (
        <a class="button quiet" rel="next" href={hrefWith(view, { offset: String(offset + limit) })}>
          Next
        </a>
      )}
    </nav>
  )
}
