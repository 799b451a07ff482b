interface FileName {
  /** Only their ASCII letters and digits are used. */
  readonly nameParts: readonly string[]
  readonly extension: string
}

/** The headers of a download. */
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
