import { z } from 'zod'
import { call, id, idParams, shapeOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { MAX_MESSAGE } from '../chats/liveAssist.ts'
import type { PaidState } from '../chats/online.ts'

/** A doctor whom one may ask, and what it costs. */
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
  /** Until when the doctor answers, while nobody has. */
  answerBy: string | null
}

export interface PortalDoctorTalks {
  /** Null: the clinic offers none at the moment. */
  offer: { service: string; hours: number; doctors: PortalDoctor[] } | null
  /** The newest first. */
  dialogs: PortalDoctorTalk[]
}

const open = { access: 'public' } as const

/** The paid dialogue with a doctor: ordered, paid, answered, given; or the money goes back. */
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
      /** What was shown: who agreed to another price is asked anew. */
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
