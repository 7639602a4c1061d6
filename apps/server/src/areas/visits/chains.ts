/** Search for free times of several services in sequence, with several doctors. */
import { setImmediate as breathe } from 'node:timers/promises'
import { type Chain, MAX_SLOT_SPAN, visitCalls } from '@ordinator/model/areas/visits/calls'
import { type ChainPart, type ChainPlace, chainsOf } from '@ordinator/model/areas/visits/chains'
import { clockOf } from '@ordinator/model/areas/visits/clock'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { shortFioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { type Gear, gearOf } from './equipment.ts'
import { bookedPriceSql } from './prices.ts'
import { rulesOf, type Window, windowsOf } from './slots.ts'

/** Days searched per step. */
const STEP = 14
/** Chains offered per day. */
const A_DAY = 3
/**
 * Limit of search steps of one request: about two seconds. A day of four services with ten doctors takes two million.
 */
const WORK = 20_000_000
const DAY_MS = 86_400_000

export const chains = operation(visitCalls.chains, async ({ app, actor, body, reply }) => {
  const { idFilial, parts, from, to, gap, inOrder, limit, kind } = body
  const span = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (span < 1) throw new ValidationError([{ field: 'to', message: 'Конец раньше начала' }])
  if (span > MAX_SLOT_SPAN) throw new ValidationError([{ field: 'to', message: `Не больше ${MAX_SLOT_SPAN} дней` }])
  const db = app.db.reads
  const idServices = parts.map(({ idService }) => idService)
  const rules = await rulesOf(db, idServices)
  const gear = await gearOf(db, idFilial, idServices)
  const work = { left: WORK }
  const found: { localDate: string; steps: ChainPart[] }[] = []
  for (let first = from; first <= to && found.length < limit; first = plusDays(first, STEP)) {
    const last = plusDays(first, STEP - 1)
    const days = { idFilial, from: first, to: last < to ? last : to, limit: 0, kind }
    const free = await Promise.all(
      parts.map(async ({ idService, idUser }) =>
        placesOf(
          await windowsOf(
            db,
            actor,
            { ...days, idServices: [idService], idUser },
            rules.filter((rule) => rule.idService === idService),
          ),
          gear.get(idService) ?? [],
        ),
      ),
    )
    for (const localDate of [...(free[0]?.keys() ?? [])].toSorted()) {
      const places = free.map((part) => part.get(localDate) ?? [])
      if (places.some((some) => some.length === 0)) continue
      await breathe()
      if (reply.raw.destroyed) return { items: [] }
      const most = Math.min(A_DAY, limit - found.length)
      for (const steps of chainsOf({ parts: places, gap, inOrder, limit: most, work })) found.push({ localDate, steps })
      if (work.left <= 0) {
        if (found.length === 0) throw new ValidationError([{ field: 'gap', message: TOO_MANY }])
        return { items: await named(db, idFilial, found, parts) }
      }
      if (found.length >= limit) break
    }
  }
  return { items: await named(db, idFilial, found, parts) }
})

const TOO_MANY = 'Слишком много вариантов: сократите ожидание между услугами или ищите в этом порядке'

/** By day: the places where a part that needs this equipment fits. */
function placesOf(windows: readonly Window[], gear: readonly Gear[]): Map<string, ChainPlace[]> {
  const pieces = gear.flatMap(({ id, cleaning }) => (id === null ? [] : [{ id, cleaning }]))
  return new Map(
    [...Map.groupBy(windows, ({ localDate }) => localDate)].map(([day, some]) => [
      day,
      [...Map.groupBy(some, (one) => `${one.idUser} ${one.idRoom} ${one.minutes} ${one.places?.taken}`).values()].map(
        (own) => {
          const { idUser, idRoom, minutes, breakAfter, cleaning, places } = own[0] as Window
          const starts = own.map(({ from, to }) => ({ from, to }))
          return { idUser, idRoom, minutes, breakAfter, cleaning, gear: pieces, starts, places }
        },
      ),
    ]),
  )
}

/** Chains with the names of their doctors and the prices of their days. */
async function named(
  db: Queryable,
  idFilial: number,
  found: readonly { localDate: string; steps: readonly ChainPart[] }[],
  asked: readonly { idService: number }[],
): Promise<Chain[]> {
  const rows = found.flatMap(({ localDate, steps }, chain) =>
    steps.map(({ part, place: { idUser, idRoom, minutes, places = null }, from }) => ({
      chain,
      localDate,
      idService: asked[part]?.idService as number,
      idUser,
      idRoom,
      minutes,
      localStart: clockOf(from),
      places,
    })),
  )
  const partRows = await db.query<Chain['parts'][number] & { chain: number }>(sql`
    select r."chain", r."idService", v."nameService" as "serviceName", r."idUser", ${shortFioSql(raw('u'))} as "userName", r."idRoom",
      r."minutes", r."localStart", r."places", (${bookedPriceSql(raw('v'), {
        day: raw('r."localDate"::date'),
        idFilial: sql`${idFilial}::bigint`,
      })})::float8 as price
    from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ("chain" int, "localDate" text, "idService" bigint,
        "idUser" bigint, "idRoom" bigint, "minutes" int, "localStart" text, "places" jsonb))
        with ordinality r("chain", "localDate", "idService", "idUser", "idRoom", "minutes", "localStart", "places", at)
      join users u on u."id" = r."idUser" join services v on v."id" = r."idService"
    order by r.at`)
  const parts = Map.groupBy(partRows, ({ chain }) => chain)
  return found.map(({ localDate, steps }, at) => ({
    localDate,
    idFilial,
    localStart: clockOf(steps[0]?.from ?? 0),
    minutes: (steps.at(-1)?.to ?? 0) - (steps[0]?.from ?? 0),
    parts: (parts.get(at) ?? []).map(({ chain: _, ...part }) => part),
  }))
}
