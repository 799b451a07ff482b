import { toCell, toTable } from './table.ts'

/** What a command answers: an object, or a list of them, printed as lines or as JSON. */
export type CommandOutput = Record<string, unknown> | Record<string, unknown>[]

const LABELS: Readonly<Record<string, string>> = {
  accountId: 'Account',
  telegramId: 'Telegram id',
  apiKey: 'API key',
  apiKeyFile: 'API key file',
  signInLink: 'Sign-in link',
  signInLinkFile: 'Sign-in link file',
}

/** As lines and tables for people, or as JSON. */
export function print(answer: CommandOutput, asJson: boolean): void {
  if (asJson) console.log(JSON.stringify(answer, null, 2))
  else if (Array.isArray(answer)) console.log(answer.length > 0 ? toTable(answer) : 'None yet.')
  else printLines(answer)
}

function printLines(answer: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(answer)) {
    const label = LABELS[name] ?? name.charAt(0).toUpperCase() + name.slice(1)
    if (!Array.isArray(value)) console.log(`${label}: ${toCell(value)}`)
    else console.log(value.length > 0 ? `${label}:\n\n${toTable(value)}\n` : `${label}: none yet`)
  }
}
