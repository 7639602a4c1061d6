import { entity, many } from '../../entity.ts'
import { birthday } from '../../fields/birthday.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { color } from '../../fields/color.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { email } from '../../fields/email.ts'
import { identifier } from '../../fields/identifier.ts'
import { integer } from '../../fields/integer.ts'
import { phone } from '../../fields/phone.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { editedBy, list, tags } from '../../list.ts'
import { sexes } from '../staff/sexes.ts'
import { documentTypes } from './documents.ts'

const word = (label: string, max = 255) => text({ label, max })

export const bloodGroups = {
  o: 'O(I) Rh+',
  oNegative: 'O(I) Rh−',
  a: 'A(II) Rh+',
  aNegative: 'A(II) Rh−',
  b: 'B(III) Rh+',
  bNegative: 'B(III) Rh−',
  ab: 'AB(IV) Rh+',
  abNegative: 'AB(IV) Rh−',
} as const

export const disabilities = {
  none: 'Нет',
  first: 'I группа',
  second: 'II группа',
  third: 'III группа',
  child: 'Ребёнок-инвалид',
} as const

/** Restricted cards, which open only with a reason. */
export const secretLevels = { none: 'Обычная карта', staff: 'Сотрудник клиники', vip: 'VIP' } as const

export const customerAccess = {
  view: 'viewCustomers',
  create: 'editCustomers',
  update: 'editCustomers',
  delete: 'editCustomers',
} as const

/** The phones of a card; a child is also found by a parent's. */
export const phoneFields = ['phone', 'phoneExtended', 'phoneMother', 'phoneFather', 'phoneWork'] as const

/** Pairs of address fields: of registration → of residence. */
export const sameAddress = {
  address: 'factAddressAsString',
  postalCode: 'postalCodeFact',
  nameCity: 'nameCityFact',
  region: 'regionFact',
  district: 'districtFact',
  nameStreet: 'nameStreetFact',
  numberStreet: 'numberStreetFact',
  numberRoom: 'numberRoomFact',
} as const

