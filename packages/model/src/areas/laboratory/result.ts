import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { resultsView } from './access.ts'
import { valueKinds } from './reading.ts'
import { dropReasons, resultStatuses, type reviewReasons, valueSources } from './states.ts'
import { type Flag, flags, type Patient } from './values.ts'

export const MAX_VALUE = 1000

/** What would change in a published value, for its approver: accepted as a correction, or left with a reason. */
export interface Review {
  why: keyof typeof reviewReasons
  /** Absent: the value stays, only its norm and flag change. */
  value?: string
  normText: string | null
  flag: Flag | null
  /** The row beside: another value of a device. */
  idOther?: number
}

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
    /** The tube that was measured. */
    idSample: ref('laboratory/samples', { label: 'Пробирка', as: 'sample', readonly: true, onDelete: 'set null' }),
    kind: choice(valueKinds, { label: 'Вид', default: 'number', readonly: true }),
    source: choice(valueSources, { label: 'Откуда', default: 'hand', readonly: true }),
    /** A device has announced a final one: it is not published as it is. */
    preliminary: boolean({ label: 'Предварительный', default: false, readonly: true }),
    /** Number in one notation, word of the list, or the reason why there is none; never changed. */
    value: text({ label: 'Значение', max: MAX_VALUE, required: true, readonly: true }),
    /** As the device sent it, where that differs. */
    said: text({ label: 'Как прислал прибор', max: MAX_VALUE, readonly: true }),
    valueNum: decimal({ label: 'Число', scale: 6, readonly: true }),
    unit: text({ label: 'Единица', max: 64, readonly: true }),
    normText: text({ label: 'Норма', max: 255, readonly: true }),
    flag: choice(flags, { label: 'Отметка', readonly: true }),
    /** The patient as the norm was chosen. */
    judgedFor: json<Patient>()({ label: 'Для кого норма', readonly: true }),
    delta: decimal({ label: 'Дельта, %', scale: 1, readonly: true }),
    status: choice(resultStatuses, { label: 'Состояние', default: 'raw', readonly: true }),
    /** The valid value among those of one line and analyte; of several raw ones an employee chooses. */
    isMain: boolean({ label: 'Основное', default: true, readonly: true }),
    idFormer: ref('laboratory/results', { label: 'Прежнее', as: 'former', readonly: true, onDelete: 'set null' }),
    reason: text({ label: 'Причина', max: 500, readonly: true }),
    /** Why it lost its place, who took it away and when. */
    dropWhy: choice(dropReasons, { label: 'Почему не принят', readonly: true }),
    idDropper: ref('users', { label: 'Кто отклонил', as: 'dropper', readonly: true, whenDeleted: 'stays' }),
    droppedAt: dateTime({ label: 'Когда отклонён', readonly: true }),
    review: json<Review>()({ label: 'Пересмотреть', readonly: true }),
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
    /** A critical value of which nobody was informed yet. */
    callDue: boolean({ label: 'Ждёт звонка', default: false, readonly: true }),
    /** For a critical value: who was informed, when, by whom, and that they read it back. */
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
