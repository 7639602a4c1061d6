import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { color } from '../../fields/color.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal, money } from '../../fields/decimal.ts'
import { icon } from '../../fields/icon.ts'
import { identifier } from '../../fields/identifier.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { numberChoice } from '../../fields/numberChoice.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { refs } from '../../fields/refs.ts'
import { richText } from '../../fields/richText.ts'
import { text } from '../../fields/text.ts'

/** Rights to view services: of users who edit them, and of users who sell them. */
export const catalogueAccess = {
  view: ['viewServices', 'editServices', 'viewSalesManagement', 'editSalesManagement'],
  create: 'editServices',
  update: 'editServices',
  delete: 'editServices',
} as const

export const serviceCategories = { 0: 'Услуга', 1: 'Товар' } as const
export const SERVICE = 0
export const PRODUCT = 1

/** VAT rates, as on receipts since 2026. */
export const vatCodes: Readonly<Record<'none' | '0' | '5' | '7' | '10' | '22', string>> = {
  none: 'Без НДС',
  0: '0 %',
  5: '5 %',
  7: '7 %',
  10: '10 %',
  22: '22 %',
}

/** Kind of the sold item, tag 1212 of a receipt. */
export const paymentSubjects = {
  1: 'Товар',
  3: 'Работа',
  4: 'Услуга',
  10: 'Платёж',
} as const

/** Rule for performers of a service; the database resolves it per doctor in `service_doctors`. */
export const performing = {
  any: 'Любой врач',
  named: 'Названные врачи',
  speciality: 'По специальности группы',
  nobody: 'Никто',
} as const

const patientSexes = { female: 'Женщинам', male: 'Мужчинам' } as const
const MAX_AGE = 150
const MAX_GROUP = 100

export const ServiceType = entity('service-types', {
  label: ['Вид услуг', 'вида услуг', 'видов услуг'],
  gender: 'm',
  registry: {
    columns: ['nameServiceType', 'color', 'iconClass'],
    empty: { title: 'Видов пока нет', text: 'Вид говорит, что это: приём, исследование, анализ, операция.' },
  },
  fields: {
    nameServiceType: text({ label: 'Название', required: true, max: 128, search: true }),
    color: color({ label: 'Цвет', default: '#868e96' }),
    iconClass: icon({ label: 'Значок' }),
  },
  access: catalogueAccess,
  title: 'nameServiceType',
  sort: 'nameServiceType',
  soft: true,
})

export const ServiceGroup = entity('services-groups', {
  label: ['Группа услуг', 'группы услуг', 'групп услуг'],
  gender: 'f',
  fields: {
    nameServiceGroup: text({ label: 'Название', required: true, max: 128, search: true }),
    idParentGroup: ref('services-groups', { label: 'Входит в', as: 'parentGroup', whenDeleted: 'own' }),
    groupCode: text({ label: 'Код', max: 64 }),
    color: color({ label: 'Цвет', default: '#868e96' }),
    groupKeywords: text({ label: 'Ключевые слова', max: 500 }),
    servicesGroupsType: numberChoice(serviceCategories, { label: 'Вид группы', default: SERVICE }),
    specialities: refs('specialities', {
      label: 'Специальности врачей',
      help: 'Кто оказывает услуги группы, где врачи не названы. Пусто — как у группы, в которую входит',
      whenDeleted: 'asks',
    }),
    order: position({ group: ['idParentGroup'], start: 'last' }),
  },
  access: catalogueAccess,
  title: 'nameServiceGroup',
  sort: 'order',
  soft: true,
})

