import { call, idParams, rowOf } from '../../call.ts'
import { callAccess } from '../calls/access.ts'
import { Transcript } from './transcript.ts'

export const transcriptCalls = {
  make: call({
    method: 'POST',
    path: '/calls/:id/transcript',
    summary:
      'Расшифровать запись звонка; готовая расшифровка делается заново. Свои разговоры — каждый, чужие — с правом listenCalls',
    access: callAccess.view,
    params: idParams,
    limit: 60,
    status: 201,
    answer: rowOf(Transcript),
  }),
  cancel: call({
    method: 'POST',
    path: '/calls/:id/transcript/cancel',
    summary: 'Больше не расшифровывать; что было раньше, остаётся',
    access: callAccess.view,
    params: idParams,
    answer: rowOf(Transcript),
  }),
}
