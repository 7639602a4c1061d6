import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { phone } from '../../fields/phone.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

/** Their ids are the specification's (§3). */
export const callTypes = { 1: 'Входящий', 2: 'Исходящий', 3: 'Пропущенный', 4: 'Внутренний', 5: 'Перезвонили' } as const
export type CallType = keyof typeof callTypes
export const INCOMING = 1
export const OUTGOING = 2
export const MISSED = 3
export const INTERNAL = 4
export const RECALLED = 5

/** A telephone call (spec §3). Telephony writes them; people only read. */
export const Call = entity('calls', {
  label: ['Звонок', 'звонка', 'звонков'],
  fields: {
    dateCreate: dateTime({ label: 'Начат', auto: 'created' }),
    dateEnd: dateTime({ label: 'Закончен' }),
    /** Seconds; null while it lasts. */
    duration: integer({ label: 'Длительность, с', computed: true }),
    callType: integer({ label: 'Вид', required: true, min: INCOMING, max: RECALLED }),
    contactPhone: phone({ label: 'Телефон собеседника', search: true }),
    /** The employee's own number, as a rule a short one. */
    localPhone: text({ label: 'Внутренний номер', max: 32 }),
    /** What was dialled: a line of the clinic, the other's number or, of an internal call, a short one. */
    destPhone: text({ label: 'Набранный номер', max: 32 }),
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer' }),
    isPrimaryCustomer: boolean({ label: 'Первое обращение', default: false }),
    idUser: ref('users', { label: 'Сотрудник', as: 'user' }),
    recall: boolean({ label: 'Нужно перезвонить', default: false }),
    /** How the telephone exchange names the conversation. */
    idCallSession: text({ label: 'Сессия АТС', max: 128 }),
    /** Where the exchange keeps the recording. */
    fileLink: text({ label: 'Запись разговора', max: 1000 }),
  },
  access: { view: 'viewCallJournal' },
  title: 'contactPhone',
  sort: '-dateCreate',
})
