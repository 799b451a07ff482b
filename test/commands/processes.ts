import { readdirSync, readFileSync } from 'node:fs'

interface Process {
  readonly pid: number
  readonly parent: number
}

/** All processes that have not ended, as Linux tells. */
function listProcesses(): Process[] {
  return readdirSync('/proc').filter(isNumber).map(Number).flatMap(read)
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name)
}

/** Reads the state and the parent of a process, which follow its name in parentheses; the name may contain anything. */
function read(pid: number): Process[] {
  try {
    const [, state, parent] = /^.*\) (\S) (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return state === 'Z' ? [] : [{ pid, parent: Number(parent) }]
  } catch {
    return [] // It ended just now.
  }
}

/** The process and all that it started, and they in turn. */
export function familyOf(pid: number): number[] {
  const all = listProcesses()
  const family = [pid]
  for (const member of family) family.push(...all.filter(({ parent }) => parent === member).map((child) => child.pid))
  return family
}

/** The processes that have not ended. */
export function runningOf(pids: readonly number[]): number[] {
  const running = new Set(listProcesses().map(({ pid }) => pid))
  return pids.filter((pid) => running.has(pid))
}

/** The program of a process, in at most 15 characters; empty if the process has just ended. */
export function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}
