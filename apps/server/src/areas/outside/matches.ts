/** A seller's names of our doctors and services: its list is pasted once, and matched by code 804н and name. */
import { outsideCalls } from '@ordinator/model/areas/outside/calls'
import { BookingChannel } from '@ordinator/model/areas/outside/channel'
import { ChannelMatch, type MatchKind, type matchStates } from '@ordinator/model/areas/outside/match'
import { type Candidate, linesOf, suggestionOf } from '@ordinator/model/areas/outside/matching'
import type { Create } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { publicNameSql } from '#areas/catalogue/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { operation } from '#records/operation.ts'
import { anyChannel, type Channel, soldSql } from './channels.ts'

/** Lines of one channel. */
const MOST = 5_000

/** Ours that a channel may sell, by kind. A service is known by both of its names. */
async function oursOf(db: Queryable, channel: Channel): Promise<Record<MatchKind, Candidate[]>> {
  const services = await db.query<Candidate & { plain: string }>(sql`
    select distinct s."id"::int as id, s."nameService" as name, nullif(s."medicalCode", '') as code, ${publicNameSql(raw('s'))} as plain
    from ${soldSql(channel)} order by 1`)
  const doctors = await db.query<Candidate>(sql`
    select distinct u."id"::int as id, ${fioSql(raw('u'))} as name, null as code from ${soldSql(channel)} order by 1`)
  return {
    doctor: doctors,
    service: services.flatMap(({ plain, ...one }) => (plain === one.name ? [one] : [one, { ...one, name: plain }])),
  }
}

interface Line {
  id: number
  kind: MatchKind
  outerName: string
  outerCode: string | null
  state: keyof typeof matchStates
  idOurs: number | null
  ours: string | null
}

const rowsOf = (db: Queryable, idChannel: number): Promise<Line[]> =>
  db.query<Line>(sql`
    select n."id"::int as id, n."kind", n."outerName", n."outerCode", n."state",
      coalesce(n."idUser", n."idService")::int as "idOurs", coalesce(${fioSql(raw('u'))}, s."nameService") as ours
    from booking_channels_matches n left join users u on u."id" = n."idUser" left join services s on s."id" = n."idService"
    where n."idChannel" = ${idChannel} and not n."deleted" order by n."state" <> 'new', n."kind", n."outerName", n."id" limit ${MOST}`)

/** The lines, and what is offered for those that are not matched: ours that no other line has. */
async function offeredFor(db: Queryable, channel: Channel) {
  const rows = await rowsOf(db, channel.id)
  const ours = await oursOf(db, channel)
  const taken = new Set(rows.flatMap(({ kind, idOurs }) => (idOurs === null ? [] : [`${kind} ${idOurs}`])))
  return rows.map(({ idOurs, ours: name, ...row }) => ({
    ...row,
    ours: idOurs === null ? null : { id: idOurs, name: name ?? '' },
    suggestion:
      row.state === 'new'
        ? (suggestionOf(
            { kind: row.kind, name: row.outerName, code: row.outerCode },
            ours[row.kind].filter(({ id }) => !taken.has(`${row.kind} ${id}`)),
          ) ?? null)
        : null,
  }))
}

const matches = operation(outsideCalls.matches, async ({ app, records, params: { id } }) => {
  await records.row(BookingChannel, id)
  return { items: await offeredFor(app.db.reads, await anyChannel(app.db, id)) }
})

const matchLists = operation(outsideCalls.matchLists, ({ records, params: { id }, body: { kind, text } }) =>
  records.tx(async (inside, tx) => {
    await inside.row(BookingChannel, id)
    await tx.query(sql`select 1 from booking_channels where "id" = ${id} for update`)
    const known = await tx.query<{ name: string }>(sql`
      select lower("outerName") as name from booking_channels_matches where "idChannel" = ${id} and "kind" = ${kind} and not "deleted"`)
    const there = new Set(known.map(({ name }) => name))
    const fresh = linesOf(text)
      .filter(({ name }) => !there.has(name.toLowerCase()))
      .slice(0, MOST - there.size)
    await inside.asSystem.createMany(
      ChannelMatch,
      fresh.map(({ name, code }) => ({ idChannel: id, kind, outerName: name, outerCode: code })) as Create<
        typeof ChannelMatch
      >[],
      { pastHooks: 'They name none of ours yet' },
    )
    return { added: fresh.length }
  }),
)

const confirmMatches = operation(outsideCalls.confirmMatches, ({ records, params: { id } }) =>
  records.tx(async (inside, tx) => {
    await inside.row(BookingChannel, id)
    await tx.query(sql`select 1 from booking_channels where "id" = ${id} for update`)
    const taken = new Set<string>()
    let left = 0
    for (const { id: idLine, kind, state, suggestion } of await offeredFor(tx, await anyChannel(tx, id))) {
      if (state !== 'new') continue
      // Two lines for one of ours: the second one needs a person.
      const mark = `${kind} ${suggestion?.id}`
      if (!suggestion || taken.has(mark)) left += 1
      else {
        taken.add(mark)
        await inside.update(ChannelMatch, idLine, {
          [kind === 'doctor' ? 'idUser' : 'idService']: suggestion.id,
          state: 'matched',
        })
      }
    }
    return { matched: taken.size, left }
  }),
)

/** Message about the unmatched lines of a seller's list. */
export async function unmatchedWords(db: Queryable, idChannel: number): Promise<string[]> {
  const row = await db.one<{ count: number }>(sql`select count(*)::int as count from booking_channels_matches
    where "idChannel" = ${idChannel} and "state" = 'new' and not "deleted"`)
  return row?.count
    ? [`Не сопоставлено ${counted(row.count, ['строка', 'строки', 'строк'])} списка площадки: вкладка «Сопоставление»`]
    : []
}

export const matchCalls = [matches, matchLists, confirmMatches]
