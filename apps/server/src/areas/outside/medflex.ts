/**
 * The wire by which ПроДокторов (МедФлекс) books into a clinic's program: they post to us, we answer 200 with their code
 * inside (their open modules for МИС). 204 done, 400 bad input, 404 no such booking or doctor, 409 the patient is busy,
 * 416 no such time, 423 the time is taken.
 */
import { outsideCalls } from '@ordinator/model/areas/outside/calls'
import { phoneOf } from '@ordinator/model/phone'
import { z } from 'zod'
import { HttpError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { answerOf, bookOutside, cancelOutside, moveOutside } from './book.ts'
import { type Channel, channelOf, simplestOf } from './channels.ts'

const DONE = 204
/** Their code of each refusal of ours; others are 416. */
const codes: Readonly<Record<string, number>> = { taken: 423, patient: 409, price: 423, cards: 409 }

/** «2026-12-01 10:30» */
const moment = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/)
  .transform((text) => ({ localDate: text.slice(0, 10), localStart: text.slice(11, 16) }))
const key = z.union([z.string().min(1).max(128), z.number()]).transform(String)
const claim = z.looseObject({ claim_id: key })
const doctor = z.looseObject({ id: z.coerce.number().int().positive() })
const name = z.string().trim().max(64)
const booking = z.looseObject({
  claim_id: key,
  doctor,
  appointment: z.looseObject({
    dt_start: moment,
    price: z.coerce.number().nonnegative().nullish(),
    comment: z.string().max(2_000).nullish(),
  }),
  client: z.looseObject({
    first_name: name.min(1),
    second_name: name.nullish(),
    last_name: name.min(1),
    mobile_phone: z
      .string()
      .transform((text) => phoneOf(text) ?? '')
      .refine((phone) => phone !== ''),
    birthday: z
      .string()
      .regex(/^\d{4}-\d\d-\d\d$/)
      .nullish(),
  }),
})
const update = z.looseObject({
  claim_id: key,
  doctor: doctor.optional(),
  appointment: z.looseObject({ dt_start: moment }),
})

interface Asked {
  app: AppContext
  channel: Channel
  body: unknown
  from: { ip: string; id: string }
}

const acts = {
  health: async () => ({}),
  async book(asked) {
    const { claim_id, doctor: whom, appointment, client } = booking.parse(asked.body)
    const { app, channel, from } = asked
    await bookOutside(
      app,
      channel,
      {
        ...{ outerId: claim_id, idUser: whom.id, ...appointment.dt_start },
        idService: await simplestOf(app.db.reads, channel, whom.id),
        person: {
          ...{ surname: client.last_name, name: client.first_name, phone: client.mobile_phone },
          ...(client.second_name && { middleName: client.second_name }),
          ...(client.birthday && { birthday: client.birthday }),
        },
        ...(typeof appointment.price === 'number' && { price: appointment.price }),
        ...(appointment.comment && { comment: appointment.comment.slice(0, 500) }),
      },
      from,
    )
    return { claim_id }
  },
  async cancel({ app, channel, body }) {
    const { claim_id } = claim.parse(body)
    await cancelOutside(app, channel, claim_id)
    return { claim_id }
  },
  async status({ app, channel, body }) {
    const { claim_id } = claim.parse(body)
    const { state } = await answerOf(app, channel, claim_id)
    return { claim_id, claim_status: state === 'booked' || state === 'confirmed' ? 'successfully' : 'cancelled' }
  },
  async update(asked) {
    const { app, channel, body } = asked
    const { claim_id, doctor: whom, appointment } = update.parse(body)
    const { doctor: before } = await answerOf(app, channel, claim_id)
    const idUser = whom?.id ?? before
    if (idUser === null) throw new HttpError(404, 'Записи уже нет')
    await moveOutside(app, channel, claim_id, { idUser, ...appointment.dt_start })
    return { claim_id }
  },
} satisfies Record<string, (asked: Asked) => Promise<object>>

export const medflex = operation(outsideCalls.medflex, async ({ app, request, params: { act }, body }) => {
  const channel = await channelOf(app, request.headers.authorization)
  if (channel.kind !== 'medflex') throw new HttpError(403, 'Ключ выдан площадке другого вида', { code: 'kind' })
  try {
    const from = { ip: request.ip, id: request.id }
    return { ...(await acts[act]({ app, channel, body, from })), status_code: DONE }
  } catch (error) {
    return { status_code: codeOf(error), detail: error instanceof HttpError ? error.message : 'Неверный запрос' }
  }
})

/** @throws the error itself if it is a fault of ours */
function codeOf(error: unknown): number {
  if (error instanceof z.ZodError) return 400
  if (!(error instanceof HttpError) || error.status >= 500 || error.status === 429) throw error
  if (error.status !== 409) return error.status === 404 ? 404 : 400
  return codes[error.code ?? ''] ?? 416
}
