import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The program's version, `year.month.day` of its release, as in package.json and CHANGELOG.md. */
export const VERSION: string = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8'),
).version
