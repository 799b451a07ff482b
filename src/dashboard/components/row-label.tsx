interface RowLabelShown {
  readonly label: string
  /** Where the row leads. */
  readonly href?: string | undefined
  /** What a click does, for whoever cannot see the row's surroundings. */
  readonly action?: string | undefined
  /** Whether it stands where nothing else cuts what is too long. */
  readonly isFree?: boolean
}

/** The name of a row: a link where it leads anywhere. */
export function RowLabel({ label, href, action, isFree = false }: RowLabelShown) {
  const text = (
    <bdi title={label} class={isFree ? 'name' : undefined}>
      {label}
    </bdi>
  )
  if (!href) return text
  return (
    <a href={href} aria-label={action ? `${label}: ${action}` : undefined}>
      {text}
    </a>
  )
}
