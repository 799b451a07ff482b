interface FileName {
  /** Of these only letters and digits that every system takes for a file's name. */
  readonly nameParts: readonly string[]
  readonly extension: string
}

/** The headers of an answer that is kept as a file of this name. */
export function asFile(contentType: string, { nameParts, extension }: FileName): Record<string, string> {
  const words = nameParts.map((part) =>
    part
      .toLowerCase()
      .replaceAll(/[^a-z0-9_]+/g, '-')
      .replaceAll(/^-+|-+$/g, ''),
  )
  const name = `${words.filter((word) => word !== '').join('-')}.${extension}`
  return { 'content-type': contentType, 'content-disposition': `attachment; filename="${name}"` }
}
