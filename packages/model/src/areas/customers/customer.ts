import { entity } from '../../entity.ts'
import { birthday } from '../../fields/birthday.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { email } from '../../fields/email.ts'
import { phone } from '../../fields/phone.ts'
import { text } from '../../fields/text.ts'
import { sexes } from '../staff/user.ts'

const word = (label: string, max = 255) => text({ label, max })

/** A patient of the clinic (spec §3 Customer). Every look at one goes to the journal of access. */
export const Customer = entity('customers', {
  label: ['Клиент', 'клиента', 'клиентов'],
  fields: {
    surname: text({ label: 'Фамилия', required: true, max: 64, search: true }),
    name: text({ label: 'Имя', max: 64, search: true }),
    middleName: text({ label: 'Отчество', max: 64, search: true }),
    fio: text({ label: 'ФИО', computed: true, required: true, search: true }),
    shortFio: text({ label: 'Клиент', computed: true, required: true }),
    phone: phone({ label: 'Телефон', search: true }),
    phoneExtended: phone({ label: 'Дополнительный телефон', search: true }),
    phoneMother: phone({ label: 'Телефон матери', search: true }),
    phoneFather: phone({ label: 'Телефон отца', search: true }),
    phoneWork: phone({ label: 'Рабочий телефон', search: true }),
    email: email({ label: 'Электронная почта', search: true }),
    gender: choice(sexes, { label: 'Пол', default: 'none' }),
    birthday: birthday({ label: 'Дата рождения' }),
    work: word('Место работы'),
    addressWork: word('Адрес работы', 500),
    post: text({ label: 'Должность', max: 255, search: true }),
    familyStatus: word('Семейное положение', 64),
    educationLevel: word('Образование', 64),
    employment: word('Занятость', 64),
    regionCodeFact: word('Код региона проживания', 16),
    factAddressAsString: word('Адрес проживания', 500),
    nameCityFact: word('Город проживания', 128),
    snils: word('СНИЛС', 14),
    numberPassport: word('Паспорт', 32),
    datePassport: date({ label: 'Дата выдачи паспорта' }),
    issuedByPassport: word('Кем выдан паспорт', 500),
    issuedByPassportCode: word('Код подразделения', 16),
    address: word('Адрес регистрации', 500),
    region: word('Регион', 128),
    district: word('Район', 128),
    nameCity: word('Город', 128),
    nameStreet: word('Улица', 128),
    numberStreet: word('Дом', 32),
    numberRoom: word('Квартира', 32),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
  },
  access: { view: 'viewCustomers', create: 'editCustomers', update: 'editCustomers', delete: 'editCustomers' },
  title: 'fio',
  brief: ['fio', 'shortFio'],
  sort: 'surname,name,id',
  soft: true,
  personal: true,
})
