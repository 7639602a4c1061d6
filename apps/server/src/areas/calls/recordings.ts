import { holds } from '@ordinator/model/access'
import { Call } from '@ordinator/model/areas/calls/call'
import { callCalls, PEAKS } from '@ordinator/model/areas/calls/calls'
import type { Row } from '@ordinator/model/entity'
import { sendStored } from '#areas/files/index.ts'
import { authOf } from '#auth/index.ts'
import { forbidden, HttpError, notFound } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { openWave, peaksOf, secondsOf, type Wave } from './wav.ts'

const wrong = {
  missing: [404, 'Файл записи не найден в хранилище'],
  empty: [422, 'Запись пустая: разговор не записался'],
  alien: [422, 'Это не звукозапись: файл повреждён или другого вида'],
} as const

/** The recording of a call within the actor's rights, validated. @throws HttpError if it is invalid */
export async function recordingOf(app: AppContext, actor: ServerActor, id: number) {
  const call = await app.engine.for(actor).row(Call, id)
  if (!holds(actor, 'listenCalls') && call.idUser !== actor.id) throw forbidden('Слушать можно только свои разговоры')
  const key = await keyOf(app, id)
  if (key === null) throw notFound('У этого звонка нет записи')
  // Cloud exchanges record in MP3: it is passed unchanged to the player.
  const wave = isMp3(key) ? ((await app.files.stat(key)) ? undefined : 'missing') : await openWave(app.files, key)
  if (typeof wave === 'string') {
    const [status, message] = wrong[wave]
    if (wave !== 'empty') app.log.error({ idCall: id, key, wave }, 'recording of a call cannot be played')
    throw new HttpError(status, message, { code: wave })
  }
  return { call, key, wave } satisfies { call: Row<typeof Call>; key: string; wave: Wave | undefined }
}

const isMp3 = (key: string): boolean => key.endsWith('.mp3')

const keyOf = async (app: AppContext, id: number): Promise<string | null> =>
  (
    await app.db.one<{ key: string | null }>({
      text: 'select "fileLink" as key from calls where "id" = $1',
      values: [id],
    })
  )?.key ?? null

/** The recording itself, for `<audio>`: the cookie authenticates too. One journal line per listening, not per range. */
export const record = operation(callCalls.record, async ({ app, request, reply, params, query }) => {
  const actor = await authOf(app).actorOfFileRequest(request)
  const { call, key } = await recordingOf(app, actor, params.id)
  const begins = !request.headers.range || /^bytes=0-/.test(request.headers.range)
  if (begins && request.method === 'GET')
    await app.journal({
      ...journalActor(actor),
      action: 'listen',
      entityType: Call.path,
      idEntity: call.id,
      ...(call.idCustomer && { idCustomer: call.idCustomer }),
    })
  const name = `Разговор ${call.dateCreate.slice(0, 16).replace('T', ' ').replace(':', '-')}.${isMp3(key) ? 'mp3' : 'wav'}`
  const type = isMp3(key) ? 'audio/mpeg' : 'audio/wav'
  return sendStored(app, request, reply, { key, type, name }, query.download !== undefined)
})

export const peaks = operation(callCalls.peaks, async ({ app, actor, params, reply }) => {
  const { key, wave, call } = await recordingOf(app, actor, params.id)
  reply.header('cache-control', 'private, max-age=300')
  const talked = (Date.parse(call.dateEnd ?? '') - Date.parse(call.dateAnswer ?? '')) / 1000
  if (!wave) return { peaks: [], seconds: Number.isFinite(talked) ? Math.max(0, talked) : 0 }
  return { peaks: await peaksOf(app.files, key, wave, PEAKS), seconds: secondsOf(wave) }
})
