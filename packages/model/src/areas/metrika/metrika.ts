import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

const view = ['viewMetrikaGoalsReport', 'mainSettings'] as const
const access = { view, create: 'mainSettings', update: 'mainSettings', delete: 'mainSettings' } as const

/** A counter of Яндекс Метрика on a site of the clinic. */
export const MetrikaCounter = entity('metrika/counters', {
  label: ['Счётчик', 'счётчика', 'счётчиков'],
  gender: 'm',
  fresh: { actions: ['update'], fields: ['token'] },
  registry: {
    columns: ['name', 'number', 'idFilial', 'hasToken', 'active'],
    form: ['name', 'number', 'token', 'idFilial', 'active'],
    empty: { title: 'Счётчиков пока нет', text: 'Подключите счётчик сайта: номер и OAuth-ключ из кабинета Метрики.' },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 120, search: true, help: 'Как называется сайт' }),
    number: text({
      label: 'Номер счётчика',
      required: true,
      max: 16,
      sample: (number) => String(45_000_000 + number),
      rule: (value) => (/^[1-9]\d{3,14}$/.test(value) ? undefined : 'Номер счётчика — только цифры'),
    }),
    /** Write-only; stored separately. */
    token: text({
      label: 'OAuth-ключ',
      max: 500,
      virtual: true,
      help: 'Пусто — оставить прежний. С другим номером счётчика вписывают и ключ',
      rule: (value) =>
        /^[\x21-\x7e]*$/.test(value) ? undefined : 'Ключ — латинские буквы, цифры и знаки, без пробелов',
    }),
    hasToken: boolean({ label: 'Ключ задан', computed: true, required: true }),
    idFilial: ref('filials', {
      label: 'Филиал',
      as: 'filial',
      help: 'Пусто — сайт всей клиники',
      onDelete: 'set null',
    }),
    active: boolean({ label: 'Действует', default: true }),
    dateCreate: dateTime({ label: 'Подключён', auto: 'created' }),
  },
  many: { goals: many('metrika/goals', 'idCounter') },
  access,
  unique: [['number']],
  title: 'name',
  sort: 'name,id',
  soft: true,
})

/** Events of the clinic sent to the counter as a goal. */
export const crmEvents = {
  none: 'Ничего: цель сайта',
  appeal: 'Заявка с сайта',
  appointment: 'Запись на приём',
  visit: 'Состоявшийся визит',
  payment: 'Оплата',
} as const
export type CrmEvent = keyof typeof crmEvents

export const MetrikaGoal = entity('metrika/goals', {
  branchBy: ['idCounter'],
  label: ['Цель', 'цели', 'целей'],
  gender: 'f',
  registry: {
    columns: ['name', 'idCounter', 'goalId', 'crmEvent', 'sendValue', 'active'],
    form: ['idCounter', 'name', 'goalId', 'crmEvent', 'target', 'sendValue', 'active'],
    empty: { title: 'Целей пока нет', text: 'Загрузите цели счётчика из Метрики или заведите их по номеру.' },
  },
  fields: {
    idCounter: ref('metrika/counters', {
      label: 'Счётчик',
      as: 'counter',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    name: text({ label: 'Название', required: true, max: 255, search: true }),
    goalId: text({
      label: 'Номер цели',
      required: true,
      max: 16,
      sample: (number) => String(number),
      rule: (value) => (/^\d{1,15}$/.test(value) ? undefined : 'Номер цели — только цифры'),
    }),
    crmEvent: choice(crmEvents, { label: 'Событие клиники', default: 'none', help: 'О чём сообщать Метрике' }),
    /** Identifier of a JavaScript goal: the conversion's Target. */
    target: text({
      label: 'Идентификатор цели',
      max: 64,
      help: 'Латиницей, как в Метрике: под ним уходят события клиники',
      rule: (value) => (/^[\w.-]*$/.test(value) ? undefined : 'Идентификатор — латинские буквы, цифры, точка и дефис'),
    }),
    sendValue: boolean({ label: 'Передавать сумму', default: false, help: 'Только для оплат: сумма в рублях' }),
    active: boolean({ label: 'В отчёте', default: true }),
  },
  access,
  unique: [['idCounter', 'goalId']],
  title: 'name',
  sort: 'name,id',
  soft: true,
})

export const uploadStatuses = {
  queued: 'Ждёт',
  sent: 'Отправлено, обрабатывается',
  done: 'Принято',
  rejected: 'Отклонено',
  unknown: 'Неизвестно, дошло ли',
  failed: 'Не отправлено',
  empty: 'Отправлять нечего',
} as const
export type UploadStatus = keyof typeof uploadStatuses

/** A file of conversions sent to a counter: visitor ids, times and goals, without patients' data. */
export const MetrikaUpload = entity('metrika/uploads', {
  branchBy: ['idCounter'],
  label: ['Выгрузка', 'выгрузки', 'выгрузок'],
  gender: 'f',
  registry: {
    columns: ['dateCreate', 'idCounter', 'dateFrom', 'dateTo', 'rows', 'taken', 'status', 'error', 'idUser'],
    empty: { title: 'Выгрузок пока нет', text: 'Здесь будет каждый файл конверсий, который ушёл в Метрику.' },
  },
  fields: {
    idCounter: ref('metrika/counters', {
      label: 'Счётчик',
      as: 'counter',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    dateFrom: date({ label: 'С', required: true, readonly: true }),
    dateTo: date({ label: 'По', required: true, readonly: true }),
    rows: integer({ label: 'Строк', default: 0, min: 0, readonly: true }),
    /** Lines that the counter attributed to visits. */
    taken: integer({ label: 'Привязано', min: 0, readonly: true }),
    status: choice(uploadStatuses, { label: 'Состояние', default: 'queued', readonly: true }),
    error: text({ label: 'Что случилось', max: 500, readonly: true }),
    uploadingId: text({ label: 'Номер в Метрике', max: 64, readonly: true }),
    idUser: ref('users', { label: 'Кто отправил', as: 'user', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created' }),
    dateDone: dateTime({ label: 'Обработана', readonly: true }),
  },
  access: { view },
  title: 'status',
  sort: '-id',
})

/** Grouping of the report. */
export const metrikaGroups = {
  day: 'По дням',
  source: 'По источникам',
  campaign: 'По кампаниям',
  goal: 'По целям',
} as const
