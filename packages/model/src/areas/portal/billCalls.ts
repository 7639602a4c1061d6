import { z } from 'zod'
import { call, id, idParams, idText, shapeOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import type { MembershipOffer } from '../memberships/offer.ts'
import { MAX_MEMBERSHIP_USERS } from '../memberships/rules.ts'

/** An unpaid or partly paid service. */
export interface PortalBillLine {
  id: number
  idVisit: number
  localDate: string
  service: string
  doctor: string
  /** Rubles left to pay. */
  rest: number
  /** Provided: a debt, not a prepayment. */
  isGiven: boolean
  mayPay: boolean
}

export interface PortalPayment {
  id: number
  localDate: string
  kind: 'payment' | 'refund'
  kindName: string
  sum: number
  methods: string
  status: 'work' | 'done' | 'declined' | 'waits'
  statusName: string
  refusal: string | null
  /** Data of the receipt; null: not printed yet, or none. */
  receipt: { fd: number; fpd: string | null; fn: string | null; date: string } | null
}

/** A membership that pays for the patient's visits, with its last moves. */
export interface PortalMembership {
  id: number
  name: string
  /** «Действует, осталось 3 из 5, по 30.11.2026». */
  state: string
  moves: { id: number; localDate: string; what: string }[]
}

export interface PortalBills {
  /** Rubles, over all organizations of the clinic. */
  debt: number
  advance: number
  lines: PortalBillLine[]
  payments: PortalPayment[]
  memberships: PortalMembership[]
  /** Online payment is available; isSimulated: by the simulator. */
  pay: { isOn: boolean; isSimulated: boolean }
}

/** A payment by the family account for a member, below zero a refund; null: the member has not agreed to show the services. */
export interface PortalFamilyMove {
  id: number
  localDate: string
  sum: number
  services: string | null
}

/** A member for whom the patient pays. */
export interface PortalPaidFor {
  id: number
  name: string
  /** Rubles a month; null: any. */
  limit: number | null
  /** Rubles of this month. */
  spent: number
  seesServices: boolean
  moves: PortalFamilyMove[]
}

export interface PortalFamily {
  isBlocked: boolean
  members: PortalPaidFor[]
  /** Those who pay for the patient; `isOpen`: they see the services. */
  payers: { id: number; name: string; limit: number | null; spent: number; isOpen: boolean; isBlocked: boolean }[]
}

const open = { access: 'public' } as const
const whose = z.object({ patient: idText.optional() })
const sum = z
  .number({ error: 'Нужна сумма в рублях' })
  .positive('Сумма должна быть больше нуля')
  .max(1_000_000, 'Не больше 1 000 000 ₽ за один раз')
  .refine((value) => Number(value.toFixed(2)) === value, 'Не больше 2 знаков после запятой: копейки целые')

/** Memberships that a patient may buy. */
export interface PortalMemberships {
  items: MembershipOffer[]
  pay: PortalBills['pay']
}

export const billCalls = {
  bills: call({
    ...open,
    method: 'GET',
    path: '/portal/bills',
    summary: 'Счёт пациента: что не оплачено, платежи и чеки',
    query: whose,
    answer: shapeOf<PortalBills>(),
  }),
  pay: call({
    ...open,
    method: 'POST',
    path: '/portal/payments',
    summary:
      'Оплатить услуги или внести аванс: повтор с тем же ключом спрашивает, что стало с оплатой, и второй раз денег не берёт',
    limit: 30,
    query: whose,
    body: z.strictObject({
      key: z
        .string({ error: 'Нужен ключ операции' })
        .regex(/^[\w-]{8,40}$/, 'Ключ операции: от 8 до 40 латинских букв, цифр и дефисов'),
      method: z.enum(['card', 'sbp'], messages.choice),
      /** Lines of the own bill; absent: an advance. */
      lines: z.array(id).min(1, 'Выберите, что оплатить').max(50, 'Не больше 50 услуг за раз').optional(),
      /** A membership to buy at its price, with those whose visits it pays for; absent: the patient's own. */
      membership: z
        .strictObject({
          idType: id,
          users: z.array(id).min(1).max(MAX_MEMBERSHIP_USERS, `Не больше ${MAX_MEMBERSHIP_USERS} человек`).optional(),
        })
        .optional(),
      /** The displayed sum; a different current sum is confirmed again. */
      sum,
      /** E-mail or phone for the receipt. */
      contact: z.string(messages.string).trim().max(255, messages.maxLength(255)).optional(),
    }),
    status: 201,
    answer: shapeOf<{ id: number; sum: number }>(),
  }),
  memberships: call({
    ...open,
    method: 'GET',
    path: '/portal/memberships',
    summary: 'Абонементы, которые можно купить: цена, что входит, срок и правила словами',
    query: whose,
    answer: shapeOf<PortalMemberships>(),
  }),
  family: call({
    ...open,
    method: 'GET',
    path: '/portal/family',
    summary: 'Семейный счёт: за кого платит пациент (суммы, услуги — с согласия) и кто платит за него',
    answer: shapeOf<PortalFamily>(),
  }),
  openFamily: call({
    ...open,
    method: 'POST',
    path: '/portal/family/:id/open',
    summary: 'Показывать ли плательщику свои услуги: решает сам пациент',
    params: idParams,
    body: z.strictObject({ isOpen: z.boolean(messages.boolean) }),
    answer: z.object({ isOpen: z.boolean() }),
  }),
  settle: call({
    ...open,
    method: 'POST',
    path: '/portal/payments/:id/settle',
    summary: 'Спросить банк, что стало с оплатой, ответ на которую не пришёл; заново денег не берёт',
    params: idParams,
    query: whose,
    limit: 30,
    answer: shapeOf<{ status: PortalPayment['status'] }>(),
  }),
}
