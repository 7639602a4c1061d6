import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { settingsAccess } from './webhook.ts'

export const egiszKinds = {
  consultation: 'Протокол консультации',
  discharge: 'Выписной эпикриз',
  laboratory: 'Протокол лабораторного исследования',
  instrumental: 'Протокол инструментального исследования',
  referral: 'Направление',
  certificate: 'Справка',
  taxCertificate: 'Справка об оплате для вычета',
} as const

export const egiszMoments = {
  sign: 'Сразу после подписи',
  night: 'Ночью, всё за день',
  hand: 'Вручную',
} as const

export const egiszSigners = {
  doctor: 'Врач и организация',
  organization: 'Организация',
  commission: 'Врач, комиссия и организация',
} as const

/** Source of a kind of documents. */
export const sourceOfKind = (kind: keyof typeof egiszKinds): 'examinations' | 'laboratory' | 'taxCertificate' =>
  kind === 'laboratory' || kind === 'taxCertificate' ? kind : 'examinations'

/** Papers sent to the register of documents, each with its period: editions change within a year. */
export const EgiszDocument = entity('egisz/documents', {
  label: ['Документ РЭМД', 'документа РЭМД', 'документов РЭМД'],
  gender: 'm',
  registry: {
    columns: ['kind', 'code', 'edition', 'idTemplate', 'moment', 'signers', 'dateFrom', 'dateTo', 'active'],
    form: ['kind', 'code', 'edition', 'idTemplate', 'moment', 'signers', 'dateFrom', 'dateTo', 'active'],
    empty: {
      title: 'Документов пока нет',
      text: 'Добавьте виды, которые клиника отправляет в РЭМД: редакция, шаблон осмотра, когда и кто подписывает.',
    },
  },
  fields: {
    kind: choice(egiszKinds, { label: 'Вид документа', required: true }),
    code: text({
      label: 'Код в справочнике НСИ',
      help: 'Справочник 1.2.643.5.1.13.13.11.1520: у каждой редакции свой код',
      required: true,
      max: 10,
      search: true,
      rule: (value) => (/^\d+$/.test(value) ? undefined : 'Код — это число: 290'),
    }),
    edition: integer({ label: 'Редакция', required: true, min: 1, max: 99 }),
    idTemplate: ref('examination-templates', {
      label: 'Шаблон осмотра',
      help: 'Пусто — любой осмотр этого вида',
      as: 'template',
      onDelete: 'set null',
    }),
    moment: choice(egiszMoments, { label: 'Когда отправлять', default: 'sign' }),
    signers: choice(egiszSigners, { label: 'Кто подписывает', default: 'doctor' }),
    dateFrom: date({ label: 'Действует с', required: true }),
    dateTo: date({ label: 'По', help: 'Пусто — без срока' }),
    active: boolean({ label: 'Отправлять', default: true }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access: settingsAccess,
  disjoint: { same: ['code'], from: 'dateFrom', to: 'dateTo' },
  title: 'code',
  sort: 'kind,-edition,id',
  soft: true,
})

export const egiszChecks = { found: 'Есть', absent: 'Нет', unknown: 'Не проверено' } as const

/** An employee's ids in the register of medical workers; the СНИЛС is in the employee's card. */
export const EgiszStaff = entity('egisz/staff', {
  label: ['Сотрудник в ФРМР', 'сотрудника в ФРМР', 'сотрудников в ФРМР'],
  gender: 'm',
  registry: {
    columns: ['idUser', 'post', 'postName', 'frmr', 'dateFrmr'],
    form: ['post', 'postName', 'idUser', 'frmr', 'dateFrmr'],
    empty: {
      title: 'Сотрудников пока нет',
      text: 'Сопоставьте врачей с должностями федерального регистра: без этого РЭМД документ не примет.',
    },
  },
  fields: {
    idUser: ref('users', { label: 'Сотрудник', as: 'user', required: true, fixed: true, onDelete: 'cascade' }),
    post: text({
      label: 'Код должности',
      help: 'Справочник должностей 1.2.643.5.1.13.13.11.1002',
      required: true,
      max: 10,
      search: true,
      rule: (value) => (/^\d+$/.test(value) ? undefined : 'Код — это число: 109'),
    }),
    postName: text({ label: 'Должность', max: 200, search: true }),
    frmr: choice(egiszChecks, { label: 'В регистре', default: 'unknown' }),
    dateFrmr: date({ label: 'Когда проверено' }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access: settingsAccess,
  unique: [['idUser', 'post']],
  title: 'post',
  sort: 'id',
  soft: true,
})
