import { z } from 'zod'
import { call, id, idParams, rowOf } from '../../call.ts'
import { isDay } from '../../fields/date.ts'
import { messages } from '../../messages.ts'
import { uploadCall } from '../files/calls.ts'
import { FilialFile } from './filial.ts'
import { MAX_NUMBER, Sequence } from './sequence.ts'

/** Maximum days per request. */
export const MAX_SPECIAL_DAYS = 400

export const filialCalls = {
  specialDays: call({
    method: 'POST',
    path: '/filials/special-days',
    summary:
      'Особые дни сразу у нескольких филиалов: закрыты или открыты по своим часам; прежние особые дни заменяются',
    access: 'mainSettings',
    body: z.strictObject({
      filials: z.array(id).min(1, 'Выберите филиалы').max(200),
      days: z
        .array(
          z.strictObject({
            day: z.string().refine(isDay, messages.date),
            reason: z.string().trim().min(1, 'Укажите причину').max(128, messages.maxLength(128)),
          }),
        )
        .min(1, 'Выберите дни')
        .max(MAX_SPECIAL_DAYS),
      /** «9», «9:00», «09:00»; without both the branch is closed. */
      start: z.string().max(5).nullable().default(null),
      end: z.string().max(5).nullable().default(null),
    }),
    answer: z.object({ made: z.int(), changed: z.int() }),
  }),
  uploadFile: uploadCall(FilialFile),
  setNext: call({
    method: 'PUT',
    path: '/sequences/:id/next',
    summary: 'Следующий номер нумерации в текущем периоде; idFilial — у нумерации со своим счётом в каждом филиале',
    access: 'mainSettings',
    params: idParams,
    body: z.strictObject({
      idFilial: id.nullable().default(null),
      next: z.int(messages.integer).min(1, messages.min(1)).max(MAX_NUMBER, messages.max(MAX_NUMBER)),
    }),
    answer: rowOf(Sequence),
  }),
}
