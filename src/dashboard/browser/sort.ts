/** A click on the head of a column sorts the rows by it: figures from the largest, names from the first; again the other way round. */
export function sortTables(): void {
  for (const head of document.querySelectorAll<HTMLElement>('th[data-sort]:not(:has(button))')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'sort'
    button.append(...head.childNodes)
    button.addEventListener('click', () => sortBy(head))
    head.append(button)
  }
}

function sortBy(head: HTMLElement): void {
  const [row, body] = [head.parentElement, head.closest('table')?.tBodies[0]]
  if (!row || !body) return
  const column = [...row.children].indexOf(head)
  const rows = [...body.rows].map((one) => ({ one, cell: one.cells[column] }))
  const isOfFigures = rows.some(({ cell }) => cell?.querySelector('data'))
  const before = head.getAttribute('aria-sort')
  const isDown = before === null ? isOfFigures : before === 'ascending'
  const figureOf = (cell: HTMLElement | undefined) =>
    Number(cell?.querySelector('data')?.value ?? Number.NEGATIVE_INFINITY)
  const order = (a: HTMLElement | undefined, b: HTMLElement | undefined) =>
    isOfFigures ? figureOf(a) - figureOf(b) : (a?.textContent ?? '').localeCompare(b?.textContent ?? '')
  rows.sort((a, b) => (isDown ? order(b.cell, a.cell) : order(a.cell, b.cell)))
  for (const other of row.children) other.removeAttribute('aria-sort')
  head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending')
  body.append(...rows.map(({ one }) => one))
}
