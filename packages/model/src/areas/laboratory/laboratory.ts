import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { clockRule } from '../visits/clock.ts'
import { catalogueAccess } from './access.ts'
import { caps, laboratoryKinds } from './words.ts'

/** Program that sends orders to a partner. */
export const partnerAdapters = {
  none: 'Без обмена',
  simulator: 'Имитатор партнёра',
  folders: 'HL7 v2 через папки (SFTP)',
} as const
export type PartnerAdapter = keyof typeof partnerAdapters

/** Performer of tests: the clinic's own laboratory, or a partner that gets the material. */
export const Laboratory = entity('laboratory/list', {
  branchBy: 'common',
  label: ['Лаборатория', 'лаборатории', 'лабораторий'],
  gender: 'f',
  registry: {
    columns: ['name', 'kind', 'contractNo', 'adapter', 'cutoff', 'catalogUpdatedAt', 'active'],
    form: {
      Основное: ['name', 'kind', 'idFilial', 'active'],
      Договор: ['contractNo', 'clientCode', 'license', 'priceRule'],
      Обмен: ['adapter', 'address'],
      Логистика: ['cutoff', 'courier', 'contacts'],
    },
    empty: {
      title: 'Лабораторий пока нет',
      text: 'Добавьте свою лабораторию и партнёров, которым отправляете биоматериал.',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 255, search: true }),
    kind: choice(laboratoryKinds, { label: 'Вид', default: 'own' }),
    idFilial: ref('filials', {
      label: 'Филиал',
      as: 'filial',
      help: 'Где стоит своя лаборатория',
      whenDeleted: 'asks',
    }),
    contractNo: text({ label: 'Договор', max: 64 }),
    clientCode: text({ label: 'Код клиента', max: 64, help: 'Под которым клиника известна партнёру' }),
    license: text({ label: 'Лицензия', max: 255, help: 'Печатается на бланке результата' }),
    /** Percent on top of the partner's price. */
    priceRule: decimal({ label: 'Наценка, %', scale: 2, min: 0, max: 1000 }),
    adapter: choice(partnerAdapters, { label: 'Обмен', default: 'none' }),
    address: text({ label: 'Адрес обмена', max: 500, help: 'Для обмена через папки — имя папки партнёра на сервере' }),
    cutoff: text({ label: 'Принимает до', max: 5, rule: clockRule, help: 'Позже — срок считается со следующего дня' }),
    courier: text({ label: 'Курьер', max: 500, multiline: true, help: 'Когда забирает биоматериал' }),
    contacts: text({ label: 'Контакты', max: 1000, multiline: true }),
    active: boolean({ label: 'Действует', default: true }),
    catalogUpdatedAt: dateTime({ label: 'Прайс обновлён', readonly: true }),
    dateCreate: dateTime({ label: 'Добавлена', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
  },
  access: catalogueAccess,
  title: 'name',
  sort: 'name',
  soft: true,
})

/** Container for material: a vacuum tube, a bottle, a swab. */
export const LabContainer = entity('laboratory/containers', {
  label: ['Контейнер', 'контейнера', 'контейнеров'],
  gender: 'm',
  registry: {
    columns: ['name', 'cap', 'additive', 'drawOrder', 'usableVolume', 'active'],
    form: ['name', 'cap', 'additive', 'drawOrder', 'fullVolume', 'usableVolume', 'usedFor', 'active'],
    empty: { title: 'Контейнеров пока нет', text: 'Пробирки и ёмкости, в которые берут биоматериал.' },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 128, search: true }),
    cap: choice(caps, { label: 'Крышка', default: 'none' }),
    additive: text({ label: 'Наполнитель', max: 128 }),
    /** Position in the order of draw, from 1; empty: not a blood tube. */
    drawOrder: integer({ label: 'Порядок взятия', min: 1, max: 20 }),
    fullVolume: decimal({ label: 'Объём, мл', scale: 2, min: 0.01, max: 5000 }),
    /** Volume of serum or plasma, if that is tested. */
    usableVolume: decimal({
      label: 'Полезный объём, мл',
      scale: 2,
      min: 0.01,
      max: 5000,
      required: true,
      help: 'Сколько материала остаётся на исследования: для пробирки с гелем — сыворотки',
    }),
    usedFor: text({ label: 'Для чего', max: 500 }),
    active: boolean({ label: 'Действует', default: true }),
  },
  access: catalogueAccess,
  title: 'name',
  sort: 'drawOrder,name',
  soft: true,
})

/** A unit of measure with its conversion (НСИ 1.2.643.5.1.13.13.11.1358). */
export const LabUnit = entity('laboratory/units', {
  label: ['Единица измерения', 'единицы измерения', 'единиц измерения'],
  gender: 'f',
  registry: {
    columns: ['name', 'fullName', 'ucum', 'base', 'factor', 'nsiCode'],
    form: ['name', 'fullName', 'ucum', 'base', 'factor', 'nsiCode'],
    empty: { title: 'Единиц пока нет', text: 'Загрузите справочник НСИ 1358 или добавьте единицы вручную.' },
  },
  fields: {
    name: text({ label: 'Обозначение', required: true, max: 64, search: true }),
    fullName: text({ label: 'Название', max: 255, search: true }),
    ucum: text({ label: 'UCUM', max: 64, search: true }),
    /** Notation of the base unit; its own if it is one. */
    base: text({ label: 'Базовая единица', max: 64 }),
    /** Text, as НСИ has `1/60` and `0,001`. */
    factor: text({
      label: 'Коэффициент',
      max: 32,
      default: '1',
      help: 'Сколько базовых единиц в одной такой: 1/60, 0,001',
    }),
    nsiCode: text({ label: 'Код НСИ', max: 32 }),
  },
  access: catalogueAccess,
  title: 'name',
  sort: 'name',
  unique: [['name']],
  soft: true,
})
