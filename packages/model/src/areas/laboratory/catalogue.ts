import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal, money } from '../../fields/decimal.ts'
import { identifier } from '../../fields/identifier.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { clockRule } from '../visits/clock.ts'
import { catalogueAccess } from './access.ts'
import type { Choice } from './values.ts'
import { biomaterials, cyclePhases, normSexes, sections, temperatures, trimesters, valueTypes } from './words.ts'

const MAX_CHOICES = 100
const wrongChoices = (list: readonly Choice[]): string | undefined =>
  Array.isArray(list) &&
  list.length <= MAX_CHOICES &&
  list.every((one) => typeof one?.value === 'string' && one.value.trim() !== '' && typeof one.normal === 'boolean')
    ? undefined
    : 'Нужен список значений: у каждого текст и отметка нормы'

const code = (value: string) =>
  /^[\p{L}_][\p{L}\p{N}_]{0,31}$/u.test(value) ? undefined : 'Код — буквы, цифры и подчёркивание: он стоит в формулах'

/** A measured quantity: glucose, leukocytes. A test has one or several. */
export const LabAnalyte = entity('laboratory/analytes', {
  label: ['Показатель', 'показателя', 'показателей'],
  gender: 'm',
  registry: {
    columns: ['name', 'code', 'unit', 'type', 'section', 'loinc', 'formula'],
    form: {
      Основное: ['name', 'shortName', 'code', 'section', 'type', 'unit', 'decimals'],
      Расчёт: ['formula', 'deltaLimit'],
      Коды: ['fsli', 'loinc'],
    },
    empty: { title: 'Показателей пока нет', text: 'Показатель — это то, что измеряют: глюкоза, лейкоциты.' },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 255, search: true }),
    shortName: text({ label: 'Кратко', max: 32, search: true }),
    code: text({ label: 'Код', required: true, max: 32, search: true, rule: code }),
    section: choice(sections, { label: 'Отдел', default: 'biochemistry' }),
    type: choice(valueTypes, { label: 'Значение', default: 'number' }),
    unit: text({ label: 'Единица', max: 64 }),
    decimals: integer({ label: 'Знаков после запятой', min: 0, max: 6, default: 2 }),
    choices: json<Choice[]>()({ label: 'Варианты', rule: wrongChoices }),
    /** Codes of other analytes and operators; absent: measured. */
    formula: text({ label: 'Формула', max: 500, help: 'Коды показателей и знаки: CHOL − HDL − TG / 2,2' }),
    /** Percent of change since the former value that triggers a warning. */
    deltaLimit: integer({ label: 'Дельта, %', min: 1, max: 1000, help: 'Отличие от прошлого, о котором предупредить' }),
    fsli: text({ label: 'Код ФСЛИ', max: 16, search: true }),
    loinc: text({ label: 'LOINC', max: 16, search: true }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: { norms: many('laboratory/norms', 'idAnalyte') },
  access: catalogueAccess,
  title: 'name',
  sort: 'name',
  unique: [['code']],
  soft: true,
})

const bound = (label: string) => decimal({ label, scale: 4 })

