import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { settingsAccess } from './webhook.ts'

/** Owner of the codes. */
export const mappedSystems = {
  egisz: 'ЕГИСЗ',
  tfoms: 'ТФОМС',
  mdlp: 'Честный ЗНАК',
  laboratory: 'Лаборатория',
  accounting: '1С',
  site: 'Сайт и агрегаторы',
} as const

/** Records that may have a code: exactly one of these fields. */
export const mappedFields = ['idUser', 'idFilial', 'idRoom', 'idService', 'idOrganization'] as const

/** «Соответствия»: codes of the clinic's records in an outside system. */
export const Mapping = entity('exchange/mappings', {
  label: ['Соответствие', 'соответствия', 'соответствий'],
  gender: 'n',
  registry: {
    columns: ['system', 'code', 'name', 'idUser', 'idFilial', 'idRoom', 'idService', 'idOrganization'],
    form: ['system', 'idUser', 'idFilial', 'idRoom', 'idService', 'idOrganization', 'code', 'name'],
    empty: {
      title: 'Соответствий пока нет',
      text: 'Укажите, под каким кодом внешняя система знает сотрудника, филиал, кабинет, услугу или организацию.',
    },
  },
  fields: {
    system: choice(mappedSystems, { label: 'Система', required: true, fixed: true }),
    idUser: ref('users', {
      label: 'Сотрудник',
      help: 'Чей это код: выберите одно — сотрудника, филиал, кабинет, услугу или организацию',
      as: 'user',
      onDelete: 'cascade',
    }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', onDelete: 'cascade' }),
    idRoom: ref('filials/rooms', { label: 'Кабинет', as: 'room', onDelete: 'cascade' }),
    idService: ref('services', { label: 'Услуга или товар', as: 'service', onDelete: 'cascade' }),
    idOrganization: ref('organizations', { label: 'Организация', as: 'organization', onDelete: 'cascade' }),
    code: text({ label: 'Код в системе', required: true, max: 128, search: true }),
    name: text({ label: 'Как там называется', max: 255, search: true }),
    dateCreate: dateTime({ label: 'Добавлено', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменено', auto: 'changed' }),
  },
  access: settingsAccess,
  unique: mappedFields.map((field) => ['system', field] as const),
  title: 'code',
  sort: 'system,code,id',
  soft: true,
})
