import { visitStatuses } from '@ordinator/model/areas/visits/rules'
import { Appointment, Coupon, CouponService, Desk, LinePerformer } from '@ordinator/model/areas/visits/visit'
import { AppointmentMove, VisitChange } from '@ordinator/model/areas/visits/visitChange'
import { VisitScore } from '@ordinator/model/areas/visits/visitScore'
import sql, { raw, type Sql } from 'sql-template-tag'
import { couponCountsSql, lineCountsSql } from '#areas/counted/index.ts'
import { lineCostSql, lineDueSql, linePaidSql, soldFieldSql, soldServiceSql } from '#areas/money/index.ts'
import { checkReferrer } from '#areas/referrers/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { labelSql } from '#records/labels.ts'
import { billVisit } from './bill.ts'
import { namesOfGear } from './equipment.ts'
import { settleFreed } from './freed.ts'
import { lockTaken, release } from './occupancy.ts'
import { abovePromise } from './prices.ts'
import { visitScope } from './scope.ts'

/** SQL of the names of the services of a visit. */
const servicesSql = (
  row: Sql,
): Sql => sql`coalesce((select string_agg(coalesce(v."shortNameService", v."nameService"), ', '
    order by c."dateFrom", l."id")
  from coupons c join coupon_services l on l."idCoupon" = c."id" and ${lineCountsSql()} join services v on v."id" = l."idService"
  where c."idAppointment" = ${row}."id" and not c."deleted"), '')`

const sumOf = (row: Sql, what: Sql): Sql => sql`(select coalesce(sum(${what}), 0) from coupon_services l
  where l."idCoupon" = ${row}."id" and ${lineCountsSql()})`
const line = raw('l')
const dueSql = (row: Sql): Sql => sumOf(row, lineDueSql(line))
const paymentSql = (row: Sql): Sql => sql`(select coalesce(sum(p."allocated"), 0)::numeric / 100 from coupon_services l
  join ledger_lines p on p."idLine" = l."id" where l."idCoupon" = ${row}."id" and not l."deleted")`

export const appointments = records(Appointment, {
  scope: visitScope,
  found: {
    on: 'calendar',
    group: 'Записи',
    by: ['note'],
    day: 'localDate',
    opens: ({ row }) =>
      sql`'/calendar?filial=' || ${row}."idFilial" || '&day=' || ${row}."localDate" || '&visit=' || ${row}."id"`,
    hint: ({ row }) => sql`to_char(${row}."localDate", 'DD.MM.YYYY') || ' ' || ${row}."localStart"`,
  },
  thread: {
    of: 'customers',
    kind: 'visits',
    name: 'Записи и визиты',
    when: 'dateFrom',
    belongs: ({ row }, id) => sql`${row}."idCustomer" = ${id}`,
    title: ({ row }) =>
      sql`concat_ws(': ', ${labelSql(sql`${row}."visitStatus"`, visitStatuses)}, nullif(${servicesSql(row)}, ''))`,
    hint: ({ row }) => sql`concat_ws(' · ', (select string_agg(distinct ${shortFioSql(sql`u`)}, ', ') from coupons c
        join users u on u."id" = c."idUser" where c."idAppointment" = ${row}."id" and not c."deleted"),
      (select coalesce(nullif(f."shortFilialName", ''), f."nameFilial") from filials f where f."id" = ${row}."idFilial"))`,
    opens: ({ row }) =>
      sql`'/calendar?filial=' || ${row}."idFilial" || '&day=' || ${row}."localDate" || '&visit=' || ${row}."id"`,
  },
  computed: {
    services: ({ row }) => servicesSql(row),
    finalCostWithBonuses: ({ row }) => sql`(select coalesce(sum(${lineDueSql(line)}), 0) from coupon_services l
      join coupons c on c."id" = l."idCoupon" where c."idAppointment" = ${row}."id" and ${couponCountsSql()} and ${lineCountsSql()})`,
  },
  hooks: {
    async beforeUpdate({ tx, actor }, { idReferrer }, before) {
      if (idReferrer && idReferrer !== before.idReferrer && !actor.system)
        await checkReferrer(tx, idReferrer, before.localDate)
    },
    async beforeDelete(context, { id }) {
      const { tx } = context
      await lockTaken(tx, sql`select "id" from coupons where "idAppointment" = ${id}`)
      const rows = await tx.query<{ id: number }>(sql`select "id" from coupons where "idAppointment" = ${id}`)
      const idCoupons = rows.map((one) => one.id)
      await settleFreed(context, await release(tx, idCoupons))
    },
    // Its time may be taken meanwhile: it is restored as cancelled.
    async afterRestore({ records: all }, { id }) {
      await all.asSystem.update(Appointment, id, { visitStatus: 'cancelled', cancelReason: 'double' })
    },
  },
})

