import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { identifier } from '../../fields/identifier.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { type Signer, signMethods } from '../consents/consent.ts'
import { itemStatuses, MAX_QTY, planStatuses, refuseReasons } from './rules.ts'

const view = ['viewPlans', 'viewCustomerPlansReport'] as const
export const planAccess = { view, create: 'editPlans', update: 'editPlans', delete: 'editPlans' } as const

/**
 * A doctor's treatment proposal to a patient (screens.md §6): stages of services with prices that are fixed once both
 * agree. Each variant is a plan of its own with the same `idFirst`; at most one of them is agreed. Booked, done and
 * paid amounts come from the coupons' lines (`coupon-services.idPlanItem`).
 */
export const TreatmentPlan = entity('customer-plans', {
  branchBy: 'common',
  label: ['План лечения', 'плана лечения', 'планов лечения'],
  gender: 'm',
  registry: {
    form: ['name', 'idCustomer', 'idDoctor', 'idFilial', 'diagnosis', 'icd10', 'validTo', 'note'],
    empty: {
      title: 'Планов лечения пока нет',
      text: 'План собирают из этапов и услуг, согласуют с пациентом и записывают по нему на приём.',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 255, search: true }),
    idCustomer: ref('customers', {
      label: 'Пациент',
      as: 'customer',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idDoctor: ref('users', { label: 'Врач', as: 'doctor', required: true, whenDeleted: 'asks' }),
    idFilial: ref('filials', {
      label: 'Филиал',
      as: 'filial',
      help: 'Чьи цены и чья регистратура его видит',
      whenDeleted: 'stays',
    }),
    diagnosis: text({ label: 'Диагноз', max: 500, search: true }),
    icd10: identifier('icd10', { label: 'Код МКБ-10' }),
    /** Name among the variants: «А», «Б». */
    variant: text({ label: 'Вариант', max: 40 }),
    idFirst: ref('customer-plans', { label: 'Первый вариант', as: 'first', readonly: true, onDelete: 'set null' }),
    /** Last day of the agreed prices. */
    validTo: date({ label: 'Цены действуют по' }),
    note: text({ label: 'Для пациента', max: 2000, multiline: true, help: 'Печатается под сметой' }),
    status: choice(planStatuses, { label: 'Состояние', computed: true, required: true }),
    stagesCount: integer({ label: 'Этапов', computed: true, required: true }),
    /** Rubles of all items that are not cancelled, plus the part done before a cancellation. */
    sum: money({ label: 'Сумма', computed: true, required: true }),
    /** The same for an agreed plan; 0 for any other. */
    agreed: money({ label: 'Согласовано', computed: true, required: true }),
    /** Parts of the agreed sum: `done` + `left` = `agreed`. */
    done: money({ label: 'Выполнено', computed: true, required: true }),
    left: money({ label: 'Осталось', computed: true, required: true }),
    /** Rubles of payments for its services. */
    paid: money({ label: 'Оплачено', computed: true, required: true }),
    lastVisit: date({ label: 'Последний визит', computed: true }),
    /** Agreed and unfinished, with no booking and no visit for a long time. */
    overdue: boolean({ label: 'Давно без визита', computed: true, required: true }),
    dateOffered: dateTime({ label: 'Предложен', readonly: true }),
    dateAgreed: dateTime({ label: 'Согласован', readonly: true }),
    signMethod: choice(signMethods, { label: 'Способ подписи', readonly: true }),
    /** A representative from the card; absent: the patient. */
    idRelation: ref('customers/relations', { label: 'Подписывает', as: 'relation', onDelete: 'set null' }),
    representative: json<Signer>()({ label: 'Подписал представитель', readonly: true }),
    idFile: ref('customers/files', { label: 'Подписанный план', as: 'file', onDelete: 'restrict', whenDeleted: 'own' }),
    dateRefused: dateTime({ label: 'Отказ', readonly: true }),
    refuseReason: choice(refuseReasons, { label: 'Причина отказа', readonly: true }),
    refuseNote: text({ label: 'Пояснение', max: 500, readonly: true }),
    idAuthor: ref('users', { label: 'Кто составил', as: 'author', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Составлен', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: { stages: many('customer-plans/stages', 'idPlan') },
  access: planAccess,
  within: 'idCustomer',
  kept: ({ dateAgreed }: { dateAgreed: string | null }) =>
    dateAgreed === null ? undefined : 'Согласованный план не удаляют: от него можно отказаться',
  title: 'name',
  brief: ['name', 'status', 'idCustomer'],
  sort: '-id',
  soft: true,
  personal: 'idCustomer',
})

export const PlanStage = entity('customer-plans/stages', {
  label: ['Этап плана', 'этапа плана', 'этапов плана'],
  gender: 'm',
  fields: {
    idPlan: ref('customer-plans', { label: 'План', as: 'plan', required: true, fixed: true, onDelete: 'cascade' }),
    order: position({ group: ['idPlan'], start: 'last' }),
    name: text({ label: 'Название', required: true, max: 255 }),
    /** Any day of the planned month. */
    plannedMonth: date({ label: 'Месяц' }),
    zone: text({ label: 'Зуб, зона', max: 64 }),
  },
  many: { items: many('customer-plans/items', 'idStage') },
  access: planAccess,
  within: 'idPlan',
  title: 'name',
  sort: 'order',
  soft: true,
})

export const PlanItem = entity('customer-plans/items', {
  label: ['Услуга плана', 'услуги плана', 'услуг плана'],
  gender: 'f',
  fields: {
    idStage: ref('customer-plans/stages', {
      label: 'Этап',
      as: 'stage',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    order: position({ group: ['idStage'], start: 'last' }),
    idService: ref('services', { label: 'Услуга', as: 'service', required: true, fixed: true, whenDeleted: 'asks' }),
    qty: integer({ label: 'Кол-во', min: 1, max: MAX_QTY, default: 1 }),
    /** Rubles per unit; default: the branch's price list. */
    price: money({ label: 'Цена', min: 0, max: 100_000_000 }),
    /** Rubles off the line. */
    discount: money({ label: 'Скидка', min: 0, default: 0 }),
    total: money({ label: 'Итого', computed: true, required: true }),
    status: choice(itemStatuses, { label: 'Состояние', computed: true, required: true }),
    /** Parts of `qty`: done and booked, by the coupons' lines. */
    qtyDone: integer({ label: 'Сделано', computed: true, required: true }),
    qtyBooked: integer({ label: 'Записано', computed: true, required: true }),
    /** Rubles of the agreed sum: done, and paid. */
    done: money({ label: 'Выполнено', computed: true, required: true }),
    paid: money({ label: 'Оплачено', computed: true, required: true }),
    cancelled: boolean({ label: 'Отменена', default: false, readonly: true }),
    cancelReason: text({ label: 'Причина отмены', max: 500, readonly: true }),
  },
  access: planAccess,
  within: 'idStage',
  sort: 'order',
  soft: true,
})
