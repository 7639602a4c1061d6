import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { email } from '../../fields/email.ts'
import { phone } from '../../fields/phone.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

export const chatStatuses = { active: 'Активный', archive: 'В архиве', completed: 'Завершён' } as const

/** A chat with a visitor (spec §3). So far what links and tasks need of it; messages come with the chat's own screens. */
export const LiveAssist = entity('live-assist', {
  label: ['Чат', 'чата', 'чатов'],
  fields: {
    name: text({ label: 'Имя', required: true, max: 128, search: true }),
    phone: phone({ label: 'Телефон', search: true }),
    email: email({ label: 'Электронная почта', search: true }),
    status: choice(chatStatuses, { label: 'Состояние', default: 'active' }),
    source: text({ label: 'Источник', max: 64 }),
    sourceName: text({ label: 'Название источника', max: 128 }),
    banned: boolean({ label: 'Заблокирован', default: false }),
    dateCreate: dateTime({ label: 'Начат', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
    idUser: ref('users', { label: 'Оператор', as: 'user' }),
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer' }),
  },
  access: {
    view: ['supportOperator', 'displayTableLiveAssist'],
    create: 'supportOperator',
    update: 'supportOperator',
    delete: 'supportOperator',
  },
  title: 'name',
  sort: '-dateChange',
  soft: true,
})
