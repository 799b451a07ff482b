interface BarsHeadShown {
  /** Of the column of names, for whoever cannot see the table's title. */
  readonly title: string
  readonly columns: readonly Column[]
}

interface Column {
  readonly label: string
  readonly class?: string
}

/** The head of a table of bars. */
export function BarsHead({ title, columns }: BarsHeadShown) {
  return (
    <thead>
      <tr>
        <th scope="col">
          <span class="unseen">{title}</span>
        </th>
        {columns.map((column) => (
          <th scope="col" class={`number ${column.class ?? ''}`.trim()}>
            {column.label}
          </th>
        ))}
      </tr>
    </thead>
  )
}
