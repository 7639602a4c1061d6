import type { Area } from '../../records/area.ts'
import { commonOperations } from './common.ts'
import { ownOperations, userSettings } from './own.ts'

export { clinicZone, readCommonSettings } from './common.ts'
export { readUserSettings } from './own.ts'

export const settings: Area = {
  name: 'settings',
  title: 'Настройки',
  records: [userSettings],
  operations: [...commonOperations, ...ownOperations],
}
