import { entity } from '../../entity.ts'
import { birthday } from '../../fields/birthday.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

/** Rights to see who is insured: of those who book and take money, too. */
export const insuredView = ['viewPayers', 'editPayers', 'editAppointments', 'takePayments'] as const

/** A person of a payer's list: matched to a card by policy, or names and birthday, never by phone. */
export const InsuredPerson = entity('insured-persons', {
  label: ['Застрахованный', 'застрахованного', 'застрахованных'],
  gender: 'm',
  registry: {
    columns: [
      'surname',
      'name',
      'middleName',
      'birthday',
      'policy',
      'idContract',
      'idProgramme',
      'dateFrom',
      'dateTo',
      'idCustomer',
    ],
    empty: { title: 'Списков пока нет', text: 'Загрузите список застрахованных, который прислала страховая' },
  },
  fields: {
    idContract: ref('payer-contracts', {
      label: 'Договор',
      as: 'contract',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idProgramme: ref('organizations/programmes', {
      label: 'Программа',
      as: 'programme',
      required: true,
      whenDeleted: 'keeps',
    }),
    policy: text({ label: 'Полис', required: true, max: 64, search: true }),
    surname: text({ label: 'Фамилия', required: true, max: 100, search: true }),
    name: text({ label: 'Имя', max: 100 }),
    middleName: text({ label: 'Отчество', max: 100 }),
    birthday: birthday({ label: 'Дата рождения' }),
    dateFrom: date({ label: 'Прикреплён с', required: true }),
    dateTo: date({ label: 'По' }),
    /** The day of the last full list that had the person. */
    dateListed: date({ label: 'Был в полном списке', readonly: true }),
    /** The card; set by the match, or by hand. */
    idCustomer: ref('customers', { label: 'Карта клиента', as: 'customer', whenDeleted: 'own' }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
  },
  access: { view: insuredView, create: 'editPayers', update: 'editPayers', delete: 'editPayers' },
  unique: [['idContract', 'policy']],
  title: 'policy',
  brief: ['policy', 'dateTo'],
  sort: 'surname,name,id',
  soft: true,
  personal: 'idCustomer',
})
