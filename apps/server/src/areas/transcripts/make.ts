/**
 * Transcription of recordings: on request, or automatically as recordings arrive. A job with progress and cancellation.
 */
import { holds } from '@ordinator/model/access'
import { Call } from '@ordinator/model/areas/calls/call'
import { transcriptCalls } from '@ordinator/model/areas/transcripts/calls'
import { type Speaker, Transcript, TranscriptLine } from '@ordinator/model/areas/transcripts/transcript'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { openWave, recordingOf, secondsOf } from '#areas/calls/index.ts'
import { type AiPlace, aiPlaceOf, readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { forbidden, HttpError } from '#platform/errors.ts'
import type { JobRun } from '#platform/jobs.ts'
import { type ServerActor, systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { transcribeWave } from './asr.ts'
import { inOrder, type Line, linesOf } from './lines.ts'
import { channelsOf, MAX_BYTES, piecesOf, speechIn, waveOf } from './sound.ts'

type Made = Row<typeof Transcript>
const JOB = 'transcripts.make'
/** Transcripts queued per run of the job, and days it looks back. */
const AT_ONCE = 20
const DAYS_BACK = 3
/** Minimum seconds of a transcribed conversation. */
const SHORTEST_S = 5
const NOT_CONNECTED = 'Распознавание речи не подключено: Настройки → Подключения'

export function startTranscripts(app: AppContext): void {
  app.jobs.register<{ id: number }>(JOB, {
    handler: ({ id }, run) => makeTranscript(app, id, run),
    retries: 2,
    timeout: 3_600,
  })
  app.jobs.register('transcripts.collect', { cron: '* * * * *', handler: () => collect(app) })
}

const make = operation(transcriptCalls.make, async ({ app, records, actor, params }) => {
  await recordingOf(app, actor, params.id)
  if (!(await aiPlaceOf(app, 'asr'))) throw new HttpError(409, NOT_CONNECTED, { code: 'off' })
  return records.tx((inner, tx) => order(app, inner, tx, params.id))
})

/** Queues the transcript of a call; one in progress stays unchanged. */
async function order(app: AppContext, records: Records, tx: Tx, idCall: number): Promise<Made> {
  await tx.query(sql`select 1 from calls where "id" = ${idCall} for update`)
  const before = await tx.one<{ id: number; status: Made['status'] }>(
    sql`select "id"::int as id, "status" from calls_transcripts where "idCall" = ${idCall} and not "deleted"`,
  )
  if (before && (before.status === 'queued' || before.status === 'running'))
    return records.asSystem.row(Transcript, before.id)
  const queued = { status: 'queued', progress: 0, error: null, dateDone: null } as const
  const made = before
    ? await records.asSystem.update(Transcript, before.id, queued)
    : await records.asSystem.create(Transcript, {
        idCall,
        ...queued,
        ...(records.actor.id && { idUser: records.actor.id }),
      })
  await app.jobs.send(JOB, { id: made.id }, { tx, key: String(made.id) })
  return made
}

const cancel = operation(transcriptCalls.cancel, ({ records, actor, params }) =>
  records.tx(async (inner, tx) => {
    await mayListen(inner, actor, params.id)
    const found = await tx.one<Made>(
      sql`select "id"::int as id, "status", "wordsCount" from calls_transcripts where "idCall" = ${params.id} and not "deleted" for update`,
    )
    if (!found) throw new HttpError(409, 'Расшифровки этого звонка не ждут', { code: 'status' })
    if (found.status !== 'queued' && found.status !== 'running') return inner.asSystem.row(Transcript, found.id)
    // An earlier result stays.
    return inner.asSystem.update(Transcript, found.id, { status: found.wordsCount > 0 ? 'done' : 'cancelled' })
  }),
)

async function mayListen(records: Records, actor: ServerActor, id: number): Promise<void> {
  const { idUser } = await records.row(Call, id)
  if (!holds(actor, 'listenCalls') && idUser !== actor.id) throw forbidden('Слушать можно только свои разговоры')
}

/** The job `transcripts.collect`: new recordings, if the clinic transcribes all. Otherwise does nothing. */
export async function collect(app: AppContext): Promise<void> {
  const { asrAuto, additionalServices } = await readCommonSettings(app.db)
  if (!asrAuto || !additionalServices.includes('callTranscript') || !(await aiPlaceOf(app, 'asr'))) return
  const waiting = await app.db.query<{ id: number }>(sql`
    select c."id"::int as id from calls c
    where c."fileLink" is not null and c."dateEnd" is not null and not c."training"
      and c."dateCreate" > now() - make_interval(days => ${DAYS_BACK})
      and c."dateEnd" - c."dateAnswer" >= make_interval(secs => ${SHORTEST_S})
      and not exists (select from calls_transcripts t where t."idCall" = c."id")
    order by c."id" desc limit ${AT_ONCE}`)
  for (const { id } of waiting) await app.engine.for(systemActor).tx((records, tx) => order(app, records, tx, id))
}

/** The job of one transcript. An error is stored in it; only a server stop makes the job run again. */
async function makeTranscript(app: AppContext, id: number, { signal }: JobRun): Promise<void> {
  const all = app.engine.for(systemActor)
  const found = await app.db.one<{ idCall: number; status: Made['status']; key: string | null }>(sql`
    select t."idCall"::int as "idCall", t."status", c."fileLink" as key
    from calls_transcripts t join calls c on c."id" = t."idCall" where t."id" = ${id} and not t."deleted"`)
  if (!found || (found.status !== 'queued' && found.status !== 'running')) return
  await all.asSystem.update(Transcript, id, { status: 'running' })
  const place = await aiPlaceOf(app, 'asr')
  const outcome = place ? await transcribe(app, place, id, found.key, signal) : { failed: NOT_CONNECTED }
  if (outcome === 'stopped') return
  await all.tx(async (records, tx) => {
    const held = await tx.one<{ status: string }>(
      sql`select "status" from calls_transcripts where "id" = ${id} for update`,
    )
    if (held?.status !== 'running') return
    if ('failed' in outcome)
      return void (await records.asSystem.update(Transcript, id, {
        status: 'failed',
        error: outcome.failed,
        dateDone: new Date().toISOString(),
      }))
    const { lines, ...facts } = outcome
    await tx.query(sql`delete from calls_transcript_lines where "idTranscript" = ${id}`)
    if (lines.length)
      await records.asSystem.createMany(
        TranscriptLine,
        lines.map((line) => ({ idTranscript: id, idCall: found.idCall, ...line })),
        { pastHooks: 'lines have none' },
      )
    await records.asSystem.update(Transcript, id, {
      ...facts,
      status: lines.length ? 'done' : 'empty',
      progress: 100,
      error: null,
      wordsCount: lines.reduce((sum, { words }) => sum + words.length, 0),
      model: place?.model || null,
      place: place?.name ?? null,
      dateDone: new Date().toISOString(),
    })
  })
}

interface Transcribed {
  lines: Line[]
  seconds: number
  speechS: number
  byChannels: boolean
}

/** Transcribes a recording channel by channel and piece by piece. */
async function transcribe(
  app: AppContext,
  place: AiPlace,
  id: number,
  key: string | null,
  signal: AbortSignal,
): Promise<Transcribed | { failed: string } | 'stopped'> {
  const wave = key === null ? 'missing' : await openWave(app.files, key)
  if (typeof wave === 'string')
    return { failed: wave === 'empty' ? 'Запись пустая' : 'Файл записи не найден или повреждён' }
  if (wave.bytes > MAX_BYTES) return { failed: 'Запись слишком длинная для расшифровки' }
  if (wave.channels > 2) return { failed: 'В записи больше двух каналов: неизвестно, кто говорит' }
  const { asrFirstChannel } = await readCommonSettings(app.db)
  const channels = await channelsOf(app.files, key as string, wave)
  const second = asrFirstChannel === 'customer' ? 'operator' : 'customer'
  const whose = (at: number): Speaker => (channels.length === 1 ? 'unknown' : at === 0 ? asrFirstChannel : second)
  const tracks = channels.map((samples, at) => {
    const speech = speechIn(samples, wave.rate)
    return { samples, speaker: whose(at), speech, pieces: piecesOf(speech) }
  })
  const total = tracks.reduce((sum, { pieces }) => sum + pieces.length, 0)
  let done = 0
  const lines: Line[] = []
  for (const { samples, speaker, speech, pieces } of tracks)
    for (const piece of pieces) {
      if (signal.aborted) throw new Error('the server stops')
      const start = performance.now()
      const answer = await transcribeWave(place, waveOf(samples, wave.rate, piece), speaker)
      await app.exchanged({
        adapter: 'asr',
        operation: 'Расшифровка записи',
        key: `transcript-${id}-${speaker}-${Math.round(piece.from)}`,
        about: { path: Transcript.path, id },
        durationMs: performance.now() - start,
        ...(answer.is === 'done'
          ? { status: 'done' }
          : { status: answer.isPassing ? 'network_error' : 'rejected', error: answer.reason }),
      })
      if (answer.is === 'failed') return { failed: answer.reason }
      const placed = answer.words.map(({ word, from, to }) => ({ word, from: from + piece.from, to: to + piece.from }))
      lines.push(...linesOf(speaker, placed, speech))
      done++
      if (!(await progressed(app, id, Math.round((99 * done) / total)))) return 'stopped'
    }
  return {
    lines: inOrder(lines),
    seconds: Math.round(secondsOf(wave)),
    speechS: Math.round(
      tracks.reduce((sum, { speech }) => sum + speech.reduce((all, { from, to }) => all + to - from, 0), 0),
    ),
    byChannels: channels.length === 2,
  }
}

/** Stores the progress. @returns whether it is still wanted */
async function progressed(app: AppContext, id: number, progress: number): Promise<boolean> {
  const row = await app.db.one<{ status: string }>(sql`select "status" from calls_transcripts where "id" = ${id}`)
  if (row?.status !== 'running') return false
  await app.engine.for(systemActor).asSystem.update(Transcript, id, { progress })
  return true
}

export const transcriptOperations = [make, cancel]
