import { entity, many } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { ordersView, samplesEdit } from './access.ts'
import { rejectReasons, sampleStatuses } from './states.ts'
import { biomaterials, temperatures } from './words.ts'

const moment = (label: string) => dateTime({ label, readonly: true, clock: 'order.filial.timeZone' })

/** A tube, identified by its bar code from the draw to the disposal. */
export const LabSample = entity('laboratory/samples', {
  label: ['Проба', 'пробы', 'проб'],
  gender: 'f',
  fields: {
    idOrder: ref('laboratory/orders', {
      label: 'Заказ',
      as: 'order',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    barcode: text({ label: 'Штрихкод', max: 12, readonly: true, required: true, search: true }),
    idLaboratory: ref('laboratory/list', {
      label: 'Лаборатория',
      as: 'laboratory',
      required: true,
      readonly: true,
      whenDeleted: 'stays',
    }),
    biomaterial: choice(biomaterials, { label: 'Биоматериал', readonly: true, default: 'serum' }),
    idContainer: ref('laboratory/containers', {
      label: 'Контейнер',
      as: 'container',
      readonly: true,
      whenDeleted: 'stays',
    }),
    tempMode: choice(temperatures, { label: 'Температура', readonly: true, default: 'cold' }),
    volume: decimal({ label: 'Объём, мл', scale: 2, readonly: true }),
    status: choice(sampleStatuses, { label: 'Состояние', default: 'planned', readonly: true }),
    takenAt: moment('Взята'),
    idTakenBy: ref('users', { label: 'Кто взял', as: 'takenBy', readonly: true, whenDeleted: 'stays' }),
    receivedAt: moment('Получена'),
    expiresAt: moment('Годна до'),
    rejectReason: choice(rejectReasons, { label: 'Причина брака', readonly: true }),
    rejectNote: text({ label: 'Пояснение', max: 500, readonly: true }),
    /** The sample that this one replaces. */
    idFormer: ref('laboratory/samples', { label: 'Вместо пробы', as: 'former', readonly: true, onDelete: 'set null' }),
    /** The first tube of a test that needs several; the order's line names that one. */
    idFirst: ref('laboratory/samples', {
      label: 'Продолжает пробу',
      as: 'first',
      readonly: true,
      onDelete: 'set null',
    }),
    idShipment: ref('laboratory/shipments', {
      label: 'Контейнер отправки',
      as: 'shipment',
      readonly: true,
      onDelete: 'set null',
    }),
    rack: text({ label: 'Штатив', max: 32, readonly: true, search: true }),
    place: text({ label: 'Место', max: 16, readonly: true }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created', clock: 'order.filial.timeZone' }),
  },
  many: { steps: many('laboratory/sample-steps', 'idSample'), items: many('laboratory/order-items', 'idSample') },
  access: { view: ordersView },
  within: 'idOrder',
  title: 'barcode',
  brief: ['barcode', 'status'],
  sort: '-id',
  unique: [['barcode']],
  soft: true,
})

/** Chain of custody: place, time and employee of a tube's move. */
export const LabSampleStep = entity('laboratory/sample-steps', {
  label: ['Движение пробы', 'движения пробы', 'движений проб'],
  gender: 'n',
  fields: {
    idSample: ref('laboratory/samples', {
      label: 'Проба',
      as: 'sample',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    status: choice(sampleStatuses, { label: 'Состояние', readonly: true, required: true }),
    note: text({ label: 'Пояснение', max: 500, readonly: true }),
    idAuthor: ref('users', { label: 'Кто', as: 'author', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created', clock: 'sample.order.filial.timeZone' }),
  },
  access: { view: ordersView },
  within: 'idSample',
  sort: 'id',
})

export const shipmentStatuses = { open: 'Собирается', shipped: 'В пути', received: 'Получен' } as const

/** A box of tubes on its way to a laboratory, with its transfer act. */
export const LabShipment = entity('laboratory/shipments', {
  label: ['Отправка', 'отправки', 'отправок'],
  gender: 'f',
  registry: {
    columns: ['number', 'idLaboratory', 'idFilial', 'tempMode', 'status', 'samplesCount', 'shippedAt', 'courier'],
    empty: { title: 'Отправок пока нет', text: 'Контейнер собирают, сканируя взятые пробы.' },
  },
  fields: {
    number: text({ label: '№', max: 32, readonly: true, search: true }),
    idLaboratory: ref('laboratory/list', {
      label: 'Куда',
      as: 'laboratory',
      required: true,
      fixed: true,
      whenDeleted: 'asks',
    }),
    idFilial: ref('filials', { label: 'Откуда', as: 'filial', required: true, fixed: true, whenDeleted: 'stays' }),
    tempMode: choice(temperatures, { label: 'Режим', default: 'cold', fixed: true }),
    status: choice(shipmentStatuses, { label: 'Состояние', default: 'open', readonly: true }),
    temperature: decimal({ label: 'Температура, °C', scale: 1, readonly: true }),
    courier: text({ label: 'Курьер', max: 128, readonly: true }),
    note: text({ label: 'Примечание', max: 500 }),
    samplesCount: integer({ label: 'Проб', computed: true, required: true }),
    shippedAt: dateTime({ label: 'Отправлена', readonly: true, clock: 'filial.timeZone' }),
    receivedAt: dateTime({ label: 'Получена', readonly: true, clock: 'filial.timeZone' }),
    idAuthor: ref('users', { label: 'Собрал', as: 'author', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Начата', auto: 'created', clock: 'filial.timeZone' }),
  },
  many: { samples: many('laboratory/samples', 'idShipment') },
  access: { view: ordersView, create: samplesEdit, update: samplesEdit },
  title: 'number',
  sort: '-id',
})
