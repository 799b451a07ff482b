interface Named {
  readonly telegram_id: number
  readonly firstname: string | null
  readonly lastname: string | null
  readonly username: string | null
}

/** The name, else the user name, else the id: there is always something to click. */
export function nameOf({ telegram_id: id, firstname, lastname, username }: Named): string {
  const name = [firstname, lastname].filter((part) => part?.trim()).join(' ')
  if (hasInk(name)) return name
  return username && hasInk(username) ? atName(username) : String(id)
}

export function atName(username: string): string {
  return `@${username.replace(/^@/, '')}`
}

/** Null for a text that is no user name. */
export function messengerAddress(username: string): string | null {
  const name = username.replace(/^@/, '')
  return /^[A-Za-z]\w{3,31}$/.test(name) ? `https://t.me/${name}` : null
}

/** Some letters and symbols are blank by design, and people take them as their names. */
function hasInk(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replace(/[\u115f\u1160\u2800\u3164\uffa0]/g, ''))
}
