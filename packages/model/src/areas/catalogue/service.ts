import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { color } from '../../fields/color.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { icon } from '../../fields/icon.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { richText } from '../../fields/richText.ts'
import { text } from '../../fields/text.ts'

/** Who sees services: their keepers, and those who offer them. */
const serviceViewers = ['viewServices', 'editServices', 'viewSalesManagement', 'editSalesManagement'] as const

export const serviceCategories = { 0: 'Услуга', 1: 'Товар' } as const

const access = { view: serviceViewers, create: 'editServices', update: 'editServices', delete: 'editServices' } as const

export const ServiceType = entity('service-types', {
  label: ['Вид услуг', 'вида услуг', 'видов услуг'],
  fields: {
    nameServiceType: text({ label: 'Название', required: true, max: 128, search: true }),
    color: color({ label: 'Цвет', default: '#868e96' }),
    iconClass: icon({ label: 'Значок' }),
  },
  access,
  title: 'nameServiceType',
  sort: 'nameServiceType',
  soft: true,
})

export const ServiceGroup = entity('services-groups', {
  label: ['Группа услуг', 'группы услуг', 'групп услуг'],
  fields: {
    nameServiceGroup: text({ label: 'Название', required: true, max: 128, search: true }),
    color: color({ label: 'Цвет', default: '#868e96' }),
    groupKeywords: text({ label: 'Ключевые слова', max: 500 }),
    groupCode: text({ label: 'Код', max: 64 }),
    servicesGroupsType: integer({ label: 'Вид группы', min: 0, max: 1, default: 0 }),
    idParentGroup: ref('services-groups', { label: 'Входит в', as: 'parentGroup' }),
  },
  access,
  title: 'nameServiceGroup',
  sort: 'nameServiceGroup',
  soft: true,
})

/** A service or a product of the catalogue (spec §3). So far what offers need of it; the catalogue's screens come later. */
export const Service = entity('services', {
  label: ['Услуга', 'услуги', 'услуг'],
  fields: {
    nameService: text({ label: 'Название', required: true, max: 500, search: true }),
    shortNameService: text({ label: 'Краткое название', max: 128, search: true }),
    priceService: money({ label: 'Цена', min: 0 }),
    description: richText({ label: 'Описание' }),
    code: text({ label: 'Код', max: 64, search: true }),
    labCode: text({ label: 'Код лаборатории', max: 64 }),
    article: text({ label: 'Артикул', max: 64, search: true }),
    barcode: text({ label: 'Штрихкод', max: 64 }),
    active: boolean({ label: 'Действует', default: true }),
    activeShop: boolean({ label: 'Видна на сайте', default: false }),
    friendlyUrl: text({ label: 'Адрес на сайте', max: 255 }),
    approximately: boolean({ label: 'Цена приблизительная', default: false }),
    hidePrice: boolean({ label: 'Скрывать цену', default: false }),
    serviceCategory: integer({ label: 'Категория', min: 0, max: 1, default: 0 }),
    unit: text({ label: 'Единица', max: 32 }),
    idGroup: ref('services-groups', { label: 'Группа', as: 'group' }),
    idType: ref('service-types', { label: 'Вид', as: 'type' }),
    userCreate: ref('users', { label: 'Создал', as: 'creator', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
  },
  access,
  title: 'nameService',
  sort: 'nameService,id',
  soft: true,
})
