/** Files of real systems, which are not in the repository: `shared/inputs` beside it or above. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** @param kind the folder within it. @returns its path; undefined: this machine has none */
export function inputsAt(kind: string): string | undefined {
  for (let at = import.meta.dirname; at !== dirname(at); at = dirname(at)) {
    const path = join(at, 'shared/inputs', kind)
    if (existsSync(path)) return path
  }
  return undefined
}
