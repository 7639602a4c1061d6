import { entity, many } from '../../entity.ts'
import { birthday } from '../../fields/birthday.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { identifier } from '../../fields/identifier.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { dueKinds, isNumber, localStatuses, MAX_NUMBERS, sfrStates, workTypes } from './rules.ts'

export const elnAccess = { view: 'viewElnList', create: 'editEln', update: 'editEln', delete: 'editEln' } as const

const number = (label: string) =>
  text({ label, max: 12, search: true, rule: (v) => (v === '' || isNumber(v) ? undefined : 'Номер листка — 12 цифр') })
/** A code from a dictionary of sick leaves (`codes.ts`); orders of the ministry change them. */
const code = (label: string, required = false) =>
  text({
    label,
    max: 3,
    rule: (v) => (/^\d{0,3}$/.test(v) && (!required || v !== '') ? undefined : 'Код — две или три цифры'),
  })

/** «Электронный листок нетрудоспособности» (screens.md §10). */
export const SickLeave = entity('eln', {
  label: ['Больничный лист', 'больничного листа', 'больничных листов'],
  gender: 'm',
  registry: {
    form: ['idCustomer', 'idDoctor', 'idFilial', 'reason', 'diagnosis', 'employer', 'workType', 'dateIssue'],
    empty: {
      title: 'Больничных листов пока нет',
      text: 'Откройте лист пациенту: номер, подпись и отправка в СФР — на его странице.',
    },
  },
  fields: {
    /** Issued only by the Social Fund, taken from the pool. */
    lnCode: text({ label: 'Номер', max: 12, readonly: true, search: true, unique: true }),
    idCustomer: ref('customers', { label: 'Пациент', as: 'customer', required: true, fixed: true }),
    idDoctor: ref('users', { label: 'Врач', as: 'doctor', required: true, whenDeleted: 'stays' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', whenDeleted: 'stays' }),
    dateIssue: date({ label: 'Выдан' }),
    isPrimary: boolean({ label: 'Первичный', default: true }),
    prevLnCode: number('Продолжение листка'),
    idPrevious: ref('eln', { label: 'Предыдущий лист', as: 'previous', readonly: true, onDelete: 'set null' }),
    isDuplicate: boolean({ label: 'Дубликат', default: false, readonly: true }),
    /** The number that this duplicate replaces. */
    formerLnCode: text({ label: 'Взамен листка', max: 12, readonly: true }),
    employer: text({ label: 'Место работы', max: 255, search: true }),
    workType: choice(workTypes, { label: 'Вид работы', default: 'main' }),
    reason: code('Причина'),
    reasonAdd: code('Дополнительный код'),
    reasonNext: code('Причина изменилась на'),
    diagnosis: identifier('icd10', { label: 'Диагноз' }),
    isPregnancy12w: boolean({ label: 'На учёте с ранних сроков беременности', default: false }),
    birthPlanned: date({ label: 'Предполагаемая дата родов' }),
    voucherNumber: text({ label: 'Номер путёвки', max: 40 }),
    hospitalFrom: date({ label: 'В стационаре с' }),
    hospitalTo: date({ label: 'В стационаре по' }),
    breachCode: code('Нарушение режима'),
    breachDate: date({ label: 'Дата нарушения' }),
    mseSent: date({ label: 'Направлен на МСЭ' }),
    mseRegistered: date({ label: 'Документы приняты МСЭ' }),
    mseDone: date({ label: 'Освидетельствован' }),
    mseGroup: integer({ label: 'Группа инвалидности', min: 1, max: 3 }),
    resultCode: code('Иное'),
    resultDate: date({ label: 'Дата иного' }),
    workFrom: date({ label: 'Приступить к работе с' }),
    nextLnCode: text({ label: 'Выдан следующий лист', max: 12, readonly: true }),
    isAgreed: boolean({ label: 'Пациент согласен на электронный лист', default: true }),
    stateSfr: choice(sfrStates, { label: 'Состояние в СФР', readonly: true }),
    localStatus: choice(localStatuses, { label: 'Состояние', readonly: true, default: 'draft' }),
    /** Hash of the sheet at the Social Fund; sent with each change (LN_HASH). */
    lnHash: text({ label: 'Хэш СФР', max: 128, readonly: true }),
    /** Text of the last answer. */
    sfrWords: text({ label: 'Ответ СФР', max: 2000, readonly: true }),
    /** The Social Fund's copy of the sheet, while it differs from this one. */
    sfrData: json<object>()({ label: 'Как в СФР', readonly: true }),
    /** Signatures still missing. */
    signsLeft: integer({ label: 'Осталось подписей', default: 0, readonly: true }),
    dateSent: dateTime({ label: 'Отправлен', readonly: true }),
    dateAnswered: dateTime({ label: 'Ответ получен', readonly: true }),
    cancelReason: text({ label: 'Причина прекращения', max: 500, readonly: true }),
    dateFrom: date({ label: 'С', computed: true }),
    dateTo: date({ label: 'По', computed: true }),
    days: integer({ label: 'Дней', computed: true, required: true }),
    /** Days of the earlier sheets of the case. */
    daysBefore: integer({ label: 'Дней до этого листка', default: 0, min: 0, max: 400 }),
    isClosed: boolean({ label: 'Закрыт', computed: true, required: true }),
    hasChairman: boolean({ label: 'Есть ВК', computed: true, required: true }),
    /** Last day that the doctor certifies without the commission. */
    aloneUntil: date({ label: 'Без ВК до', computed: true }),
    due: choice(dueKinds, { label: 'Что сделать', computed: true, required: true }),
    idAuthor: ref('users', { label: 'Кто открыл', as: 'author', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: { periods: many('eln/periods', 'idSickLeave'), care: many('eln/care', 'idSickLeave') },
  access: { ...elnAccess, export: 'viewElnList' },
  kept: ({ lnCode, stateSfr }: { lnCode: string | null; stateSfr: string | null }) =>
    stateSfr !== null
      ? 'Лист принят СФР: его действие прекращают с причиной'
      : lnCode !== null
        ? 'Листу дан номер: сначала снимите его с подписи'
        : undefined,
  within: 'idCustomer',
  title: 'lnCode',
  brief: ['lnCode', 'idCustomer', 'localStatus'],
  sort: '-dateIssue,-id',
  soft: true,
  personal: 'idCustomer',
})

const ofLeave = () =>
  ref('eln', { label: 'Больничный лист', as: 'sickLeave', required: true, fixed: true, onDelete: 'cascade' })

/** «Период нетрудоспособности»: signed by its doctor, and beyond the doctor's term also by the chairman of ВК. */
export const SickPeriod = entity('eln/periods', {
  label: ['Период', 'периода', 'периодов'],
  gender: 'm',
  registry: { empty: { title: 'Периодов нет', text: 'Добавьте, с какого по какой день пациент нетрудоспособен.' } },
  fields: {
    idSickLeave: ofLeave(),
    dateFrom: date({ label: 'С', required: true }),
    dateTo: date({ label: 'По', required: true }),
    idDoctor: ref('users', { label: 'Врач', as: 'doctor', required: true, whenDeleted: 'stays' }),
    /** Post at the time of writing. */
    post: text({ label: 'Должность', max: 255 }),
    idChairman: ref('users', { label: 'Председатель ВК', as: 'chairman', whenDeleted: 'stays' }),
    /** Protocol of the commission that certified the period. */
    protocolNumber: text({ label: 'Протокол ВК №', max: 40 }),
    protocolDate: date({ label: 'Дата протокола ВК' }),
    /** The Social Fund has accepted it: only a duplicate changes it. */
    isAccepted: boolean({ label: 'Принят СФР', default: false, readonly: true }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
  },
  access: elnAccess,
  within: 'idSickLeave',
  kept: ({ isAccepted }: { isAccepted: boolean }) => (isAccepted ? 'Период принят СФР' : undefined),
  title: 'dateFrom',
  sort: 'dateFrom,id',
  soft: true,
})

/** Cared-for person, if care is the reason. */
export const CaredPerson = entity('eln/care', {
  label: ['За кем уход', 'того, за кем уход', 'тех, за кем уход'],
  gender: 'm',
  registry: { empty: { title: 'Никого нет', text: 'При уходе (09, 12–15) укажите, за кем ухаживают.' } },
  fields: {
    idSickLeave: ofLeave(),
    fio: text({ label: 'ФИО', required: true, spelling: 'fio', max: 200 }),
    birthday: birthday({ label: 'Дата рождения' }),
    snils: identifier('snils', { label: 'СНИЛС' }),
    relation: code('Кем приходится'),
    reason: code('Причина ухода'),
    diagnosis: identifier('icd10', { label: 'Диагноз' }),
    dateFrom: date({ label: 'Уход с' }),
    dateTo: date({ label: 'По' }),
  },
  access: elnAccess,
  within: 'idSickLeave',
  title: 'fio',
  sort: 'id',
  soft: true,
})

export const requestStates = {
  sending: 'Запрашивается',
  done: 'Получены',
  refused: 'Отказ',
  unknown: 'Исход неизвестен',
} as const

/**
 * A request for numbers. The Social Fund has no idempotency key for it, so a request with an unknown outcome is never
 * repeated.
 */
export const NumberRequest = entity('eln/number-requests', {
  label: ['Запрос номеров', 'запроса номеров', 'запросов номеров'],
  gender: 'm',
  registry: {
    columns: ['dateCreate', 'count', 'status', 'words', 'idUser'],
    empty: { title: 'Номера ещё не запрашивали', text: 'Запросите номера у СФР: без номера лист не выдать.' },
  },
  fields: {
    count: integer({ label: 'Сколько', required: true, readonly: true, min: 1, max: MAX_NUMBERS }),
    status: choice(requestStates, { label: 'Состояние', readonly: true, default: 'sending' }),
    words: text({ label: 'Что ответил СФР', max: 500, readonly: true }),
    received: integer({ label: 'Получено', default: 0, readonly: true }),
    idUser: ref('users', { label: 'Кто запросил', as: 'user', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created' }),
  },
  access: { view: 'viewElnList' },
  sort: '-id',
})

export const numberStates = { free: 'Свободен', used: 'Использован', spoiled: 'Испорчен' } as const

/** «Номер листка» in the pool. */
export const SickNumber = entity('eln/numbers', {
  label: ['Номер листка', 'номера листка', 'номеров листков'],
  gender: 'm',
  registry: {
    columns: ['lnCode', 'status', 'idSickLeave', 'note', 'dateCreate'],
    empty: { title: 'Номеров нет', text: 'Запросите их у СФР.' },
  },
  fields: {
    lnCode: text({ label: 'Номер', required: true, readonly: true, max: 12, unique: true, search: true }),
    status: choice(numberStates, { label: 'Состояние', readonly: true, default: 'free' }),
    idSickLeave: ref('eln', { label: 'Больничный лист', as: 'sickLeave', readonly: true, onDelete: 'set null' }),
    idRequest: ref('eln/number-requests', { label: 'Запрос', as: 'request', readonly: true }),
    note: text({ label: 'Пояснение', max: 300, readonly: true }),
    dateCreate: dateTime({ label: 'Получен', auto: 'created' }),
  },
  nameOnly: ['idSickLeave'],
  access: { view: 'viewElnList' },
  title: 'lnCode',
  sort: '-id',
})
