import { entity, many } from '../../entity.ts'
import { birthday } from '../../fields/birthday.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { email } from '../../fields/email.ts'
import { identifier } from '../../fields/identifier.ts'
import { phone } from '../../fields/phone.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { attachment, storedFiles } from '../../storedFile.ts'
import { documentTypes } from '../customers/documents.ts'
import { sexes } from '../staff/sexes.ts'
import { attachmentDocuments } from './papers.ts'
import { applicationStatuses, bases, careTypes, sources } from './rules.ts'

const access = {
  view: 'check_applications',
  create: 'check_applications',
  update: 'check_applications',
  delete: 'check_applications',
} as const
const word = (label: string, max = 255) => text({ label, max })

/** «Заявление о прикреплении» (screens.md §7): the applicant's data, and the clinic's decision. */
export const AttachmentApplication = entity('attachment/applications', {
  label: ['Заявление о прикреплении', 'заявления о прикреплении', 'заявлений о прикреплении'],
  gender: 'n',
  registry: {
    form: {
      Заявитель: ['surname', 'name', 'middleName', 'birthday', 'gender', 'citizenship', 'snils', 'enp'],
      Документ: ['documentType', 'documentNumber', 'documentIssued'],
      Связь: ['phone', 'email'],
      Адрес: ['registration', 'city', 'street', 'house', 'flat'],
      Представитель: ['representative', 'representativeDocument'],
      Прикрепление: ['source', 'basis', 'isMoved', 'careType', 'currentMo', 'idFilial'],
    },
    empty: {
      title: 'Заявлений пока нет',
      text: 'Они приходят с сайта клиники, из Госуслуг и от регистратуры. Приём с сайта включают в настройках.',
    },
  },
  fields: {
    number: text({ label: 'Номер', max: 40, readonly: true, search: true }),
    source: choice(sources, { label: 'Откуда', default: 'desk' }),
    submittedAt: dateTime({ label: 'Подано', readonly: true, required: true, clock: 'filial.timeZone' }),
    dueAt: dateTime({ label: 'Ответить до', readonly: true, required: true, clock: 'filial.timeZone' }),
    /** From this moment on fewer than four working hours are left. */
    redAt: dateTime({ label: 'Срочно с', readonly: true, clock: 'filial.timeZone' }),
    surname: text({ label: 'Фамилия', required: true, max: 64, search: true }),
    name: text({ label: 'Имя', required: true, max: 64, search: true }),
    middleName: text({ label: 'Отчество', max: 64, search: true }),
    fio: text({ label: 'ФИО', spelling: 'fio', computed: true, required: true }),
    birthday: birthday({ label: 'Дата рождения', required: true }),
    gender: choice(sexes, { label: 'Пол', default: 'none' }),
    citizenship: word('Гражданство', 64),
    snils: identifier('snils', { label: 'СНИЛС', search: true }),
    enp: identifier('enp', { label: 'Полис ОМС', search: true }),
    documentType: choice(documentTypes, { label: 'Документ', default: 'passport' }),
    documentNumber: text({ label: 'Серия и номер', max: 64 }),
    documentIssued: word('Кем и когда выдан', 500),
    phone: phone({ label: 'Телефон', search: true }),
    email: email({ label: 'Электронная почта' }),
    registration: word('Адрес регистрации', 500),
    city: word('Город', 128),
    street: word('Улица', 128),
    house: word('Дом', 32),
    flat: word('Квартира', 32),
    representative: word('Представитель', 200),
    representativeDocument: word('Документ представителя', 500),
    basis: choice(bases, { label: 'Основание', default: 'residence' }),
    isMoved: boolean({ label: 'Сменил место жительства', default: false }),
    careType: choice(careTypes, { label: 'Вид помощи', default: 'therapy' }),
    currentMo: word('Где прикреплён сейчас', 300),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', required: true, whenDeleted: 'stays' }),
    idArea: ref('attachment/areas', { label: 'Участок', as: 'area', whenDeleted: 'stays' }),
    idDoctor: ref('users', { label: 'Врач', as: 'doctor', whenDeleted: 'stays' }),
    idResponsible: ref('users', { label: 'Ответственный', as: 'responsible', whenDeleted: 'stays' }),
    /** The applicant's card, found or created. */
    idCustomer: ref('customers', { label: 'Карта', as: 'customer', onDelete: 'set null' }),
    status: choice(applicationStatuses, { label: 'Состояние', readonly: true, default: 'new' }),
    question: text({ label: 'Какие сведения нужны', max: 1000, readonly: true }),
    answer: text({ label: 'Что ответил заявитель', max: 1000, readonly: true }),
    decisionReason: text({ label: 'Причина решения', max: 500, readonly: true }),
    idDecidedBy: ref('users', { label: 'Кто решил', as: 'decidedBy', readonly: true, whenDeleted: 'stays' }),
    dateDecided: dateTime({ label: 'Решено', readonly: true, clock: 'filial.timeZone' }),
    attachedFrom: date({ label: 'Прикреплён с', readonly: true }),
    externalId: text({ label: 'Номер в ТФОМС', max: 64, readonly: true }),
    protocol: text({ label: 'Протокол ТФОМС', max: 2000, readonly: true }),
    isLate: choice({ yes: 'Просрочено', no: 'В срок' }, { label: 'Срок', computed: true, required: true }),
    idAuthor: ref('users', { label: 'Кто внёс', as: 'author', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Внесено', auto: 'created', clock: 'filial.timeZone' }),
    dateChange: dateTime({ label: 'Изменено', auto: 'changed', clock: 'filial.timeZone' }),
  },
  many: { files: many('attachment/application-files', 'idApplication') },
  fresh: { actions: ['export'] },
  access: { ...access, export: 'check_applications' },
  kept: ({ status }: { status: string }) =>
    status === 'new' ? undefined : 'Заявление в работе: его отзывают или решают',
  title: 'fio',
  brief: ['number', 'fio', 'status'],
  sort: '-submittedAt,-id',
  soft: true,
  personal: 'idCustomer',
})

export const ApplicationPaper = storedFiles('attachment/files', {
  label: ['Файл заявления', 'файла заявления', 'файлов заявления'],
  many: { applications: many('attachment/application-files', 'idFile') },
  access: { view: access.view, delete: access.view },
  upload: {
    category: 'attachment',
    access: access.create,
    extensions: ['pdf', 'png', 'jpg', 'jpeg', 'webp'],
  },
})

export const ApplicationFile = attachment('attachment/application-files', {
  label: ['Документ заявления', 'документа заявления', 'документов заявления'],
  of: {
    idApplication: ref('attachment/applications', {
      label: 'Заявление',
      as: 'application',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    kind: choice(attachmentDocuments, { label: 'Что это', default: 'passport' }),
  },
  within: 'idApplication',
  files: 'attachment/files',
  access,
})

export const endReasons = {
  moved: 'Прикрепился к другой клинике',
  area: 'Перешёл на другой участок',
  died: 'Умер',
  policy: 'Полис не действует',
  asked: 'По заявлению',
} as const

/** Attachment of a person to an area, with its first and last day. */
export const Attachment = entity('attachment/attachments', {
  label: ['Прикрепление', 'прикрепления', 'прикреплений'],
  gender: 'n',
  registry: {
    columns: ['idCustomer', 'idArea', 'idDoctor', 'dateFrom', 'dateTo', 'endReason'],
    form: ['idCustomer', 'idArea', 'idDoctor', 'dateFrom', 'dateTo', 'endReason'],
    empty: { title: 'Прикреплённых пока нет', text: 'Они появятся с первым решённым заявлением.' },
  },
  fields: {
    idCustomer: ref('customers', {
      label: 'Пациент',
      as: 'customer',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idArea: ref('attachment/areas', { label: 'Участок', as: 'area', required: true, whenDeleted: 'keeps' }),
    idDoctor: ref('users', { label: 'Врач', as: 'doctor', whenDeleted: 'stays' }),
    careType: choice(careTypes, { label: 'Вид помощи', default: 'therapy', fixed: true }),
    basis: choice(bases, { label: 'Основание', default: 'residence' }),
    idApplication: ref('attachment/applications', {
      label: 'Заявление',
      as: 'application',
      readonly: true,
      onDelete: 'set null',
    }),
    dateFrom: date({ label: 'С', required: true }),
    dateTo: date({ label: 'По', help: 'Пусто — прикреплён' }),
    endReason: choice(endReasons, { label: 'Почему откреплён' }),
    dateCreate: dateTime({ label: 'Внесено', auto: 'created' }),
  },
  access: { ...access, export: 'check_applications' },
  disjoint: { same: ['idCustomer', 'careType'], from: 'dateFrom', to: 'dateTo' },
  within: 'idCustomer',
  sort: '-dateFrom,-id',
  soft: true,
  personal: 'idCustomer',
})
