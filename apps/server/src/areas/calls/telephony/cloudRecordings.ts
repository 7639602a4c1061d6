/**
 * Recordings of cloud exchanges: announced after the call, fetched by a job, and stored as other recordings. One not
 * available yet is retried at growing intervals.
 */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Call } from '@ordinator/model/areas/calls/call'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { RemoteFault } from '#platform/remote.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'

/** Limits: recordings per run, bytes of one, attempts (over about two days). */
const AT_ONCE = 20
const MAX_BYTES = 200 * 1024 * 1024
/** Milliseconds that one may take: an hour's talk over a slow line. */
const FETCH_MS = 5 * 60_000
const MOST_TRIES = 30
/** Minutes until the next attempt: doubled each time, up to two hours. */
const LONGEST_PAUSE = 120

/** Registers a recording for the next run. */
export async function noteRecording(
  { db }: Pick<AppContext, 'db'>,
  { provider, entry, recording }: { provider: string; entry: string; recording: string },
): Promise<void> {
  await db.query(sql`insert into cloud_recordings ("provider", "recording", "entry")
    values (${provider}, ${recording.slice(0, 200)}, ${entry}) on conflict do nothing`)
}

/** The provider may have been switched on: what waits is fetched by the next run. */
export const resumeRecordings = async (tx: Pick<Queryable, 'query'>): Promise<void> =>
  void (await tx.query(sql`update cloud_recordings set "dateNext" = now()
    where "status" = 'waiting' and "dateNext" > now()`))

interface Waiting {
  id: string
  provider: string
  recording: string
  entry: string
  attempts: number
}

/** Provider access: URL of a recording, and the session of its call. */
export interface RecordingSource {
  /** @throws RemoteFault if it is not available yet */
  linkOf(provider: string, recording: string): Promise<string | undefined>
  /** Whether an address is of a provider as the server's owner has set it. */
  isOwn(url: string): boolean
  /** The session of the entry's call; undefined if unknown. */
  sessionOf(provider: string, entry: string): Promise<string | undefined>
}

export function startRecordings(app: AppContext, source: RecordingSource): void {
  app.jobs.register('calls.recordings', {
    cron: '* * * * *',
    async handler() {
      const due = await app.db.query<Waiting>(sql`
        update cloud_recordings set "attempts" = "attempts" + 1,
          "dateNext" = now() + make_interval(mins => least(${LONGEST_PAUSE}, (2 ^ least("attempts", 10))::int))
        where ("provider", "recording") in (select "provider", "recording" from cloud_recordings
          where "status" = 'waiting' and "dateNext" <= now() order by "dateNext" limit ${AT_ONCE} for update skip locked)
        returning "provider" || '/' || "recording" as id, "provider", "recording", "entry", "attempts"`)
      await oneByOne(app, 'calls.recordings', due, (one) => fetchOne(app, source, one))
    },
  })
}

async function fetchOne(app: AppContext, source: RecordingSource, one: Waiting): Promise<void> {
  const { provider, recording, entry, attempts } = one
  const setState = (status: 'waiting' | 'done' | 'failed', error: string | null) =>
    app.db.query(sql`update cloud_recordings set "status" = ${status}, "error" = ${error}
      where "provider" = ${provider} and "recording" = ${recording}`)
  const session = await source.sessionOf(provider, entry)
  const call =
    session === undefined
      ? undefined
      : await app.db.one<{ id: number; fileLink: string | null }>(sql`select "id"::int as id, "fileLink" from calls
          where "pbx" = ${provider} and lower("idCallSession") = lower(${session})`)
  try {
    const url = await source.linkOf(provider, recording)
    // Switched off for a while, or for good: it waits like a recording that is not there yet.
    if (url === undefined) throw new RemoteFault('Провайдер не подключён', false)
    if (!call) throw new RemoteFault('Звонка этой записи ещё нет', false)
    // A transferred call may have several: the first one stays.
    if (call.fileLink !== null) return void (await setState('done', null))
    await app.scratch.use(async (folder) => {
      const file = join(folder, 'recording')
      await app.outbound.download(url, file, { maxBytes: MAX_BYTES, timeout: FETCH_MS, isOwn: source.isOwn(url) })
      const kind = await kindOf(file)
      if (!kind) throw new RemoteFault('Пришла не звукозапись', false)
      const key = `calls/${provider}-${recording.replaceAll(/[^\w-]/g, '_')}.${kind}`
      await app.files.put(key, file)
      await app.engine.for(systemActor).asSystem.update(Call, call.id, { fileLink: key })
    })
    await setState('done', null)
  } catch (error) {
    if (!(error instanceof RemoteFault || error instanceof ValidationError)) throw error
    await setState(attempts >= MOST_TRIES ? 'failed' : 'waiting', error.message.slice(0, 300))
  }
}

/** File type by the first bytes. */
async function kindOf(path: string): Promise<'wav' | 'mp3' | undefined> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0)
    if (bytesRead < 12) return undefined
    if (buffer.toString('latin1', 0, 4) === 'RIFF') return 'wav'
    const isFrame = buffer[0] === 0xff && ((buffer[1] as number) & 0xe0) === 0xe0
    return buffer.toString('latin1', 0, 3) === 'ID3' || isFrame ? 'mp3' : undefined
  } finally {
    await file.close()
  }
}
