/** Shifts, rooms, equipment and the waiting list of the demo clinic. */

import { Equipment, EquipmentKind, ServiceEquipment } from '@ordinator/model/areas/visits/equipment'
import { StaffEvent } from '@ordinator/model/areas/visits/shift'
import { WaitingEntry } from '@ordinator/model/areas/visits/waiting'
import sql, { raw, type Sql } from 'sql-template-tag'
import { demoFilials, demoStaff } from '#areas/staff/index.ts'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { equipmentSql } from './occupancy.ts'
import { endSql, momentSql, zoneSql } from './times.ts'

export const pastHooks = { pastHooks: 'The demo clinic is laid out as a whole, without clashes' }

/** Branch and role of each employee. */
export const places = demoStaff.map(({ login, filial, role }) => ({ login, role, name: demoFilials[filial] }))

/** Scanners, as many in a branch as doctors who use them: each visit gets its doctor's. */
export async function demoEquipment(records: Records, tx: Tx): Promise<void> {
  const system = records.asSystem
  const { id: idKind } = await system.create(EquipmentKind, { name: 'Аппарат УЗИ' })
  await system.createFrom(
    ServiceEquipment,
    sql`services v where v."nameService" ilike 'УЗИ%' and not v."deleted" order by v."id"`,
    { idService: raw('v."id"'), idKind },
    pastHooks,
  )
  const scanned = raw(`coupons c join service_equipment n on n."idService" = c."idService"`)
  await system.createFrom(
    Equipment,
    sql`(select c."idFilial", count(distinct c."idUser")::int as "count" from ${scanned} group by 1) q order by q."idFilial"`,
    { idFilial: raw('q."idFilial"'), idKind, capacity: raw('q."count"') },
    pastHooks,
  )
  await tx.query(sql`insert into visit_occupancy ("resource", "lane", "during", "idCoupon")
    select ${equipmentSql(raw('q."id"'))}, d.lane, tstzrange(c."dateFrom", c."dateTo"), c."id"
    from ${scanned} join appointments a on a."id" = c."idAppointment" join filials_equipment q on q."idFilial" = c."idFilial"
      join (select c."idFilial", c."idUser", row_number() over (partition by c."idFilial" order by c."idUser") - 1 as lane
        from ${scanned} group by 1, 2) d on d."idFilial" = c."idFilial" and d."idUser" = c."idUser"
    where c."dateTo" > now() - interval '1 day' and a."visitStatus" not in ('cancelled', 'noShow', 'moved')`)
}

/** In each branch a few waiting-list entries for services that are performed there. */
export async function demoWaiting(records: Records): Promise<void> {
  await records.asSystem.createFrom(
    WaitingEntry,
    sql`filials f
      cross join lateral (select distinct on (sp."idService") sp."idService" from service_performers sp
        join staff_events e on e."idUser" = sp."idUser" and e."idFilial" = f."id" and e."type" = 'shift'
        where not sp."deleted" order by sp."idService" limit 3) v
      join lateral (select row_number() over () as n, c."id" from customers c where c."id" % 7 = (f."id" + v."idService") % 7
        order by c."id" limit 2) p on true
      order by f."id", v."idService", p.n`,
    {
      idCustomer: raw('p."id"'),
      idFilial: raw('f."id"'),
      idService: raw('v."idService"'),
      urgency: raw('(v."idService" + p.n) % 3'),
      clockTo: raw(`case when p.n = 2 then '14:00' end`),
      idAuthor: raw(`(select "id" from users where "login" = 'operator')`),
      dateCreate: raw(`now() - make_interval(days => (p.n * 4 + v."idService" % 5)::int)`),
    },
    pastHooks,
  )
}

/**
 * Shifts: four days a week, mornings and afternoons in alternating weeks, never two doctors in a room at once; shorter
 * on Sundays where the branch is open.
 */
export async function demoShifts(records: Records, [first, last]: readonly [Sql, Sql]): Promise<void> {
  const zone = zoneSql(raw('f'))
  const from = raw(`case when (d.n + w.week) % 2 = 0 then case when w.dow < 7 then '08:00' else '09:00' end
    when w.dow < 7 then '14:00' else '12:00' end`)
  const to = raw(`case when (d.n + w.week) % 2 = 0 then case when w.dow < 7 then '13:00' else '12:00' end
    when w.dow < 7 then '19:00' else '15:00' end`)
  await records.asSystem.createFrom(
    StaffEvent,
    sql`(select u."id", f."id" as "idFilial", row_number() over (partition by f."id" order by u."id") as n
        from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p("login" text, "role" text, "name" text)
          join users u on u."login" = p."login" join filials f on f."nameFilial" like '%' || p."name"
        where u."post" ilike 'врач%') d
      join filials f on f."id" = d."idFilial"
      join (select r.*, row_number() over (partition by r."idFilial" order by r."id") - 1 as at,
          count(*) over (partition by r."idFilial") as rooms from filials_rooms r where not r."deleted") r
        on r."idFilial" = f."id" and r.at = (d.n - 1) / 2 % r.rooms
      cross join generate_series(${first}, ${last}, '1 day') g(t)
      cross join lateral (select g.t::date as day, extract(week from g.t)::int as week, extract(isodow from g.t)::int as dow) w
      where (w.dow < 7 or jsonb_typeof(f."workingHours" -> 'sunday') = 'object') and (w.dow + d.n) % 3 <> 0
        and not exists (select 1 from filials_holidays h where h."idFilial" = f."id" and h."day" = w.day)
      order by w.day, d."id"`,
    {
      type: 'shift',
      idUser: raw('d."id"'),
      idFilial: raw('d."idFilial"'),
      idRoom: raw('r."id"'),
      localDate: raw('w.day'),
      localFrom: from,
      localTo: to,
      dateFrom: momentSql(raw('w.day'), from, zone),
      dateTo: endSql(raw('w.day'), from, to, zone),
      idAuthor: raw(`(select "id" from users where "login" = 'manager')`),
    },
    pastHooks,
  )
}
