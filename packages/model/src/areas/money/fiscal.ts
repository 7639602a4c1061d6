import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { moneyView } from './desk.ts'
import type { Receipt, Totals } from './rules.ts'

export const fiscalKinds = {
  openShift: 'Открытие смены',
  sell: 'Чек прихода',
  sellReturn: 'Чек возврата',
  sellCorrection: 'Чек коррекции прихода',
  sellReturnCorrection: 'Чек коррекции возврата',
  closeShift: 'Z-отчёт',
} as const
export type FiscalKind = keyof typeof fiscalKinds

/** A settlement reported to the register late needs a correction receipt. */
export const correctionKinds = { sell: 'sellCorrection', sellReturn: 'sellReturnCorrection' } as const

/** Tag 1173: by the clinic itself, or by order of the tax office. */
export const correctionTypes = { self: 'Самостоятельно', instruction: 'По предписанию налоговой' } as const

export const fiscalStatuses = {
  queued: 'В очереди',
  sending: 'Отправлен',
  unknown: 'Ответ неизвестен',
  done: 'Пробит',
  failed: 'Ошибка',
  /** Taken without a register: no error, nothing is printed. */
  notConnected: 'Не пробивается: регистратор не подключён',
  conflict: 'Под его номером другой чек',
  /** Not needed any more, or removed from the queue by an employee; `error` has the reason. */
  cancelled: 'Снят',
} as const
export type FiscalStatus = keyof typeof fiscalStatuses

/**
 * A document for the register, in the queue of its desk. `key` goes into tag 1192 of the receipt; its expected number
 * (`expectedFd`) is stored before sending, so that after a failure the register shows whether it was printed.
 */
export const FiscalTask = entity('fiscal-tasks', {
  label: ['Чек', 'чека', 'чеков'],
  gender: 'm',
  fields: {
    idDesk: ref('cash-desks', { label: 'Касса', as: 'desk', required: true, readonly: true }),
    idShift: ref('cash-shifts', { label: 'Смена', as: 'shift', readonly: true }),
    idPayment: ref('payments', { label: 'Платёж', as: 'payment', readonly: true }),
    kind: choice(fiscalKinds, { label: 'Вид', required: true, readonly: true }),
    status: choice(fiscalStatuses, { label: 'Состояние', required: true, readonly: true }),
    key: text({ label: 'Ключ', required: true, max: 64, unique: true, readonly: true }),
    fn: text({ label: 'Фискальный накопитель', max: 32, readonly: true }),
    /** The driver's task of this attempt; queried after a failure. */
    request: text({ label: 'Задание драйвера', max: 36, readonly: true }),
    expectedFd: integer({ label: 'Ожидаемый ФД', readonly: true }),
    fd: integer({ label: 'ФД', readonly: true }),
    fpd: text({ label: 'ФПД', max: 32, readonly: true }),
    error: text({ label: 'Что случилось', max: 500, readonly: true }),
    task: json<Receipt>()({ label: 'Задание', readonly: true }),
    /** For a Z report. */
    totals: json<Totals>()({ label: 'Итоги', readonly: true }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created', clock: 'desk.filial.timeZone' }),
    dateDone: dateTime({ label: 'Пробит', readonly: true, clock: 'desk.filial.timeZone' }),
  },
  nameOnly: ['idPayment'],
  access: { view: moneyView },
  within: 'idDesk',
  title: 'key',
  sort: '-id',
})
