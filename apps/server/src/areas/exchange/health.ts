/** Health of outside systems: from the journal of exchange, and from a check. */

import { failedStatuses } from '@ordinator/model/areas/exchange/exchangeMessage'
import { type AdapterState, MOST_ERRORS } from '@ordinator/model/areas/exchange/integration'
import sql, { raw } from 'sql-template-tag'
import { type Adapter, AdapterFault } from '#platform/adapter.ts'
import { HttpError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'

/** Timeout of a check in milliseconds, and seconds for which it excludes other checks. */
const CHECK_MS = 15_000
const HELD_S = 30
/** Number of consecutive refusals that indicate a connection problem. */
const MANY_REFUSALS = 3
/** Number of attempts without a reply that do, for adapters without a check of their own. */
const MANY_SILENCES = 2

export const adaptersOf = async (app: AppContext): Promise<Adapter[]> =>
  (await Promise.all(app.areas.map(async (area) => (await area.adapters?.(app)) ?? []))).flat()

export interface Health {
  state: AdapterState
  dateSuccess: string | null
  dateFailing: string | null
  dateChecked: string | null
  error: string | null
  errors: number | null
  isChecking: boolean
  dateCertificate: string | null
  /** The system's own message at the last check. */
  said: string | null
  /** The journal shows a problem that only a check can confirm. */
  isDoubtful: boolean
}

interface Facts {
  success: string | null
  checked: string | null
  checkError: string | null
  isChecking: boolean
  silences: number
  refusals: number
  trouble: string | null
  troubleError: string | null
  errors: number
  certificate: string | null
  said: string | null
}

const iso = (column: string) => raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

/** Health of an adapter without a check. */
export async function healthOf({ db }: AppContext, { key, code, about, mode, isQuiet }: Adapter): Promise<Health> {
  const mine = sql`m."adapter" = ${code ?? null} and (${about?.path ?? null}::text is null
    or (m."entityType" = ${about?.path ?? null} and m."idEntity" = ${about?.id ?? null}))`
  const facts = (await db.one<Facts>(sql`
    with s as (select max("dateGood") as good, max("dateChecked") as checked, max("error") as error,
        max("dateCertificate") as certificate, max("said") as said,
        coalesce(max("checkingUntil") > now(), false) as checking from adapter_states where "key" = ${key}),
      j as (select max(m."dateLast") as done from exchange_messages m where ${mine} and m."status" in ('done', 'accepted')),
      bad as (select m."status", m."attempts", m."dateLast" as at, m."errorText" from exchange_messages m, j, s
        where ${mine} and m."status" = any (${failedStatuses as readonly string[]}) and m."dateLast" > now() - interval '1 day'
          and m."dateLast" > coalesce(j.done, '-infinity')
          and (m."status" = 'rejected' or m."dateLast" > coalesce(s.good, '-infinity'))
        order by m."dateLast" desc limit ${MOST_ERRORS})
    select ${iso('greatest(j.done, s.good)')} as success, ${iso('s.checked')} as checked, s.error as "checkError", s.said, ${iso('s.certificate')} as certificate, s.checking as "isChecking",
      (select coalesce(sum("attempts"), 0)::int from bad where "status" <> 'rejected') as silences,
      (select count(*)::int from bad where "status" = 'rejected') as refusals,
      ${iso('(select min(at) from bad)')} as trouble,
      (select "errorText" from bad order by at desc limit 1) as "troubleError",
      (select count(*)::int from (select from exchange_messages m where ${mine}
        and m."status" = any (${failedStatuses as readonly string[]}) and m."dateLast" > now() - interval '1 day'
        limit ${MOST_ERRORS}) q) as errors
    from s, j`)) as Facts
  const isRefused = facts.refusals >= MANY_REFUSALS
  // A failed check counts until a later success.
  const isFaulty = facts.checkError !== null && (facts.success === null || facts.success < (facts.checked as string))
  const isSilent = facts.silences >= (isQuiet ? 1 : MANY_SILENCES)
  const fails = mode !== 'off' && (isFaulty || isRefused || isSilent)
  return {
    state: mode === 'off' ? 'off' : fails ? 'fails' : facts.success === null ? 'unknown' : 'works',
    dateSuccess: facts.success,
    dateFailing: fails ? (facts.trouble ?? facts.checked) : null,
    dateChecked: facts.checked,
    error: fails ? (isFaulty && facts.checkError) || facts.troubleError : null,
    errors: code ? facts.errors : null,
    isChecking: facts.isChecking,
    dateCertificate: facts.certificate,
    said: fails ? null : facts.said,
    isDoubtful: fails && !isRefused,
  }
}

export interface Checked {
  isAnswering: boolean
  error: string | null
  durationMs: number
}

/** Checks an adapter: one at a time, with a timeout. @throws HttpError 409 */
export async function check(app: AppContext, { key, check: ask, mode, certificateEnd }: Adapter): Promise<Checked> {
  if (mode === 'off') throw new HttpError(409, 'Не подключено: проверять нечего', { code: 'off' })
  const claimed = await app.db.one(sql`
    insert into adapter_states as s ("key", "checkingUntil") values (${key}, now() + make_interval(secs => ${HELD_S}))
    on conflict ("key") do update set "checkingUntil" = excluded."checkingUntil"
      where s."checkingUntil" is null or s."checkingUntil" < now() returning 1`)
  if (!claimed) throw new HttpError(409, 'Связь уже проверяется', { code: 'busy' })
  const start = performance.now()
  const [{ error, said }, end] = await Promise.all([asked(app, key, ask), certificateEnd?.()])
  await app.db.query(sql`update adapter_states set "checkingUntil" = null, "dateChecked" = now(), "error" = ${error},
    "said" = ${said},
    "dateCertificate" = ${end?.toISOString() ?? null},
    "dateGood" = case when ${error}::text is null then now() else "dateGood" end where "key" = ${key}`)
  return { isAnswering: error === null, error, durationMs: Math.round(performance.now() - start) }
}

/** The system's own message and the error, for people. */
async function asked(
  app: AppContext,
  key: string,
  ask: Adapter['check'],
): Promise<{ error: string | null; said: string | null }> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AdapterFault('Не ответил вовремя')), CHECK_MS)
  })
  try {
    const answer = await Promise.race([ask(), late])
    return { error: null, said: answer?.slice(0, 200) ?? null }
  } catch (error) {
    if (error instanceof AdapterFault || error instanceof HttpError)
      return { error: error.message.slice(0, 500), said: null }
    app.log.warn({ err: error, adapter: key }, 'integrations: a check failed')
    return { error: 'Не удалось проверить', said: null }
  } finally {
    clearTimeout(timer)
  }
}
