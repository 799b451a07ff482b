import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** One instruction of the Dockerfile, such as `RUN npm ci`. */
export interface Instruction {
  readonly name: string
  readonly text: string
}

/** One stage: what follows a FROM. */
export interface Stage {
  readonly image: string
  /** The stage's name, or its number. */
  readonly name: string
  readonly instructions: readonly Instruction[]
}

export function readStages(): Stage[] {
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const stages: (Stage & { instructions: Instruction[] })[] = []
  for (const line of lines) {
    const [, name = '', text = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    const [image = '', , alias = String(stages.length)] = text.split(' ')
    if (name === 'FROM') stages.push({ image, name: alias, instructions: [] })
    else stages.at(-1)?.instructions.push({ name, text })
  }
  return stages
}

/** What an instruction says that a stage has once. */
export function textOf({ instructions }: Stage, name: string): string {
  return instructions.find((one) => one.name === name)?.text ?? ''
}

/** Whether a file of this copy reaches the image: the last line of .dockerignore that names it decides. */
export function isLetIn(file: string): boolean {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').trim().split('\n')
  const last = lines.findLast((line) => names(line.replace('!', ''), file))
  return last === undefined || last.startsWith('!')
}

function names(pattern: string, file: string): boolean {
  if (pattern === '*' || pattern === file || file.startsWith(`${pattern}/`)) return true
  return pattern.endsWith('*') && file.startsWith(pattern.slice(0, -1))
}
