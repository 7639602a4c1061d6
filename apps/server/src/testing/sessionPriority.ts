import { existsSync, readFileSync } from 'node:fs'

/** The priority (nice) of a process's session if Linux shares the CPU between sessions first, else undefined. */
export function sessionPriority(pid: number): number | undefined {
  const file = `/proc/${pid}/autogroup`
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('nice ')[1]) : undefined
}
