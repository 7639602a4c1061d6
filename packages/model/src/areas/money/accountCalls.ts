/** Calls of a patient's account: debts, bonuses, corrections, letters of guarantee. */
import { z } from 'zod'
import { call, id, idParams, idText, onceKey, oneOf, rowOf } from '../../call.ts'
import { MAX_LINES, reason, sum } from './callParts.ts'
import { moneyView } from './desk.ts'
import { txKinds } from './ledger.ts'
import { GuaranteeLetter } from './payment.ts'

/** Maximum bonuses per manual grant. */
const MAX_BONUS = 100_000

const accountLine = z.object({
  id: z.int(),
  localDate: z.string(),
  dateCreate: z.string(),
  kind: oneOf(txKinds),
  comment: z.string().nullable(),
  idPayment: z.int().nullable(),
  organization: z.string().nullable(),
  idAuthor: z.int().nullable(),
  author: z.string().nullable(),
  /** Change of the debt; negative reduces it. */
  sum: z.number(),
  /** Debt after it, to this organization. */
  balance: z.number(),
})

const unpaidLine = z.object({
  /** Id of the coupon service. */
  id: z.int(),
  idAppointment: z.int(),
  localDate: z.string(),
  service: z.string(),
  /** Rubles: the patient's price, and the paid part. */
  due: z.number(),
  paid: z.number(),
  /** Provided: the unpaid part is a debt. */
  charged: z.boolean(),
})

const bonusLine = z.object({
  id: z.int(),
  localDate: z.string(),
  dateCreate: z.string(),
  comment: z.string().nullable(),
  idAuthor: z.int().nullable(),
  author: z.string().nullable(),
  sum: z.number(),
})

export const accountCalls = {
  /**
   * Complete for every user: a debt limited to a branch would be demanded twice. The payments, shifts and receipts
   * behind the lines are limited to the user's branches (scope of the cash desk).
   */
  account: call({
    method: 'GET',
    path: '/customers/:id/account',
    summary: 'Счёт клиента: долг, аванс и строки учёта, новые первыми; before — строка, после которой читать дальше',
    access: moneyView,
    params: idParams,
    query: z.strictObject({
      before: idText.optional(),
      limit: z.coerce.number<number>().int().min(0).max(200).default(50),
    }),
    answer: z.object({
      debt: z.number(),
      advance: z.number(),
      organizations: z.array(z.object({ id: z.int(), name: z.string(), debt: z.number(), advance: z.number() })),
      lines: z.array(accountLine),
      next: z.int().nullable(),
    }),
  }),
  unpaid: call({
    method: 'GET',
    path: '/customers/:id/unpaid',
    summary:
      'Что клиент не оплатил: оказанные услуги, старые первыми; с idAppointment — и ещё не оказанные услуги этой записи',
    access: moneyView,
    params: idParams,
    query: z.strictObject({ idAppointment: idText.optional() }),
    /**
     * Rubles. `debt`: of the account; `free`: the advance that belongs to no line and pays the next provided service;
     * `owed`: to take for all lines.
     */
    answer: z.object({ lines: z.array(unpaidLine), debt: z.number(), free: z.number(), owed: z.number() }),
  }),
  bonuses: call({
    method: 'GET',
    path: '/customers/:id/bonuses',
    summary:
      'Бонусы клиента: сколько доступно, что ещё не действует, что и когда сгорит, движение, новое первым; lines — услуги через запятую, most — сколько за них можно заплатить бонусами',
    access: moneyView,
    params: idParams,
    query: z.strictObject({
      lines: z
        .string()
        .regex(
          new RegExp(`^[1-9]\\d{0,15}(,[1-9]\\d{0,15}){0,${MAX_LINES - 1}}$`),
          `Номера услуг через запятую, не больше ${MAX_LINES}`,
        )
        .optional(),
      before: idText.optional(),
      limit: z.coerce.number<number>().int().min(0).max(200).default(50),
    }),
    answer: z.object({
      available: z.number(),
      /** By day: bonuses that become valid, and bonuses that expire. */
      coming: z.array(z.object({ day: z.string(), sum: z.number() })),
      burning: z.array(z.object({ day: z.string(), sum: z.number() })),
      /** Maximum for the requested services, by the discount rules and the available bonuses. */
      most: z.number().nullable(),
      lines: z.array(bonusLine),
      next: z.int().nullable(),
    }),
  }),
  correctBonuses: call({
    method: 'POST',
    once: true,
    path: '/customers/:id/bonuses',
    summary: 'Начислить клиенту бонусы или списать их вручную, с причиной',
    access: 'editBonuses',
    status: 201,
    params: idParams,
    body: z.strictObject({
      key: onceKey,
      kind: z.enum(['add', 'takeOff']),
      sum: sum.refine((value) => value <= MAX_BONUS, 'Не больше 100 000 бонусов за раз'),
      /** Expiry day of the grant; absent: none. */
      dateTo: z.iso.date('Укажите, до какого дня действуют').nullable().optional(),
      reason,
    }),
    answer: z.object({ available: z.number() }),
  }),
  correct: call({
    method: 'POST',
    once: true,
    path: '/ledger/correct',
    summary: 'Корректировка счёта клиента: начислить или списать долг, с причиной',
    access: 'editAccount',
    status: 201,
    body: z.strictObject({
      key: onceKey,
      idCustomer: id,
      idOrganization: id,
      kind: z.enum(['charge', 'writeOff']),
      sum,
      reason,
    }),
    answer: z.object({ debt: z.number(), advance: z.number() }),
  }),
  settleLetter: call({
    method: 'POST',
    once: true,
    path: '/guarantee-letters/:id/settle',
    summary: 'Страховая оплатила (paid) или отказала: сумма возвращается клиенту (patient) или списывается (writeOff)',
    access: 'editAccount',
    params: idParams,
    body: z.strictObject({ key: onceKey, as: z.enum(['paid', 'patient', 'writeOff']), sum, idDesk: id.optional() }),
    answer: rowOf(GuaranteeLetter),
  }),
}

export type UnpaidLine = z.output<typeof unpaidLine>
export type BonusLine = z.output<typeof bonusLine>
export type AccountLine = z.output<typeof accountLine>