/** A service or a product of the catalogue (spec §3). */
export const Service = entity('services', {
  label: ['Услуга', 'услуги', 'услуг'],
  gender: 'f',
  registry: {
    form: {
      Основное: ['nameService', 'shortNameService', 'serviceCategory', 'idGroup', 'idType', 'unit', 'active'],
      Коды: ['code', 'article', 'medicalCode', 'labCode', 'barcode', 'gtin'],
      'Цена и чек': [
        'priceService',
        'deposit',
        'approximately',
        'hidePrice',
        'vatCode',
        'paymentSubject',
        'taxExpensive',
      ],
      'Кому оказывается': ['ageFrom', 'ageTo', 'sex', 'groupSize', 'contractRequired'],
      'Кто оказывает': ['anyPerformer'],
      'На сайте': ['activeShop', 'publicName', 'friendlyUrl'],
      'Товар и склад': [
        'minStock',
        'maxStock',
        'packUnit',
        'packRatio',
        'storage',
        'isDrug',
        'isMarked',
        'isPku',
        'inn',
        'dosageForm',
        'dosage',
        'manufacturer',
        'regNumber',
      ],
      'Описание и подготовка': ['description', 'preparation'],
    },
    empty: {
      title: 'Каталог пуст',
      text: 'Добавьте первую услугу или товар, или загрузите прайс из файла.',
    },
  },
  fields: {
    nameService: text({ label: 'Название', required: true, max: 500, search: true }),
    shortNameService: text({ label: 'Краткое название', max: 128, search: true }),
    publicName: text({
      label: 'Название для пациентов',
      max: 200,
      help: 'Так услугу видят на сайте, в личном кабинете, в сообщениях и на площадках записи. Пусто — официальное',
    }),
    priceService: money({
      label: 'Цена',
      min: 0,
      help: 'Действует, когда в прайс-листах цены нет',
    }),
    deposit: money({
      label: 'Предоплата при записи',
      min: 0,
      help: 'Пациент получает ссылку на оплату; не оплатит в срок — запись освободится. Пусто — не нужна',
    }),
    description: richText({ label: 'Описание' }),
    preparation: richText({ label: 'Подготовка', help: 'Что пациенту сделать заранее' }),
    code: text({ label: 'Код', max: 64, search: true }),
    /** Order 804н of the ministry of health. */
    medicalCode: identifier('medicalService', { label: 'Код 804н', search: true }),
    labCode: text({ label: 'Код лаборатории', max: 64 }),
    article: text({ label: 'Артикул', max: 64, search: true }),
    barcode: text({ label: 'Штрихкод', max: 64, search: true }),
    gtin: identifier('gtin', { label: 'GTIN', help: 'Код товара в маркировке' }),
    active: boolean({ label: 'Действует', default: true }),
    activeShop: boolean({ label: 'Видна на сайте', default: false }),
    friendlyUrl: text({
      label: 'Адрес на сайте',
      help: 'Слово в адресе: uzi-serdca; пусто — номер услуги',
      max: 255,
      rule: (value) => (/^[\p{L}\d_-]*$/u.test(value) ? undefined : 'Только буквы, цифры, дефис и подчёркивание'),
    }),
    approximately: boolean({ label: 'Цена приблизительная', default: false }),
    hidePrice: boolean({ label: 'Скрывать цену', default: false }),
    serviceCategory: numberChoice(serviceCategories, { label: 'Категория', default: SERVICE }),
    unit: text({ label: 'Единица', max: 32 }),
    vatCode: choice(vatCodes, {
      label: 'Ставка НДС',
      default: 'none',
      help: 'Медицинские услуги по лицензии — без НДС',
    }),
    paymentSubject: numberChoice(paymentSubjects, {
      label: 'Предмет расчёта',
      default: 4,
      help: 'Что печатается в чеке',
    }),
    taxExpensive: boolean({
      label: 'Код 2',
      default: false,
      help: 'Дорогостоящее лечение в справке об оплате для налоговой',
    }),
    ageFrom: integer({ label: 'Возраст от, лет', min: 0, max: MAX_AGE }),
    ageTo: integer({ label: 'Возраст до, лет', min: 0, max: MAX_AGE }),
    sex: choice(patientSexes, { label: 'Только' }),
    /** Patients per group visit: each has an own visit. Existing groups keep their capacity. */
    groupSize: integer({
      label: 'Мест в группе',
      help: 'Больше одного — групповая услуга: на одно время записывают нескольких',
      min: 1,
      max: MAX_GROUP,
      default: 1,
    }),
    contractRequired: boolean({ label: 'Нужен договор', help: 'Напоминание в карточке услуги', default: false }),
    anyPerformer: boolean({
      label: 'Может любой врач',
      help: 'Иначе — врачи, названные у услуги, или специальности её группы',
      default: false,
    }),
    idGroup: ref('services-groups', { label: 'Группа', as: 'group', whenDeleted: 'own' }),
    idType: ref('service-types', { label: 'Вид', as: 'type', whenDeleted: 'asks' }),
    // Product fields (screens.md § 9).
    inn: text({ label: 'МНН', max: 255, search: true }),
    dosageForm: text({ label: 'Лекарственная форма', max: 128 }),
    dosage: text({ label: 'Дозировка', max: 64 }),
    manufacturer: text({ label: 'Производитель', max: 255 }),
    regNumber: text({ label: 'Регистрационное удостоверение', max: 64 }),
    packUnit: text({ label: 'Единица упаковки', help: 'Пачка, коробка', max: 32 }),
    packRatio: decimal({ label: 'Единиц в упаковке', scale: 3, min: 0.001, max: 100_000 }),
    minStock: decimal({ label: 'Минимальный остаток', scale: 3, min: 0, max: 1_000_000 }),
    maxStock: decimal({ label: 'Максимальный остаток', scale: 3, min: 0, max: 1_000_000 }),
    storage: text({ label: 'Условия хранения', help: 'Например: 2–8 °C', max: 64 }),
    isDrug: boolean({ label: 'Лекарство', default: false }),
    isMarked: boolean({ label: 'Маркируется', help: 'Приходит и уходит по кодам «Честного знака»', default: false }),
    isPku: boolean({ label: 'Предметно-количественный учёт', default: false }),
    /** Available quantity of a product by warehouse name, computed from the stock ledger. */
    saldo: json<Record<string, number>>()({ label: 'Остатки', computed: true, lazy: true }),
    /** Sum of `saldo`, and whether there is any; absent for services. */
    remains: decimal({ label: 'Остаток', scale: 3, computed: true }),
    stock: boolean({ label: 'В наличии', computed: true }),
    /** Price of the list in force today for everybody, else the service's own. */
    currentPrice: money({ label: 'Цена сегодня', computed: true, lazy: true }),
    /** Minutes of a visit, by the rule for all doctors. */
    minutes: integer({ label: 'Длительность, мин', computed: true, lazy: true }),
    performersCount: integer({ label: 'Врачей', computed: true, lazy: true }),
    performedBy: choice(performing, { label: 'Кто оказывает', computed: true, lazy: true }),
    userCreate: ref('users', { label: 'Создал', as: 'creator', auto: 'actor' }),
    userChange: ref('users', { label: 'Изменил', as: 'editor', auto: 'editor' }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
  },
  many: {
    images: many('service-images', 'idService'),
    prices: many('service-prices', 'idService'),
    performers: many('service-performers', 'idService'),
    durations: many('service-durations', 'idService'),
    consumables: many('service-consumables', 'idService'),
  },
  instead: 'Снимите «Действует»: записать на неё будет нельзя, а записанные придут',
  access: catalogueAccess,
  title: 'nameService',
  sort: 'nameService,id',
  soft: true,
})

export const ofService = () =>
  ref('services', { label: 'Услуга', as: 'service', required: true, fixed: true, onDelete: 'cascade' })
