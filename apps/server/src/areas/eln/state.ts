/** Additional data of a sheet's page, and the codes for its form. */
import { elnCalls } from '@ordinator/model/areas/eln/calls'
import { type ElnDictionary, elnDictionaries } from '@ordinator/model/areas/eln/codes'
import { aloneUntil, mseDay, nextStart } from '@ordinator/model/areas/eln/rules'
import { SickLeave } from '@ordinator/model/areas/eln/sickLeave'
import { formatDay } from '@ordinator/model/format'
import { dayIn } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { signingState } from '#areas/signatures/index.ts'
import { operation } from '#records/operation.ts'
import { daysAll, factsOf, faults } from './facts.ts'
import { exchangeState } from './limits.ts'
import { partStates, shown } from './signing.ts'
import { differencesOf, type SfrLeave } from './wire.ts'

/** Maximum number of messages shown for a sheet. */
const MAX_EVENTS = 20

const words: Readonly<Record<string, string>> = {
  queued: 'ждёт отправки',
  sent: 'отправляется',
  accepted: 'СФР принял сообщение',
  done: 'СФР принял',
  rejected: 'СФР отказал',
  network_error: 'СФР не ответил, повторим сами',
  dead: 'отправка остановлена',
}

export const state = operation(elnCalls.state, async ({ app, records, actor, params }) => {
  const leave = await records.row(SickLeave, params.id)
  const facts = await factsOf(app.db, records, leave)
  const { periods, limits, around } = facts
  const [first, last] = [periods[0], periods.at(-1)]
  const began = around.previous?.began || first?.dateFrom || null
  const free = await app.db.one<{ count: number }>(
    sql`select count(*)::int as count from (select from eln_numbers where "status" = 'free' limit 1000) q`,
  )
  const events = await app.db.query<{ date: string; operation: string; status: string; errorText: string | null }>(sql`
    select to_char(coalesce("dateLast", "dateCreate") at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as date, "operation", "status", "errorText"
    from exchange_messages where "entityType" = ${SickLeave.path} and "idEntity" = ${leave.id} order by "id" desc limit ${MAX_EVENTS}`)
  const theirs = leave.sfrData as SfrLeave | null
  return {
    faults: faults(facts),
    parts: await shown(app, await partStates(app.db, facts), facts, actor),
    nextStart: nextStart(periods) ?? null,
    aloneUntil: first ? (aloneUntil(first.dateFrom, last?.post ?? null, leave, limits) ?? null) : null,
    mseDay: began && leave.reason ? mseDay(began, leave.reason, limits) : null,
    began,
    daysAll: daysAll(facts),
    differences: theirs
      ? differencesOf(facts, theirs).map(({ label, ours, theirs: other }) => ({
          ...{ label, ours: inDays(ours), theirs: inDays(other) },
        }))
      : [],
    signatures: await signingState(app, { isWorking: (await readCommonSettings(app.db)).elnMode === 'prod' }),
    exchange: await exchangeState(app),
    freeNumbers: free?.count ?? 0,
    events: events.map(({ date, operation: title, status, errorText }) => ({
      date,
      words: `${title}: ${words[status] ?? status}${errorText ? ` — ${errorText}` : ''}`,
      isBad: ['rejected', 'network_error', 'dead'].includes(status),
    })),
  }
})

const inDays = (text: string): string => text.replace(/\d{4}-\d\d-\d\d/g, formatDay)

const kindOf = new Map<string, ElnDictionary>(
  Object.entries(elnDictionaries).map(([kind, code]) => [code, kind as ElnDictionary]),
)

export const codes = operation(elnCalls.codes, async ({ app, actor, query }) => {
  const day = query.day ?? dayIn(actor.timeZone, Date.now())
  const rows = await app.db.query<{ dictionary: string; code: string; name: string }>(sql`
    select d."code" as dictionary, t."code", t."name" from dictionaries d join dictionaries_terms t on t."idDictionary" = d."id"
    where d."code" = any (${Object.values(elnDictionaries)}::text[]) and not d."deleted" and not t."deleted"
      and t."dateFrom" <= ${day}::date and (t."dateTo" is null or t."dateTo" >= ${day}::date) order by d."code", t."code" limit 500`)
  const answer: Record<ElnDictionary, { code: string; name: string }[]> = {
    ...{ reason: [], reasonAdd: [], breach: [], result: [], relation: [] },
  }
  for (const { dictionary, code, name } of rows) {
    const kind = kindOf.get(dictionary)
    if (kind) answer[kind].push({ code, name })
  }
  return answer
})
