/** Retention: deletes old recordings and transcripts finally, and chats through the trash. */
import type { AppealSource } from '@ordinator/model/areas/appeals/appeal'
import { Call } from '@ordinator/model/areas/calls/call'
import { centreCalls } from '@ordinator/model/areas/centre/calls'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { Transcript } from '@ordinator/model/areas/transcripts/transcript'
import sql, { type Sql } from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import type { JobRun } from '#platform/jobs.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { journal } from '#records/journal.ts'
import { operation } from '#records/operation.ts'

const AT_ONCE = 500
const COUNTED = 10_000

export function startRetention(app: AppContext): void {
  app.jobs.register('centre.retention', { cron: '5 3 * * *', handler: (_, job) => retain(app, job) })
}

const before = (row: Sql, months: number): Sql => sql`${row}."dateCreate" < now() - make_interval(months => ${months})`

/** SQL condition: a conversation has no open step and no open appeal. */
const isSettled = (row: Sql, source: AppealSource): Sql =>
  sql`((${row}."dateNextStep" is null or ${row}."idOutcome" is not null)
    and not exists (select from appeals a where a."entityType" = ${source} and a."idEntity" = ${row}."id"
      and not a."deleted" and (a."status" not in ('closed', 'draft') or a."dateNextStep" is not null and a."outcome" is null)))`

/** SQL condition: the call's recording is past the period, with nothing open; none for 0 months. */
const oldRecordings = (row: Sql, months: number): Sql =>
  sql`(${months}::int > 0 and ${row}."fileLink" is not null and ${before(row, months)} and not ${row}."needsEnd"
    and ${isSettled(row, 'call')})`

/** SQL condition: the transcript's conversation is past the period, with nothing open; none for 0 months. */
const oldTranscripts = (row: Sql, months: number): Sql =>
  sql`(${months}::int > 0 and exists (select from calls c where c."id" = ${row}."idCall" and ${before(sql`c`, months)}
    and not c."needsEnd" and ${isSettled(sql`c`, 'call')}))`

/**
 * SQL condition: the chat is archived, inactive for the period, with nothing open.
 * The chat of a banned visitor stays, because it stores the ban.
 */
const oldChats = (row: Sql, months: number): Sql =>
  sql`(${months}::int > 0 and ${row}."status" = 'archive' and not ${row}."deleted" and ${before(row, months)}
    and coalesce(${row}."dateLast", ${row}."dateCreate") < now() - make_interval(months => ${months})
    and not ${row}."banned" and ${isSettled(row, 'live-assist')})`

const retention = operation(centreCalls.retention, async ({ app, query }) => {
  const db = app.db.reads
  const [recordings, transcripts, chats] = await Promise.all([
    countOf(db, sql`calls c where ${oldRecordings(sql`c`, query.recordings)}`),
    countOf(db, sql`calls_transcripts t where ${oldTranscripts(sql`t`, query.transcripts)}`),
    countOf(db, sql`live_assist c where ${oldChats(sql`c`, query.chats)}`),
  ])
  return { recordings, transcripts, chats }
})

async function countOf(db: Queryable, from: Sql): Promise<{ count: number; more: boolean }> {
  const row = await db.one<{ n: number }>(
    sql`select count(*)::int as n from (select 1 from ${from} limit ${COUNTED + 1}) found`,
  )
  const n = row?.n ?? 0
  return { count: Math.min(n, COUNTED), more: n > COUNTED }
}

/** In batches, each complete, with its line in the access journal. */
async function retain(app: AppContext, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
  const { recordingsMonths, transcriptsMonths, chatsMonths } = await readCommonSettings(app.db)
  const batches = [
    () => forgetRecordings(app, recordingsMonths),
    () => forgetTranscripts(app, transcriptsMonths),
    () => throwAwayChats(app, chatsMonths),
  ]
  for (const batch of batches) while (!signal.aborted && (await batch()) === AT_ONCE);
}

async function forgetRecordings(app: AppContext, months: number): Promise<number> {
  return app.engine.for(systemActor).tx(async (records, tx) => {
    const old = await tx.query<{
      id: number
      key: string
    }>(sql`select c."id"::int as id, c."fileLink" as key from calls c
      where ${oldRecordings(sql`c`, months)} order by c."id" limit ${AT_ONCE} for update skip locked`)
    if (old.length === 0) return 0
    await records.asSystem.updateWhere(
      Call,
      ({ row }) => sql`${row}."id" = any(${old.map(({ id }) => id)}::bigint[])`,
      { fileLink: null },
      { pastHooks: 'no number is written' },
    )
    // A recording referenced by another call belongs to it too.
    const gone = await tx.query<{
      key: string
    }>(sql`select distinct k as key from unnest(${old.map(({ key }) => key)}::text[]) k
      where not exists (select from calls c where c."fileLink" = k)`)
    if (gone.length > 0) await app.jobs.send('records.bytes', { keys: gone.map(({ key }) => key) }, { tx })
    await journalDeletion(tx, Call.path, `Срок хранения записей, ${months} мес: ${old.length}`)
    return old.length
  })
}

/** Deletes transcripts finally; prompts over them are masked and stay with their runs. */
async function forgetTranscripts(app: AppContext, months: number): Promise<number> {
  return app.db.tx(async (tx) => {
    const old = await tx.query<{ id: number }>(sql`select t."id"::int as id from calls_transcripts t
      where ${oldTranscripts(sql`t`, months)} order by t."id" limit ${AT_ONCE} for update skip locked`)
    if (old.length === 0) return 0
    const ids = sql`any(${old.map(({ id }) => id)}::bigint[])`
    await tx.query(sql`delete from calls_transcript_lines where "idTranscript" = ${ids}`)
    await tx.query(sql`delete from calls_transcripts where "id" = ${ids}`)
    await journalDeletion(tx, Transcript.path, `Срок хранения расшифровок, ${months} мес: ${old.length}`)
    return old.length
  })
}

async function throwAwayChats(app: AppContext, months: number): Promise<number> {
  return app.engine.for(systemActor).tx(async (records, tx) => {
    const old = await tx.query<{ id: number }>(sql`select c."id"::int as id from live_assist c
      where ${oldChats(sql`c`, months)} order by c."id" limit ${AT_ONCE} for update skip locked`)
    if (old.length === 0) return 0
    await records.asSystem.deleteWhere(
      LiveAssist,
      ({ row }) => sql`${row}."id" = any(${old.map(({ id }) => id)}::bigint[])`,
    )
    await journalDeletion(tx, LiveAssist.path, `Срок хранения чатов, ${months} мес: ${old.length}`)
    return old.length
  })
}

const journalDeletion = (tx: Queryable, entityType: string, basis: string) =>
  journal(tx, { action: 'delete', entityType, basis })

export const retentionCalls = [retention]
