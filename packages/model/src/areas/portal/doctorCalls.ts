import { z } from 'zod'
import { call, id, idParams, shapeOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { MAX_MESSAGE } from '../chats/liveAssist.ts'
import type { PaidState } from '../chats/online.ts'

/** A doctor available for a paid dialogue, with the price. */
export interface PortalDoctor {
  id: number
  name: string
  post: string | null
  /** Rubles. */
  price: number
}

export interface PortalDoctorTalk {
  id: number
  doctor: string
  state: PaidState
  stateName: string
  /** Rubles. */
  sum: number
  unread: number
  dateCreate: string
  /** Deadline of the doctor's first answer, until there is one. */
  answerBy: string | null
}

export interface PortalDoctorTalks {
  /** Null: not offered at present. */
  offer: { service: string; hours: number; doctors: PortalDoctor[] } | null
  /** The newest first. */
  dialogs: PortalDoctorTalk[]
}

const open = { access: 'public' } as const

/** The paid dialogue with a doctor: ordered, paid, answered, provided, or refunded. */
export const doctorCalls = {
  offer: call({
    method: 'GET',
    path: '/service-online/doctors',
    summary: 'Кого из врачей могут спросить пациенты: цена ответа и срок; null — клиника этого не открыла',
    access: 'editDialogs',
    answer: z.object({
      offer: z
        .object({
          service: z.string(),
          hours: z.number(),
          doctors: z.array(z.object({ id, name: z.string(), post: z.string().nullable(), price: z.number() })),
        })
        .nullable(),
    }),
  }),
  list: call({
    ...open,
    method: 'GET',
    path: '/portal/doctor-dialogs',
    summary: 'Платные диалоги пациента с врачами, и кого из врачей можно спросить',
    answer: shapeOf<PortalDoctorTalks>(),
  }),
  order: call({
    ...open,
    method: 'POST',
    path: '/portal/doctor-dialogs',
    summary: 'Задать врачу вопрос: он увидит его после оплаты',
    limit: 30,
    bodyLimit: 64 * 1024,
    body: z.strictObject({
      doctor: id,
      text: z
        .string(messages.string)
        .trim()
        .min(1, 'Напишите вопрос врачу')
        .max(MAX_MESSAGE, messages.maxLength(MAX_MESSAGE))
        .refine((value) => !value.includes('\0'), messages.nul),
      /** The displayed price; a different current price is confirmed again. */
      sum: z.number({ error: 'Нужна сумма в рублях' }).min(0).max(1_000_000),
    }),
    status: 201,
    answer: z.object({ id: z.int() }),
  }),
  pay: call({
    ...open,
    method: 'POST',
    path: '/portal/doctor-dialogs/:id/pay',
    summary: 'Оплатить вопрос врачу: повтор спрашивает, что стало с оплатой, и второй раз денег не берёт',
    limit: 30,
    params: idParams,
    body: z.strictObject({
      key: z
        .string({ error: 'Нужен ключ операции' })
        .regex(/^[\w-]{8,40}$/, 'Ключ операции: от 8 до 40 латинских букв, цифр и дефисов'),
    }),
    answer: shapeOf<{ state: PaidState }>(),
  }),
  drop: call({
    ...open,
    method: 'DELETE',
    path: '/portal/doctor-dialogs/:id',
    summary: 'Отказаться от вопроса, который ещё не оплачен',
    params: idParams,
  }),
}
