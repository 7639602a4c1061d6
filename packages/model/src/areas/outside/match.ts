import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { settingsAccess } from '../exchange/webhook.ts'

export const matchKinds = { doctor: 'Врач', service: 'Услуга' } as const
export type MatchKind = keyof typeof matchKinds
export const matchStates = { new: 'Не сопоставлено', matched: 'Сопоставлено', left: 'Не продаём' } as const

/** A doctor or a service as a seller calls it, and ours. Sent to the seller under its own name. */
export const ChannelMatch = entity('booking-channels/matches', {
  label: ['Строка сопоставления', 'строки сопоставления', 'строк сопоставления'],
  gender: 'f',
  registry: { empty: { title: 'Сопоставлять нечего', text: 'Вставьте список врачей и услуг площадки' } },
  fields: {
    idChannel: ref('booking-channels', {
      label: 'Площадка',
      as: 'channel',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    kind: choice(matchKinds, { label: 'Что', required: true, fixed: true }),
    outerName: text({ label: 'У площадки', required: true, fixed: true, max: 256, search: true }),
    /** Code of the nomenclature 804н, where the seller gives it. */
    outerCode: text({ label: 'Код 804н', max: 32 }),
    idUser: ref('users', { label: 'Врач', as: 'user', whenDeleted: 'own' }),
    idService: ref('services', { label: 'Услуга', as: 'service', whenDeleted: 'own' }),
    state: choice(matchStates, { label: 'Состояние', default: 'new' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
  },
  access: settingsAccess,
  within: 'idChannel',
  unique: [['idChannel', 'kind', 'outerName']],
  title: 'outerName',
  sort: 'kind,outerName,id',
  soft: true,
})
