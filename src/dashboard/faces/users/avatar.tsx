import { nameOf } from './people.ts'

const TINTS = 6

/** The initials of a user; a head for somebody without a name. The name beside it says the same. */
export function Avatar({ user }: { user: Parameters<typeof nameOf>[0] }) {
  const initials = initialsOf(nameOf(user))
  return (
    <span class={`avatar tint-${user.telegram_id % TINTS}`} aria-hidden="true">
      {initials || '#'}
    </span>
  )
}

/** The first letters of the first two words that begin with one. */
function initialsOf(name: string): string {
  const words = name.replace(/^@/, '').split(/[\s_]+/)
  return words
    .map((word) => /^\p{L}/u.exec(word)?.[0] ?? '')
    .filter((letter) => letter !== '')
    .slice(0, 2)
    .join('')
    .toUpperCase()
}
