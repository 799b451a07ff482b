import type { Child } from 'hono/jsx'

interface SearchFormShown {
  readonly action: string
  readonly name: string
  readonly label: string
  readonly value?: string
  readonly maxlength?: number
  /** Hidden fields. */
  readonly children?: Child
}

export function SearchForm({ action, name, label, value = '', maxlength, children }: SearchFormShown) {
  return (
    <search>
      <form method="get" action={action} class="searching">
        {children}
        <input
          type="search"
          name={name}
          value={value}
          aria-label={label}
          placeholder={label}
          autocomplete="off"
          maxlength={maxlength}
        />
        <button type="submit" class="quiet">
          Search
        </button>
      </form>
    </search>
  )
}

/** Where the script shows what the server finds while somebody types into the field of this name. */
export function SearchResults({ address, name, children }: { address: string; name: string; children?: Child }) {
  return (
    <div class="found" data-results={address} data-field={name}>
      {children}
    </div>
  )
}

export interface FoundLink {
  readonly href: string
  readonly label: string
  /** What it is: a page, an event … */
  readonly kind: string
}

/** The most results of each kind. */
export const OF_EACH = 8

export function isLike({ label }: Pick<FoundLink, 'label'>, text: string): boolean {
  return label.toLowerCase().includes(text.toLowerCase())
}

export function FoundList({ found, none }: { found: readonly FoundLink[]; none: string }) {
  if (found.length === 0) return <p class="nothing">{none}</p>
  return (
    <ul>
      {found.map(({ href, label, kind }) => (
        <li>
          <a href={href}>
            <bdi>{label}</bdi> <span class="hint">{kind}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
