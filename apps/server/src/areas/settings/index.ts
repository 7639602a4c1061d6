import type { Area } from '#records/area.ts'
import { changes, state, undo } from './changes.ts'
import { commonOperations } from './common.ts'
import { ownOperations, userSettings } from './own.ts'
import { face, picture } from './pictures.ts'
import { sharedViews, shareView } from './sharedViews.ts'

export { type AiPlace, aiPlaceOf, codeSmsOf, mailerOf, secretOf, smsOf } from './connections.ts'
export { readUserSettings } from './own.ts'
export { pictureNamed } from './pictures.ts'
export { clinicToday, clinicZone, readCommonSettings, settingSql, withinDays } from './read.ts'

export const settings: Area = {
  name: 'settings',
  title: 'Настройки',
  records: [userSettings, sharedViews],
  operations: [...commonOperations, face, picture, state, changes, undo, shareView, ...ownOperations],
  /** The clinic's name on its documents. */
  async demo(_records, _app, tx) {
    await tx.query({
      text: `insert into common_settings (name, value) values ('clinicName', $1::jsonb)`,
      values: [JSON.stringify('Медицинский центр «Волжский доктор»')],
    })
  },
}
