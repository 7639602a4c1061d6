import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { settingsAccess } from '../exchange/webhook.ts'

export const areaKinds = {
  therapy: 'Терапевтический',
  pediatrics: 'Педиатрический',
  family: 'Врача общей практики',
  gynecology: 'Гинекологический',
  dentistry: 'Стоматологический',
} as const

/** «Участок»: the area of one doctor in a branch, and the maximum number of its patients. */
export const AttachmentArea = entity('attachment/areas', {
  label: ['Участок', 'участка', 'участков'],
  gender: 'm',
  registry: {
    columns: ['name', 'kind', 'idFilial', 'idUser', 'norm', 'active'],
    form: ['name', 'kind', 'idFilial', 'idUser', 'norm', 'active'],
    empty: {
      title: 'Участков пока нет',
      text: 'Заведите участки клиники: врач, норма и какие дома к ним относятся.',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 64, search: true }),
    kind: choice(areaKinds, { label: 'Вид', default: 'therapy', required: true }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', required: true, whenDeleted: 'keeps' }),
    idUser: ref('users', { label: 'Врач', as: 'user', onDelete: 'set null' }),
    norm: integer({
      label: 'Норма, человек',
      help: 'Пусто — как у вида участка в настройках прикрепления',
      min: 1,
      max: 20_000,
    }),
    active: boolean({ label: 'Действует', default: true }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created', clock: 'filial.timeZone' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed', clock: 'filial.timeZone' }),
  },
  many: { streets: many('attachment/streets', 'idArea') },
  access: settingsAccess,
  unique: [['idFilial', 'name']],
  title: 'name',
  brief: ['name', 'kind'],
  sort: 'name,id',
  soft: true,
})

export const houseSides = { all: 'Все дома', odd: 'Нечётные', even: 'Чётные' } as const

/** Houses of a street that belong to an area. */
export const AttachmentStreet = entity('attachment/streets', {
  label: ['Улица участка', 'улицы участка', 'улиц участка'],
  gender: 'f',
  registry: { empty: { title: 'Улиц нет', text: 'Добавьте улицы участка: по ним он находится по адресу.' } },
  fields: {
    idArea: ref('attachment/areas', { label: 'Участок', as: 'area', required: true, fixed: true, onDelete: 'cascade' }),
    street: text({ label: 'Улица', required: true, max: 128, search: true }),
    houseFrom: integer({ label: 'Дома с', help: 'Пусто — с первого', min: 1, max: 9999 }),
    houseTo: integer({ label: 'По', help: 'Пусто — до последнего', min: 1, max: 9999 }),
    side: choice(houseSides, { label: 'Сторона', default: 'all' }),
    dateCreate: dateTime({ label: 'Добавлена', auto: 'created', clock: 'area.filial.timeZone' }),
  },
  access: settingsAccess,
  within: 'idArea',
  title: 'street',
  sort: 'street,houseFrom,id',
  soft: true,
})
