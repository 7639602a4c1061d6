import { Appeal, type PromiseKind, type PromiseSource } from '@ordinator/model/areas/appeals/appeal'
import { Call } from '@ordinator/model/areas/calls/call'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { OnlineDialog } from '@ordinator/model/areas/chats/online'
import type { Entity } from '@ordinator/model/entity'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { fioSql, ifFound } from '#areas/staff/index.ts'

/** One kind of promise in one kind of record. */
interface Part {
  of: Entity
  kind: PromiseKind
  source: PromiseSource
  /**
   * `select id, who, "idCustomer", phone, about, due, "idOwner", "idFilial"`; for a name from the card, `idCustomer` is
   * set
   */
  rows: Sql
}

/** Of an appeal `a`; null for a restricted card. */
const PHONE_OF_PATIENT = `(select p."phone" from customers p where p."id" = a."idCustomer" and p."secretLevel" = 'none')`

/** @param seesPatients include a patient's name and number for calls */
const parts = (seesPatients: boolean): readonly Part[] => {
  const patient = seesPatients
    ? sql`${ifFound(raw('p'), fioSql)} as who, p."id" as "idCustomer"`
    : sql`null as who, null::bigint as "idCustomer"`
  const cardOf = (row: string) => raw(seesPatients ? `${row}."idCustomer"` : 'null::bigint')
  return [
    {
      of: Call,
      kind: 'callBack',
      source: 'call',
      // One promise per number: its oldest waiting missed call.
      rows: sql`select c."id", ${patient}, c."contactPhone" as phone, null as about,
          coalesce(c."recallDueAt", c."dateCreate") as due, coalesce(c."idOwner", c."idFirstUser") as "idOwner", c."idFilial"
        from (select distinct on ("contactPhone") * from calls
          where "recall" and "contactPhone" is not null order by "contactPhone", "dateCreate") c
        left join customers p on p."id" = c."idCustomer"`,
    },
    {
      of: Call,
      kind: 'outcome',
      source: 'call',
      rows: sql`select c."id", ${patient}, c."contactPhone" as phone, null as about, c."dateEnd" as due,
          coalesce(c."idOwner", c."idUser") as "idOwner", c."idFilial"
        from calls c left join customers p on p."id" = c."idCustomer" where c."needsEnd"`,
    },
    {
      of: Call,
      kind: 'next',
      source: 'call',
      rows: sql`select c."id", ${patient}, c."contactPhone" as phone, c."nextStep" as about, c."dateNextStep" as due,
          coalesce(c."idOwner", c."idUser") as "idOwner", c."idFilial"
        from calls c left join customers p on p."id" = c."idCustomer"
        where c."dateNextStep" is not null and c."idOutcome" is null`,
    },
    {
      of: LiveAssist,
      kind: 'answer',
      source: 'chat',
      rows: sql`select c."id", c."name" as who, ${cardOf('c')} as "idCustomer", c."phone", c."lastMessage" as about,
          coalesce(c."nextDueAt", c."queuedAt") as due, c."idUser" as "idOwner", c."idFilial" from live_assist c
        where c."status" = 'active' and c."handler" <> 'robot' and c."queuedAt" is not null and not c."deleted"`,
    },
    {
      of: LiveAssist,
      kind: 'next',
      source: 'chat',
      rows: sql`select c."id", c."name" as who, ${cardOf('c')} as "idCustomer", c."phone", c."nextStep" as about, c."dateNextStep" as due,
          coalesce(c."idOwner", c."idUser", c."lastUser") as "idOwner", c."idFilial" from live_assist c
        where c."dateNextStep" is not null and c."idOutcome" is null and not c."deleted"`,
    },
    {
      of: OnlineDialog,
      kind: 'answer',
      source: 'dialog',
      // Messages to a doctor are visible to that doctor, those of a sealed card to users who opened it.
      rows: sql`select c."id", ${patient},
          ${seesPatients ? sql`case when p."secretLevel" = 'none' then p."phone" end` : raw('null')} as phone,
          case when c."kind" <> 'doctor' and p."secretLevel" = 'none' then c."lastMessage" end as about,
          coalesce(c."nextDueAt", c."queuedAt") as due, c."idUser" as "idOwner", c."idFilial"
        from service_online c left join customers p on p."id" = c."idCustomer"
        where c."status" in ('new', 'active') and c."queuedAt" is not null and not c."deleted"`,
    },
    ...([true, false] as const).map(
      (isNext): Part => ({
        of: Appeal,
        kind: isNext ? 'next' : 'outcome',
        source: 'appeal',
        rows: sql`select a."id", a."customerFullName" as who, ${cardOf('a')} as "idCustomer", coalesce(a."customerPhone",
              ${seesPatients ? raw(PHONE_OF_PATIENT) : raw('null')}) as phone,
            coalesce(a."nextStep", a."description") as about,
            ${isNext ? sql`a."dateNextStep"` : sql`coalesce(a."deadline", a."dateStart")`} as due, a."idOwner", a."idFilial"
          from appeals a where a."outcome" is null
            and (a."status" <> 'closed' or a."dateNextStep" is not null)
            and (a."status" <> 'draft' or a."dateNextStep" is not null)
            and not a."deleted" and a."dateNextStep" is ${isNext ? sql`not null` : sql`null`}`,
      }),
    ),
  ]
}

/**
 * SQL of open promises: what, source, id, who, "idCustomer", phone, about, due, "idOwner", "idFilial".
 * @param sees whether the user sees records of an entity
 * @param narrowed adds a condition, an order and a limit to each kind, so that each scans no more than needed
 */
export function promisesSql(
  sees: (entity: Entity) => boolean,
  seesPatients: boolean,
  narrowed: (part: Pick<Part, 'kind' | 'source'>) => Sql = () => empty,
): Sql {
  const visible = parts(seesPatients).filter(({ of }) => sees(of))
  return join(
    visible.map(
      ({ kind, source, rows }) =>
        sql`(select ${kind}::text as what, ${source}::text as source, f.* from (${rows}) f ${narrowed({ kind, source })})`,
    ),
    ' union all ',
  )
}
