import { UserSetting } from '@ordinator/model/areas/settings/userSetting'
import sql from 'sql-template-tag'
import type { Area } from '../../records/area.ts'
import { records } from '../../records/define.ts'
import { commonOperations } from './common.ts'
import { ownOperations } from './own.ts'

export { clinicZone, readCommonSettings } from './common.ts'
export { readUserSettings } from './own.ts'

export const settings: Area = {
  name: 'settings',
  title: 'Настройки',
  records: [records(UserSetting, { scope: { view: ({ row, me }) => sql`${row}."idUser" = ${me}` } })],
  operations: [...commonOperations, ...ownOperations],
}