export const coupons = records(Coupon, {
  computed: {
    finalCost: ({ row }) => sumOf(row, lineCostSql(line)),
    finalCostWithBonuses: ({ row }) => dueSql(row),
    payment: ({ row }) => paymentSql(row),
    equipment: ({ row }) => namesOfGear(row),
    soldService: ({ row }) => sql`(select ${soldServiceSql(sql`l`)} from coupon_services l
      where l."idCoupon" = ${row}."id" and l."idService" = ${row}."idService" and not l."deleted" order by l."cancelled", l."id" limit 1)`,
    status: ({ row }) => sql`case when ${row}."cancelled" then 'cancelled'
      when ${dueSql(row)} > 0 and ${paymentSql(row)} >= ${dueSql(row)} then 'paid'
      when ${paymentSql(row)} > 0 then 'partlyPaid'
      when exists (select 1 from coupon_services l where l."idCoupon" = ${row}."id" and not l."deleted" and l."completed")
        and not exists (select 1 from coupon_services l where l."idCoupon" = ${row}."id" and ${lineCountsSql()}
          and not l."completed") then 'completed'
      else 'planned' end`,
  },
})

export const couponServices = records(CouponService, {
  computed: {
    soldService: ({ row }) => soldServiceSql(row),
    soldName: ({ row }) =>
      sql`(select ${soldFieldSql(row, sql`s`, 'nameService')} from services s where s."id" = ${row}."idService")`,
    finalCost: ({ row }) => lineCostSql(row),
    finalCostWithBonuses: ({ row }) => lineDueSql(row),
    paid: ({ row }) => linePaidSql(row),
  },
  hooks: {
    async beforeUpdate({ tx, actor }, value, before) {
      const agreed = (['price', 'qty'] as const).find(
        (field) =>
          value[field] !== undefined &&
          value[field] !== before[field] &&
          // Past the term of the plan's prices a line costs the list price, and still counts against the agreed
          // quantity.
          (field === 'qty' ? before.idPlanItem !== null || before.idMembership !== null : before.isFixed),
      )
      const by =
        before.idMembership !== null
          ? 'Задано абонементом: сначала снимите с него'
          : before.idInsured !== null
            ? 'Цена договора с плательщиком: сначала отметьте, что платит пациент'
            : 'Согласовано планом лечения'
      if (agreed && !actor.system) throw new ValidationError([{ field: agreed, message: by }])
      if (value.price !== undefined && value.price !== before.price && !actor.system) {
        // Without a reason (`PUT /coupon-services/:id`) no price is above the quoted one.
        const words = await abovePromise(tx, before, value.price)
        if (words) throw new HttpError(409, words, { code: 'promised' })
        Object.assign(value, { byHand: true })
      }
      const visit = await tx.one<{ done: boolean }>(sql`select a."visitStatus" = 'completed' as done from appointments a
        join coupons c on c."idAppointment" = a."id" where c."id" = ${before.idCoupon}`)
      if (visit?.done)
        throw new HttpError(409, 'Визит завершён: чтобы изменить услуги, возобновите его', { code: 'transition' })
    },
    async afterUpdate({ records: all, tx }, { idCoupon }) {
      const { idAppointment } = await all.asSystem.row(Coupon, idCoupon)
      await billVisit(all, tx, idAppointment)
    },
  },
})

/** The shares of a line's performers never exceed 100 %. The visit's history records them. */
export const linePerformers = records(LinePerformer, {
  about: {
    path: Appointment.path,
    id: ({ row }) => sql`(select c."idAppointment" from coupon_services l join coupons c on c."id" = l."idCoupon"
      where l."id" = ${row}."idCouponService")`,
  },
  hooks: {
    beforeCreate: ({ tx }, { idCouponService, share }) => mustFit(tx, idCouponService, share, 0),
    beforeUpdate: ({ tx }, { share }, before) =>
      share === undefined ? undefined : mustFit(tx, before.idCouponService, share, before.id),
  },
})

async function mustFit(
  tx: Parameters<typeof release>[0],
  idLine: number,
  share: number,
  except: number,
): Promise<void> {
  await tx.query(sql`select 1 from coupon_services where "id" = ${idLine} for update`)
  const rest = await tx.one<{ left: number }>(sql`select (100 - coalesce(sum("share"), 0))::float8 as left
    from coupon_services_performers where "idCouponService" = ${idLine} and "id" <> ${except} and not "deleted"`)
  if (rest && share > rest.left)
    throw new ValidationError([
      { field: 'share', message: `Вместе исполнители получают не больше 100 %: осталось ${rest.left}` },
    ])
}

export const appointmentMoves = records(AppointmentMove)
export const visitChanges = records(VisitChange)
export const visitScores = records(VisitScore)
export const desks = records(Desk)
