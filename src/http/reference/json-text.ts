const MAX_CHARACTERS_A_LINE = 58

/** JSON for people: short values on one line, lists of figures wrapped. */
export function toJsonText(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')
  if (line.length + indent.length <= MAX_CHARACTERS_A_LINE) return line
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const items = value.map((item) => toJsonText(item, inner))
    const isFlat = value.every((item) => typeof item !== 'object' || item === null)
    return `[\n${isFlat ? fill(items, inner) : items.map((item) => inner + item).join(',\n')}\n${indent}]`
  }
  if (typeof value !== 'object' || value === null) return line
  const fields = Object.entries(value).map(([name, item]) => `${inner}"${name}": ${toJsonText(item, inner)}`)
  return `{\n${fields.join(',\n')}\n${indent}}`
}

function fill(items: readonly string[], indent: string): string {
  const lines: string[] = []
  for (const item of items) {
    const longer = `${lines.at(-1)}, ${item}`
    if (lines.length > 0 && longer.length <= MAX_CHARACTERS_A_LINE) lines[lines.length - 1] = longer
    else lines.push(indent + item)
  }
  return lines.join(',\n')
}
