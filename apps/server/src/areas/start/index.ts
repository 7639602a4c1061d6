import type { Area } from '#records/area.ts'
import { mark, progress } from './progress.ts'
import { dropKit, listKits, takeKit } from './readyKits.ts'

/** Set-up steps from an empty database to an open clinic. */
export const start: Area = {
  name: 'start',
  title: 'С чего начать',
  records: [],
  operations: [progress, mark, listKits, takeKit, dropKit],
}
