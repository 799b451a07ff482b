/** A name for a file. Of its parts only letters and digits that every system takes for a file's. */
export function fileName(parts: readonly string[], extension: string): string {
  const words = parts.map((part) =>
    part
      .toLowerCase()
      .replaceAll(/[^a-z0-9_]+/g, '-')
      .replaceAll(/^-+|-+$/g, ''),
  )
  return `${words.filter((word) => word !== '').join('-')}.${extension}`
}

/** The headers of an answer that is kept as a file of this name. */
export function asFile(contentType: string, name: string): Record<string, string> {
  return { 'content-type': contentType, 'content-disposition': `attachment; filename="${name}"` }
}
