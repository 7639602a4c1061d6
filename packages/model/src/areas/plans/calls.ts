/** Calls of treatment plans beyond the records engine: steps, variants, paper and signature. */
import { z } from 'zod'
import { call, day, id, idParams, listFilter, oneOf, rowOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { codeState } from '../consents/calls.ts'
import { quote } from '../discounts/estimate.ts'
import { PlanItem, planAccess, TreatmentPlan } from './plan.ts'
import { refuseReasons } from './rules.ts'

const plan = rowOf(TreatmentPlan)
const version = { _version: z.int().optional() }
/** Signing representative from the card; null: the patient; absent: as in the plan. */
const signer = { idRelation: id.nullable().optional() }
const figures = z.object({ count: z.int(), sum: z.number() })

/** Maximum plans in the figures, the newest ones. */
export const MAX_FIGURES = 2_000

export const planCalls = {
  offer: call({
    method: 'POST',
    path: '/customer-plans/:id/offer',
    summary: 'План предложен пациенту; offered: false возвращает предложенный в черновики',
    access: 'editPlans',
    params: idParams,
    body: z.strictObject({ offered: z.boolean().default(true), ...version }),
    answer: plan,
  }),
  agree: call({
    method: 'POST',
    path: '/customer-plans/:id/agree',
    summary:
      'План согласован, подпись на бумаге: с этого времени его услуги и цены не меняются, другие предложенные варианты отклоняются; idFile — скан, signedOn — день подписи',
    access: 'agreePlans',
    params: idParams,
    body: z.strictObject({ idFile: id.optional(), signedOn: day.optional(), ...signer, ...version }),
    answer: plan,
  }),
  codeState: call({
    method: 'GET',
    path: '/customer-plans/:id/code',
    summary: 'Что стало с кодом, отправленным для подписи плана',
    access: 'agreePlans',
    params: idParams,
    answer: codeState,
  }),
  sendCode: call({
    method: 'POST',
    path: '/customer-plans/:id/code',
    summary: 'Код подписи плана по СМС; он подписывает план таким, каким он был при отправке',
    access: 'agreePlans',
    params: idParams,
    body: z.strictObject(signer),
    answer: codeState,
  }),
  confirm: call({
    method: 'POST',
    path: '/customer-plans/:id/confirm',
    summary: 'План согласован, подпись кодом из СМС',
    access: 'agreePlans',
    params: idParams,
    body: z.strictObject({ code: z.string().max(20) }),
    answer: plan,
  }),
  refuse: call({
    method: 'POST',
    path: '/customer-plans/:id/refuse',
    summary:
      'Пациент отказался от плана; у согласованного отменяется всё, что ещё не сделано (пока есть записи впереди — отказ 409)',
    access: 'editPlans',
    params: idParams,
    body: z.strictObject({
      reason: oneOf(refuseReasons),
      note: z.string().trim().max(500, messages.maxLength(500)).nullable().optional(),
      ...version,
    }),
    answer: plan,
  }),
  reopen: call({
    method: 'POST',
    path: '/customer-plans/:id/reopen',
    summary: 'План, от которого отказались до согласования, снова черновик',
    access: 'editPlans',
    params: idParams,
    body: z.strictObject(version),
    answer: plan,
  }),
  copy: call({
    method: 'POST',
    path: '/customer-plans/:id/copy',
    summary:
      'Ещё один вариант того же лечения (или новый план: apart) с этапами и услугами этого по ценам на сегодня; услуги, которых больше нет, пропускаются',
    access: 'editPlans',
    params: idParams,
    status: 201,
    body: z.strictObject({ apart: z.boolean().default(false) }),
    answer: z.object({ plan, skipped: z.int() }),
  }),
  cancelItem: call({
    method: 'POST',
    path: '/customer-plans/items/:id/cancel',
    summary: 'Услуга согласованного плана больше не нужна (с причиной); cancelled: false возвращает её',
    access: 'agreePlans',
    params: idParams,
    body: z.strictObject({
      cancelled: z.boolean().default(true),
      reason: z.string().trim().max(500, messages.maxLength(500)).nullable().optional(),
    }),
    answer: rowOf(PlanItem),
  }),
  print: call({
    method: 'GET',
    path: '/customer-plans/:id/print',
    summary: 'План лечения и смета с местами для подписей, PDF',
    access: planAccess.view,
    params: idParams,
    file: 'application/pdf',
  }),
  estimate: call({
    method: 'GET',
    path: '/customer-plans/:id/estimate',
    summary:
      'Сколько стоили бы услуги плана сегодня со скидками, которые подойдут пациенту, и какие они; now — как стоит в плане',
    access: planAccess.view,
    params: idParams,
    answer: quote,
  }),
  figures: call({
    method: 'GET',
    path: '/customer-plans/figures',
    summary:
      'Сколько планов списка и на сколько предложено, согласовано, выполнено и оплачено. Варианты, вместо которых выбрали другой, не считаются',
    access: planAccess.view,
    query: z.looseObject({ filter: listFilter }),
    answer: z.object({
      offered: figures,
      agreed: figures,
      done: z.number(),
      left: z.number(),
      paid: z.number(),
      overdue: z.int(),
      /** More plans exist; only the newest are counted. */
      isMore: z.boolean(),
    }),
  }),
}
