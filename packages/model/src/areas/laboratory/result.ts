import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { resultsView } from './access.ts'
import { resultStatuses } from './states.ts'
import { flags } from './values.ts'

export const MAX_VALUE = 1000

/**
 * A value of an analyte in an order line. Append-only: another value of the same tube, a repeat and a correction are
 * separate rows, one of them the main one. Only laboratory staff read these rows; others get published values by the
 * area's calls.
 */
export const LabResult = entity('laboratory/results', {
  label: ['Результат', 'результата', 'результатов'],
  gender: 'm',
  fields: {
    idItem: ref('laboratory/order-items', {
      label: 'Исследование заказа',
      as: 'item',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    idAnalyte: ref('laboratory/analytes', {
      label: 'Показатель',
      as: 'analyte',
      required: true,
      readonly: true,
      whenDeleted: 'asks',
    }),
    /** Patient and time of sampling: the index of a patient's history. */
    idCustomer: ref('customers', {
      label: 'Пациент',
      as: 'customer',
      required: true,
      readonly: true,
      whenDeleted: 'stays',
    }),
    takenAt: dateTime({ label: 'Взят', required: true, readonly: true }),
    /** As received, trimmed; never changed. */
    value: text({ label: 'Значение', max: MAX_VALUE, required: true, readonly: true }),
    valueNum: decimal({ label: 'Число', scale: 6, readonly: true }),
    unit: text({ label: 'Единица', max: 64, readonly: true }),
    normText: text({ label: 'Норма', max: 255, readonly: true }),
    flag: choice(flags, { label: 'Отметка', readonly: true }),
    delta: decimal({ label: 'Дельта, %', scale: 1, readonly: true }),
    status: choice(resultStatuses, { label: 'Состояние', default: 'raw', readonly: true }),
    /** The valid value among those of one line and analyte; of several raw ones an employee chooses. */
    isMain: boolean({ label: 'Основное', default: true, readonly: true }),
    idFormer: ref('laboratory/results', { label: 'Прежнее', as: 'former', readonly: true, onDelete: 'set null' }),
    reason: text({ label: 'Причина исправления', max: 500, readonly: true }),
    idDevice: ref('laboratory/devices', { label: 'Анализатор', as: 'device', readonly: true, onDelete: 'set null' }),
    /** Id of the message in the device log. */
    idMessage: integer({ label: 'Сообщение прибора', readonly: true }),
    /** The device's own flags of the value, and its clock. */
    deviceFlags: text({ label: 'Отметки прибора', max: 64, readonly: true }),
    measuredText: text({ label: 'Часы прибора', max: 64, readonly: true }),
    comment: text({ label: 'Комментарий', max: 1000, readonly: true }),
    idTechnical: ref('users', { label: 'Техническая проверка', as: 'technical', readonly: true, whenDeleted: 'stays' }),
    technicalAt: dateTime({ label: 'Проверен', readonly: true }),
    idMedical: ref('users', { label: 'Врачебная проверка', as: 'medical', readonly: true, whenDeleted: 'stays' }),
    medicalAt: dateTime({ label: 'Подтверждён', readonly: true }),
    /** For a critical value: who was told, when, by whom, and that they read it back. */
    calledTo: text({ label: 'Кому сообщили', max: 255, readonly: true }),
    calledAt: dateTime({ label: 'Когда сообщили', readonly: true }),
    readBack: boolean({ label: 'Повторили в ответ', default: false, readonly: true }),
    idCaller: ref('users', { label: 'Кто сообщил', as: 'caller', readonly: true, whenDeleted: 'stays' }),
    idAuthor: ref('users', { label: 'Кто ввёл', as: 'author', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Получен', auto: 'created' }),
  },
  access: { view: resultsView },
  sort: '-id',
  personal: 'idCustomer',
})
