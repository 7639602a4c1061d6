import { z } from 'zod'
import { call, id, idParams, rowOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { uploadCall } from '../files/calls.ts'
import { FilialFile } from './filial.ts'
import { MAX_NUMBER, Sequence } from './sequence.ts'

export const filialCalls = {
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
