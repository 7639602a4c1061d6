import { entity } from '../../entity.ts'
import { birthday } from '../../fields/birthday.ts'
import { choice } from '../../fields/choice.ts'
import { email } from '../../fields/email.ts'
import { phone } from '../../fields/phone.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { sexes } from '../staff/sexes.ts'
import { salesAccess } from './funnel.ts'

/** The other party of a deal. Phone, email and birthday may be empty (spec §5). */
export const Contact = entity('sales-management/contacts', {
  label: ['Контакт', 'контакта', 'контактов'],
  fields: {
    surname: text({ label: 'Фамилия', max: 64, search: true, spelling: 'name' }),
    name: text({ label: 'Имя', max: 64, search: true, spelling: 'name' }),
    middleName: text({ label: 'Отчество', max: 64, search: true, spelling: 'name' }),
    fio: text({ label: 'ФИО', spelling: 'fio', computed: true, required: true, search: true }),
    phone: phone({ label: 'Телефон', search: true }),
    email: email({ label: 'Электронная почта', search: true }),
    gender: choice(sexes, { label: 'Пол', default: 'none' }),
    birthday: birthday({ label: 'Дата рождения' }),
    city: text({ label: 'Город', max: 128 }),
    address: text({ label: 'Адрес', max: 500 }),
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', onDelete: 'set null' }),
    idLead: ref('sales-management/leads', {
      label: 'Сделка',
      as: 'lead',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
  },
  fresh: { actions: ['export'] },
  access: salesAccess,
  within: 'idLead',
  title: 'fio',
  sort: 'id',
  soft: true,
})

export const Company = entity('sales-management/companies', {
  label: ['Компания', 'компании', 'компаний'],
  gender: 'f',
  registry: {
    columns: ['name', 'phone', 'email', 'city'],
    empty: { title: 'Компаний нет', text: 'Компания — кто платит или направляет: работодатель, страховая.' },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 255, search: true }),
    phone: phone({ label: 'Телефон', search: true }),
    email: email({ label: 'Электронная почта', search: true }),
    city: text({ label: 'Город', max: 128 }),
    address: text({ label: 'Адрес', max: 500 }),
  },
  access: salesAccess,
  title: 'name',
  quickAdd: true,
  sort: 'name',
  soft: true,
})
