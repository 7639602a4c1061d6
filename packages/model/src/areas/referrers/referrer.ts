import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal, money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

const view = ['viewReferrers', 'editReferrers'] as const
const access = { view, create: 'editReferrers', update: 'editReferrers', delete: 'editReferrers' } as const
/** Visible also to users who choose the referrer of a visit or an appeal. */
const namedAccess = { ...access, view: [...view, 'createAppointments', 'editAppointments', 'editAppeals'] } as const

/** A person outside the clinic who sends patients under a contract. */
export const Referrer = entity('referrers', {
  label: ['Направивший', 'направившего', 'направивших'],
  gender: 'm',
  registry: {
    columns: ['name', 'idContractor', 'number', 'dateFrom', 'dateTo', 'active'],
    form: {
      Направивший: ['name', 'idContractor', 'active', 'comment'],
      Договор: ['idOrganization', 'number', 'dateFrom', 'dateTo'],
    },
    empty: {
      title: 'Направивших нет',
      text: 'Добавьте организацию, ИП или самозанятого с договором, затем ставки. Врачей и сотрудников других клиник не заводят',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 128, search: true, unique: true }),
    idContractor: ref('organizations', {
      label: 'Контрагент',
      as: 'contractor',
      help: 'Организация, ИП или самозанятый: с ним договор, ему платят',
      required: true,
      whenDeleted: 'keeps',
    }),
    idOrganization: ref('organizations', {
      label: 'Наша организация',
      as: 'organization',
      required: true,
      whenDeleted: 'keeps',
    }),
    number: text({ label: 'Номер договора', required: true, max: 64, search: true }),
    dateFrom: date({ label: 'Действует с', required: true, help: 'Визиты до этого дня и после срока не оплачиваются' }),
    dateTo: date({ label: 'По', help: 'Пусто — без срока' }),
    active: boolean({ label: 'Предлагать при записи', default: true }),
    comment: text({ label: 'Примечание', max: 500, multiline: true }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
  },
  many: { rates: many('referrers/rates', 'idReferrer'), acts: many('referrer-acts', 'idReferrer') },
  access: namedAccess,
  title: 'name',
  sort: 'name,id',
  soft: true,
})

export const rateKinds = { share: 'Доля оплаченного, %', sum: 'Сумма за услугу, ₽' } as const

/** What a referrer gets for a paid service: the nearest rate decides, that of the service, of its group, of everything. */
export const ReferrerRate = entity('referrers/rates', {
  label: ['Ставка', 'ставки', 'ставок'],
  gender: 'f',
  registry: { empty: { title: 'Ставок нет', text: 'Без ставок направившему ничего не начисляется' } },
  fields: {
    idReferrer: ref('referrers', {
      label: 'Направивший',
      as: 'referrer',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    kind: choice(rateKinds, { label: 'Как', default: 'share' }),
    value: decimal({ label: 'Сколько', scale: 2, min: 0, max: 1_000_000, required: true }),
    idService: ref('services', { label: 'Услуга', as: 'service', whenDeleted: 'asks' }),
    idGroup: ref('services-groups', {
      label: 'Группа услуг',
      as: 'group',
      help: 'С теми, что в ней; пусто и услуга пуста — все услуги',
      whenDeleted: 'asks',
    }),
    dateFrom: date({ label: 'С дня', required: true, help: 'Услуги раньше этого дня считаются по прежней ставке' }),
  },
  access,
  within: 'idReferrer',
  sort: 'dateFrom,id',
  soft: true,
})

export const actStates = { draft: 'Черновик', signed: 'Подписан', cancelled: 'Аннулирован' } as const
export type ActState = keyof typeof actStates

/** What a referrer has earned in a month and is in no earlier act. A signed one is frozen. */
export const ReferrerAct = entity('referrer-acts', {
  label: ['Акт направившего', 'акта направившего', 'актов направивших'],
  gender: 'm',
  registry: {
    columns: ['month', 'number', 'idReferrer', 'state', 'lines', 'sum', 'paid', 'dateSigned'],
    form: [],
    empty: {
      title: 'Актов нет',
      text: 'Соберите акт за месяц: в него войдут оплаченные услуги направленных пациентов',
    },
  },
  fields: {
    idReferrer: ref('referrers', {
      label: 'Направивший',
      as: 'referrer',
      required: true,
      readonly: true,
      whenDeleted: 'keeps',
    }),
    month: date({ label: 'Месяц', required: true, readonly: true }),
    number: integer({ label: '№', required: true, readonly: true }),
    state: choice(actStates, { label: 'Состояние', default: 'draft', readonly: true }),
    dateSigned: date({ label: 'Подписан', readonly: true }),
    reason: text({ label: 'Почему аннулирован', max: 500, readonly: true }),
    idExpense: ref('expenses', { label: 'Расход', as: 'expense', readonly: true, onDelete: 'set null' }),
    lines: integer({ label: 'Строк', computed: true, required: true }),
    sum: money({ label: 'К оплате', computed: true, required: true }),
    paid: money({ label: 'Оплачено', computed: true, required: true }),
    idAuthor: ref('users', { label: 'Кто собрал', as: 'author', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Собран', auto: 'created' }),
  },
  many: { rows: many('referrer-acts/lines', 'idAct') },
  access: { view, delete: 'editReferrers' },
  kept: ({ state }: { state: ActState }) =>
    state === 'draft' ? undefined : 'Подписанный акт не удаляют: аннулируйте его',
  title: 'number',
  distinguishedBy: ['number', 'idReferrer', 'sum'],
  sort: '-month,-id',
  soft: true,
})

/** A service in an act: what is due for it less what signed acts have had. Names no patient: the paper leaves the clinic. */
export const ReferrerActLine = entity('referrer-acts/lines', {
  label: ['Строка акта', 'строки акта', 'строк акта'],
  gender: 'f',
  registry: { empty: { title: 'Строк нет', text: 'Оплаченных услуг направленных пациентов в этом месяце нет' } },
  fields: {
    idAct: ref('referrer-acts', { label: 'Акт', as: 'act', required: true, readonly: true, onDelete: 'cascade' }),
    idCouponService: ref('coupon-services', {
      label: 'Услуга',
      as: 'line',
      required: true,
      readonly: true,
      whenDeleted: 'stays',
    }),
    idAppointment: ref('appointments', {
      label: 'Визит',
      as: 'appointment',
      required: true,
      readonly: true,
      whenDeleted: 'stays',
    }),
    localDate: date({ label: 'День', required: true, readonly: true }),
    name: text({ label: 'Наименование', required: true, readonly: true, max: 500 }),
    /** Rubles paid for the service. */
    base: money({ label: 'Оплачено пациентом', required: true, readonly: true }),
    rate: text({ label: 'Ставка', required: true, readonly: true, max: 64 }),
    sum: money({ label: 'К оплате', required: true, readonly: true }),
    /** It corrects a line of a signed act: a refund, another referrer. */
    isCorrection: boolean({ label: 'Исправление', default: false, readonly: true }),
  },
  access: { view },
  within: 'idAct',
  sort: 'localDate,id',
})
