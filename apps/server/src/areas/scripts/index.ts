import type { Area } from '#records/area.ts'
import { demo } from './demo.ts'
import { groups, scriptCounts, scriptRecords } from './scripts.ts'
import { used } from './used.ts'

/** Scripts of conversations. */
export const scripts: Area = {
  name: 'scripts',
  title: 'Скрипты',
  records: [groups, scriptRecords],
  operations: [used, scriptCounts],
  demo,
}
