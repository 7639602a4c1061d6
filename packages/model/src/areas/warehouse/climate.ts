import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { documentAccess } from './access.ts'

export const dayParts = { morning: 'Утро', evening: 'Вечер' } as const

/** Log of temperature and humidity: twice a day in each place (order of the ministry of health № 646н). */
export const Climate = entity('warehouse/climate', {
  branchBy: ['idWarehouse'],
  label: ['Запись температуры', 'записи температуры', 'записей температуры'],
  gender: 'f',
  registry: {
    columns: ['localDate', 'part', 'idWarehouse', 'place', 'temperature', 'humidity', 'note', 'idAuthor'],
    form: ['idWarehouse', 'place', 'localDate', 'part', 'temperature', 'humidity', 'note'],
    empty: { title: 'Журнал пуст', text: 'Показания снимают утром и вечером в каждом месте хранения.' },
  },
  fields: {
    idWarehouse: ref('warehouses', {
      label: 'Склад',
      as: 'warehouse',
      required: true,
      among: { active: true },
      whenDeleted: 'stays',
    }),
    place: text({ label: 'Место', help: 'Холодильник, шкаф; пусто — помещение', max: 64 }),
    localDate: date({ label: 'Дата', required: true }),
    part: choice(dayParts, { label: 'Когда', required: true, default: 'morning' }),
    temperature: decimal({ label: 'Температура, °C', required: true, scale: 1, min: -90, max: 60 }),
    humidity: integer({ label: 'Влажность, %', min: 0, max: 100 }),
    note: text({ label: 'Примечание', help: 'Что сделано, если вышло за пределы', max: 500 }),
    idAuthor: ref('users', { label: 'Снял показания', as: 'author', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Записано', auto: 'created' }),
  },
  access: documentAccess,
  unique: [['idWarehouse', 'place', 'localDate', 'part']],
  emptyIsSame: true,
  sort: '-localDate,-id',
  soft: true,
})