/** Reference range for a sex, age and state. */
export const LabNorm = entity('laboratory/norms', {
  label: ['Норма', 'нормы', 'норм'],
  gender: 'f',
  fields: {
    idAnalyte: ref('laboratory/analytes', {
      label: 'Показатель',
      as: 'analyte',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    sex: choice(normSexes, { label: 'Пол' }),
    ageFrom: integer({ label: 'Возраст от, дней', min: 0, max: 60_000 }),
    ageTo: integer({ label: 'до, дней', min: 0, max: 60_000 }),
    trimester: choice(trimesters, { label: 'Беременность' }),
    cyclePhase: choice(cyclePhases, { label: 'Цикл' }),
    low: bound('От'),
    high: bound('До'),
    criticalLow: bound('Критично ниже'),
    criticalHigh: bound('Критично выше'),
    idDevice: ref('laboratory/devices', { label: 'Только для анализатора', as: 'device', onDelete: 'cascade' }),
    method: text({ label: 'Только для метода', max: 255, help: 'Как в исследовании; пусто — для любого' }),
    text: text({ label: 'Словами', max: 255, help: 'Не обнаружено; < 1:20' }),
    source: text({
      label: 'Откуда норма',
      max: 255,
      help: 'Инструкция к набору, руководство, исследование. Пусто — собственная норма лаборатории',
    }),
  },
  access: catalogueAccess,
  sort: 'id',
  soft: true,
})

/** An orderable item: a test of some analytes, or a panel of tests with its own price. */
export const LabTest = entity('laboratory/catalog', {
  label: ['Исследование', 'исследования', 'исследований'],
  gender: 'n',
  registry: {
    columns: [
      'name',
      'code',
      'section',
      'idLaboratory',
      'biomaterial',
      'idContainer',
      'termDays',
      'price',
      'cost',
      'active',
    ],
    form: {
      Основное: ['name', 'code', 'section', 'isPanel', 'idLaboratory', 'method', 'active'],
      Преаналитика: ['biomaterial', 'idContainer', 'minVolume', 'tempMode', 'stableHours', 'preparation'],
      'Цена и срок': ['idService', 'labCode', 'cost', 'termDays', 'cutoff'],
      Коды: ['medicalCode', 'fsli', 'loinc'],
    },
    empty: { title: 'Исследований пока нет', text: 'Добавьте исследования или загрузите прайс лаборатории.' },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 500, search: true }),
    code: text({ label: 'Код', max: 32, search: true }),
    section: choice(sections, { label: 'Отдел', default: 'biochemistry' }),
    isPanel: boolean({ label: 'Панель', default: false, help: 'Из нескольких исследований, с одной ценой' }),
    idLaboratory: ref('laboratory/list', {
      label: 'Лаборатория',
      as: 'laboratory',
      required: true,
      whenDeleted: 'asks',
    }),
    biomaterial: choice(biomaterials, { label: 'Биоматериал', default: 'serum' }),
    idContainer: ref('laboratory/containers', { label: 'Контейнер', as: 'container', whenDeleted: 'keeps' }),
    minVolume: decimal({ label: 'Объём, мл', scale: 2, min: 0, max: 5000, default: 0.5 }),
    tempMode: choice(temperatures, { label: 'Температура', default: 'cold' }),
    /** Hours that a taken sample stays usable. */
    stableHours: integer({ label: 'Проба годна, ч', min: 1, max: 8760 }),
    termDays: integer({ label: 'Срок, раб. дней', min: 0, max: 90, default: 1 }),
    cutoff: text({ label: 'Принимается до', max: 5, rule: clockRule, help: 'Пусто — как у лаборатории' }),
    preparation: text({ label: 'Подготовка', max: 2000, multiline: true }),
    method: text({ label: 'Метод', max: 255 }),
    /** The service that is sold; it has the price. */
    idService: ref('services', {
      label: 'Услуга',
      as: 'service',
      help: 'Цена, скидки и чек — её',
      whenDeleted: 'keeps',
    }),
    /** Key in a laboratory's price list, equal to the `labCode` of services. */
    labCode: text({ label: 'Код лаборатории', max: 64, search: true }),
    cost: money({ label: 'Себестоимость', min: 0, help: 'Цена лаборатории или расход реагентов' }),
    /** Rubles; the service's price today. */
    price: money({ label: 'Цена', computed: true, lazy: true }),
    medicalCode: identifier('medicalService', { label: 'Код 804н', search: true }),
    fsli: text({ label: 'Код ФСЛИ', max: 16 }),
    loinc: text({ label: 'LOINC', max: 16 }),
    active: boolean({ label: 'Действует', default: true }),
    dateCreate: dateTime({ label: 'Добавлено', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменено', auto: 'changed' }),
  },
  many: { components: many('laboratory/components', 'idTest') },
  access: catalogueAccess,
  title: 'name',
  brief: ['name', 'code', 'section'],
  sort: 'name,id',
  soft: true,
})

/** An analyte of a test, or a test of a panel. */
export const LabComponent = entity('laboratory/components', {
  label: ['Состав исследования', 'состава исследования', 'составов исследований'],
  gender: 'm',
  fields: {
    idTest: ref('laboratory/catalog', {
      label: 'Исследование',
      as: 'test',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    order: position({ group: ['idTest'], start: 'last' }),
    idAnalyte: ref('laboratory/analytes', { label: 'Показатель', as: 'analyte', onDelete: 'cascade' }),
    idPart: ref('laboratory/catalog', { label: 'Исследование панели', as: 'part', onDelete: 'cascade' }),
  },
  access: catalogueAccess,
  within: 'idTest',
  sort: 'order',
  soft: true,
})
