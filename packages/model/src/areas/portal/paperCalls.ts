import { z } from 'zod'
import { call, day, id, idText, shapeOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { codeState } from '../consents/calls.ts'
import { requestKinds } from '../consents/requestKinds.ts'

/** Papers of a patient. */
export const paperKinds = {
  examination: 'Осмотр',
  plan: 'План лечения',
  consent: 'Согласие',
  analysis: 'Результаты анализов',
} as const
export type PaperKind = keyof typeof paperKinds

export interface PortalPaper {
  kind: PaperKind
  id: number
  name: string
  /** `YYYY-MM-DD`: of the examination, the offer, or the signature. */
  day: string
  /** The doctor's name; null: none. */
  doctor: string | null
  /** State of a plan or consent, else the kind. */
  note: string
  /** Needs the patient's confirmation by a code: a plan to agree, a consent to sign. */
  maySign: boolean
  /** A consent to advertising; revoked at once and without a reason. */
  mayRevoke: boolean
}

/** A request of the patient about the own data. */
export interface PortalRequest {
  id: number
  kind: string
  text: string
  /** `YYYY-MM-DD`. */
  dateReceived: string
  dateDue: string
  status: string
  dateAnswered: string | null
  answer: string | null
}

/** Maximum open requests of a patient. */
export const MAX_OPEN_REQUESTS = 5

/** A family member; absent: the patient. */
const whose = z.object({ patient: idText.optional() })
const signable = z.object({ kind: z.enum(['plan', 'consent'], messages.choice), id: idText })

export const paperCalls = {
  papers: call({
    access: 'public',
    method: 'GET',
    path: '/portal/papers',
    summary: 'Подписанные осмотры, открытые пациентам, предложенные планы лечения и подписанные согласия пациента',
    query: whose,
    answer: shapeOf<{ items: PortalPaper[] }>(),
  }),
  paper: call({
    access: 'public',
    method: 'GET',
    path: '/portal/papers/:kind/:id',
    summary: 'Документ пациента (PDF)',
    limit: 60,
    params: z.object({
      kind: z.enum(Object.keys(paperKinds) as [PaperKind, ...PaperKind[]], messages.choice),
      id: idText,
    }),
    query: whose,
    file: 'application/pdf',
  }),
  sendCode: call({
    access: 'public',
    method: 'POST',
    path: '/portal/papers/:kind/:id/code',
    summary: 'Код, которым пациент согласует план или подписывает согласие: на телефон того, кто подписывает',
    limit: 10,
    params: signable,
    query: whose,
    answer: codeState,
  }),
  sign: call({
    access: 'public',
    method: 'POST',
    path: '/portal/papers/:kind/:id/sign',
    summary: 'Согласовать план или подписать согласие кодом',
    limit: 30,
    params: signable,
    query: whose,
    body: z.strictObject({
      code: z.string(messages.string).trim().min(1, messages.required).max(20, messages.maxLength(20)),
    }),
    status: 204,
  }),
  revoke: call({
    access: 'public',
    method: 'POST',
    path: '/portal/consents/:id/revoke',
    summary: 'Отозвать согласие на рекламу и рассылки',
    params: z.object({ id: idText }),
    query: whose,
    status: 204,
  }),
  requests: call({
    access: 'public',
    method: 'GET',
    path: '/portal/requests',
    summary: 'Запросы пациента о своих данных и ответы клиники',
    query: whose,
    answer: shapeOf<{ items: PortalRequest[] }>(),
  }),
  request: call({
    access: 'public',
    method: 'POST',
    path: '/portal/requests',
    summary: `Запрос пациента о своих данных; тот же, что ещё ждёт ответа, не повторяется; ждать ответа могут не больше ${MAX_OPEN_REQUESTS}`,
    limit: 10,
    query: whose,
    body: z.strictObject({
      kind: z.enum(Object.keys(requestKinds) as [keyof typeof requestKinds], messages.choice),
      text: z
        .string(messages.string)
        .trim()
        .min(1, messages.required)
        .max(4000, messages.maxLength(4000))
        .refine((value) => !value.includes('\0'), messages.nul),
    }),
    status: 201,
    answer: z.object({ id, dateDue: day }),
  }),
}