/** A patient of the clinic (spec §3 Customer). Every view is recorded in the access journal. */
export const Customer = entity('customers', {
  label: ['Клиент', 'клиента', 'клиентов'],
  gender: 'm',
  fresh: {
    actions: ['update', 'export'],
    fields: ['phone', 'phoneExtended', 'phoneMother', 'phoneFather', 'phoneWork'],
  },
  fields: {
    surname: text({ label: 'Фамилия', required: true, max: 64, spelling: 'name' }),
    name: text({ label: 'Имя', max: 64, spelling: 'name' }),
    middleName: text({ label: 'Отчество', max: 64, spelling: 'name' }),
    fio: text({ label: 'ФИО', spelling: 'fio', computed: true, required: true }),
    shortFio: text({ label: 'Клиент', spelling: 'fio', computed: true, required: true }),
    /** URL of its thumbnail. */
    photo: text({ label: 'Фото', computed: true }),
    idPhoto: ref('customers/photos', { label: 'Фотография', as: 'photoFile', onDelete: 'set null' }),
    /** Search text: names, phones, e-mail, postal address, birthday, documents, card number. */
    text: text({ label: 'ФИО, телефон, почта, документ', computed: true, lazy: 'always', search: 'words' }),
    cardNumber: text({ label: 'Номер карты', max: 32 }),
    phone: phone({ label: 'Телефон' }),
    phoneExtended: phone({ label: 'Дополнительный телефон' }),
    phoneMother: phone({ label: 'Телефон матери' }),
    phoneFather: phone({ label: 'Телефон отца' }),
    phoneWork: phone({ label: 'Рабочий телефон' }),
    email: email({ label: 'Электронная почта' }),
    /** Channels the patient has opted out of; a sign-in code is sent all the same. */
    noMessenger: boolean({ label: 'Не писать в мессенджер', default: false }),
    noSms: boolean({ label: 'Не писать СМС', default: false }),
    noEmail: boolean({ label: 'Не писать на почту', default: false }),
    gender: choice(sexes, { label: 'Пол', default: 'none' }),
    birthday: birthday({ label: 'Дата рождения' }),
    /** Whole years today, or on the day of death. */
    age: integer({ label: 'Возраст', computed: true }),
    dateDeath: date({ label: 'Дата смерти' }),
    bloodGroup: choice(bloodGroups, { label: 'Группа крови' }),
    allergies: text({ label: 'Аллергии', max: 1000, multiline: true, help: 'Стоят красной строкой над картой' }),
    disability: choice(disabilities, { label: 'Инвалидность', default: 'none' }),
    benefitCode: word('Код льготы', 16),
    languages: word('Языки', 128),
    secretLevel: choice(secretLevels, {
      label: 'Доступ к карте',
      default: 'none',
      help: 'Карту сотрудника и VIP открывают, назвав причину: она остаётся в журнале доступа',
    }),
    idSource: ref('customer-sources', { label: 'Источник', as: 'source', whenDeleted: 'keeps' }),
    idStatus: ref('customers/statuses', { label: 'Статус', as: 'status', onDelete: 'set null', whenDeleted: 'asks' }),
    promoter: word('Кто привёл'),
    note: text({ label: 'Примечание', max: 2000, multiline: true }),
    work: word('Место работы'),
    addressWork: word('Адрес работы', 500),
    post: text({ label: 'Должность', max: 255 }),
    familyStatus: word('Семейное положение', 64),
    educationLevel: word('Образование', 64),
    employment: word('Занятость', 64),
    snils: identifier('snils', { label: 'СНИЛС' }),
    inn: identifier('innPerson', { label: 'ИНН' }),
    /** For a new card: becomes its first policy. */
    policy: text({ label: 'Полис ОМС', max: 64, virtual: true, fixed: true, help: 'ЕНП, 16 цифр' }),
    duplicateReason: text({
      label: 'Почему вторая карта',
      max: 255,
      help: 'СНИЛС или полис уже стоит в другой карте: напишите, почему это другой человек',
    }),
    documentType: choice(documentTypes, { label: 'Документ', default: 'passport' }),
    numberPassport: text({ label: 'Серия и номер', max: 64 }),
    datePassport: date({ label: 'Дата выдачи' }),
    issuedByPassport: word('Кем выдан', 500),
    issuedByPassportCode: identifier('departmentCode', { label: 'Код подразделения' }),
    address: word('Адрес регистрации', 500),
    postalCode: word('Индекс', 16),
    region: word('Регион', 128),
    district: word('Район', 128),
    nameCity: word('Город', 128),
    nameStreet: word('Улица', 128),
    numberStreet: word('Дом', 32),
    numberRoom: word('Квартира', 32),
    factAddressAsString: word('Адрес проживания', 500),
    postalCodeFact: word('Индекс проживания', 16),
    regionCodeFact: word('Код региона проживания', 16),
    regionFact: word('Регион проживания', 128),
    districtFact: word('Район проживания', 128),
    nameCityFact: word('Город проживания', 128),
    nameStreetFact: word('Улица проживания', 128),
    numberStreetFact: word('Дом проживания', 32),
    numberRoomFact: word('Квартира проживания', 32),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: {
    policies: many('customers/policies', 'idCustomer'),
    relations: many('customers/relations', 'idCustomer'),
    tags: many('customers/tags', 'idCustomer'),
    files: many('customers/attachments', 'idCustomer'),
  },
  instead: 'Сначала отмените их, а карту-дубль объедините с другой',
  access: customerAccess,
  registry: {
    columns: ['fio', 'birthday', 'phone', 'cardNumber', 'nameCity', 'dateCreate'],
    form: {
      Клиент: ['surname', 'name', 'middleName', 'birthday', 'gender'],
      Связь: ['phone', 'phoneExtended', 'phoneMother', 'phoneFather', 'email', 'idSource'],
      Документы: ['snils', 'policy'],
    },
    empty: { title: 'Клиентов пока нет', text: 'Заведите первого или загрузите список из таблицы.' },
  },
  title: 'fio',
  brief: ['fio', 'shortFio', 'photo'],
  distinguishedBy: ['birthday', 'phone'],
  sort: 'surname,name,id',
  soft: true,
  personal: 'id',
})

const ofCustomer = () =>
  ref('customers', { label: 'Клиент', as: 'customer', required: true, fixed: true, onDelete: 'cascade' })

export const policyTypes = {
  oms: 'Полис ОМС',
  omsOld: 'Полис ОМС старого образца',
  omsTemporary: 'Временное свидетельство',
  dms: 'Полис ДМС',
} as const

/** An insurance policy; a patient may have many, at most one of each kind in force. */
export const CustomerPolicy = entity('customers/policies', {
  label: ['Полис', 'полиса', 'полисов'],
  gender: 'm',
  fields: {
    idCustomer: ofCustomer(),
    type: choice(policyTypes, { label: 'Вид', default: 'oms' }),
    number: text({ label: 'Номер', required: true, max: 64, search: true }),
    company: word('Страховая компания'),
    programme: word('Программа'),
    dateFrom: date({ label: 'Действует с' }),
    dateTo: date({ label: 'Действует по' }),
    note: word('Гарантийное письмо, условия', 500),
    duplicateReason: word('Почему тот же полис в другой карте'),
  },
  access: customerAccess,
  within: 'idCustomer',
  registry: { empty: { title: 'Полисов нет', text: 'Добавьте полис ОМС или ДМС.' } },
  title: 'number',
  sort: '-dateTo,id',
  soft: true,
  personal: 'idCustomer',
})

export const relationKinds = {
  mother: 'Мать',
  father: 'Отец',
  guardian: 'Опекун',
  trustee: 'Попечитель',
  spouse: 'Супруг(а)',
  child: 'Ребёнок',
  relative: 'Родственник',
  proxy: 'Представитель по доверенности',
} as const

/** A person's relation to the patient, and the document that authorizes that person to sign. */
export const CustomerRelation = entity('customers/relations', {
  label: ['Представитель', 'представителя', 'представителей'],
  gender: 'm',
  fields: {
    idCustomer: ofCustomer(),
    relation: choice(relationKinds, { label: 'Кем приходится', required: true }),
    idRelative: ref('customers', { label: 'Клиент клиники', as: 'relative', onDelete: 'cascade' }),
    fio: text({ label: 'ФИО, если карты нет', max: 200, spelling: 'fio' }),
    phone: phone({ label: 'Телефон' }),
    document: word('Документ о полномочиях', 500),
    dateTo: date({ label: 'Полномочия до' }),
    signs: choice({ yes: 'Подписывает за клиента', no: 'Не подписывает' }, { label: 'Подпись', default: 'no' }),
  },
  fresh: { actions: ['update', 'export'], fields: ['phone'] },
  access: customerAccess,
  within: 'idCustomer',
  registry: { empty: { title: 'Представителей нет', text: 'Укажите, кто приводит клиента и подписывает за него.' } },
  title: 'fio',
  sort: 'id',
  soft: true,
  personal: 'idCustomer',
  nameOnly: ['idRelative'],
})

export const CustomerTag = tags('customers/tags', ['Метка клиента', 'метки клиента', 'меток клиента'], {
  gender: 'f',
  color: '#868e96',
  of: { idCustomer: ofCustomer() },
  within: 'idCustomer',
  access: customerAccess,
  unique: [['idCustomer', 'name']],
  sort: 'name,id',
})

/** The clinic's categories of customers: a newcomer, a regular one, one of a company. */
export const CustomerStatus = list('customers/statuses', ['Статус клиента', 'статуса клиента', 'статусов клиентов'], {
  gender: 'm',
  name: { max: 64, unique: true },
  extra: { color: color({ label: 'Цвет', default: '#868e96' }) },
  access: editedBy('mainSettings', ['viewCustomers', 'editCustomers']),
  registry: {
    empty: { title: 'Статусов нет', text: 'Добавьте, как вы делите клиентов: новый, постоянный, корпоративный.' },
  },
})

/** Sources of customers: a tree (spec §3). */
export const CustomerSource = entity('customer-sources', {
  label: ['Источник клиентов', 'источника клиентов', 'источников клиентов'],
  gender: 'm',
  fields: {
    sourceName: text({ label: 'Название', required: true, max: 128, search: true }),
    idParentSource: ref('customer-sources', { label: 'Входит в', as: 'parentSource', whenDeleted: 'keeps' }),
  },
  instead: 'Укажите в них другой источник: отчёты считают по нему',
  access: {
    view: ['viewCustomers', 'editCustomers', 'viewSalesManagement', 'editSalesManagement'],
    create: 'editCustomers',
    update: 'editCustomers',
    delete: 'editCustomers',
  },
  registry: {
    empty: { title: 'Источников нет', text: 'Добавьте, откуда о клинике узнают: сайт, рекомендация, вывеска.' },
  },
  title: 'sourceName',
  sort: 'sourceName,id',
  soft: true,
  quickAdd: true,
})
