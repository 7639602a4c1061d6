/** Tables of visits and plans. A row of a visit is a service of a coupon: a chain of several doctors is several visits. */
import type { PastLine, PastStatus } from '@ordinator/model/areas/moving/move'
import type { VisitStatus } from '@ordinator/model/areas/visits/rules'
import sql, { raw } from 'sql-template-tag'
import { lineCountsSql } from '#areas/counted/index.ts'
import { lineCostSql, linePaidSql, soldFieldSql } from '#areas/money/index.ts'
import { KEY } from '#areas/moving/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import { kopecks, rubles } from '../cells.ts'
import type { Group } from '../csv.ts'
import { comingSql, couponsSql, type Names, planSql, restOfItemSql } from '../names.ts'
import { patientsOf, type Source } from '../portions.ts'
import type { Totals } from '../totals.ts'

/** In words that the moving-in knows. */
const statusWords: Readonly<Record<PastStatus, string>> = {
  held: 'Состоялся',
  cancelled: 'Отменён',
  missed: 'Не пришёл',
}

const UNMARKED = 'Состояние в прежней программе не отмечено'

/** What became of a visit of the past; one that was never marked as begun did not take place. */
const pastStatus: Readonly<Record<VisitStatus, PastStatus>> = {
  completed: 'held',
  inProgress: 'held',
  arrived: 'held',
  booked: 'missed',
  confirmed: 'missed',
  noShow: 'missed',
  cancelled: 'cancelled',
  moved: 'cancelled',
}

interface Line {
  name: string
  qty: number
  /** Rubles. */
  sum: number | null
  discount: number
  paid: number
}

interface Visit {
  key: string
  idCustomer: number
  localDate: string
  localStart: string | null
  doctor: string
  status: PastStatus
  lines: readonly Line[]
  paid: number | null
  discount: number | null
  payment: string | null
  source: string | null
  author: string | null
  note: string | null
}

export async function* visits(source: Source, names: Names, totals: Totals): AsyncGenerator<Group> {
  const stage = source.stage('Прошлые визиты', 45, 60, source.patients)
  for await (const ids of patientsOf(source)) {
    const all = [...(await heldHere(source, names, ids)), ...(await movedHere(source, names, ids))]
    all.sort(
      (a, b) =>
        a.idCustomer - b.idCustomer ||
        compare(a.localDate, b.localDate) ||
        compare(a.localStart ?? '', b.localStart ?? '') ||
        compare(a.key, b.key),
    )
    for (const visit of all) {
      const sum = visit.lines.reduce((whole, line) => whole + Math.round((line.sum ?? 0) * 100), 0)
      if (visit.status === 'held' && sum > 0) totals.add('visit', visit.idCustomer, sum)
      yield rowsOf(source, visit)
    }
    stage.done(ids.length)
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** One row for each service; values of the whole visit are in the first. */
function rowsOf({ mark }: Source, visit: Visit): Group {
  const lines: readonly (Line | undefined)[] = visit.lines.length > 0 ? visit.lines : [undefined]
  return lines.map((line, at) => ({
    [KEY]: `${mark}-${visit.key}`,
    'Код пациента': `${mark}-${visit.idCustomer}`,
    Дата: visit.localDate,
    Время: visit.localStart ?? '',
    Врач: visit.doctor,
    Услуга: line?.name ?? '',
    Количество: line && line.qty !== 1 ? String(line.qty).replace('.', ',') : '',
    Сумма: rubles(line?.sum ?? null),
    Состояние: statusWords[visit.status],
    ...(at === 0 && {
      Оплачено: rubles(visit.paid),
      'Способ оплаты': visit.payment ?? '',
      Скидка: rubles(visit.discount),
      Источник: visit.source ?? '',
      'Кто записал': visit.author ?? '',
      Примечание: visit.note ?? '',
    }),
  }))
}

/** Coupons of visits of the branch that are past: by what was given in them. */
async function heldHere(source: Source, names: Names, ids: readonly number[]): Promise<Visit[]> {
  const l = raw('l')
  const rows = await source.app.db.query<{
    id: number
    idCustomer: number
    localDate: string
    localStart: string
    idUser: number
    visitStatus: VisitStatus
    cancelled: boolean
    isFirst: boolean
    note: string | null
    author: string | null
    lines: (Line & { completed: boolean; cancelled: boolean })[]
  }>(sql`select c."id"::int as id, a."idCustomer"::int as "idCustomer", c."localDate"::text as "localDate", c."localStart",
      c."idUser"::int as "idUser", a."visitStatus", c."cancelled", a."note",
      c."id" = (select min(f."id") from coupons f where f."idAppointment" = a."id" and not f."deleted") as "isFirst",
      case when u."id" is not null then ${fioSql(raw('u'))} end as author,
      coalesce((select jsonb_agg(jsonb_build_object('name', ${soldFieldSql(l, raw('s'), 'nameService')}, 'qty', l."qty",
          'sum', ${lineCostSql(l)}, 'discount', l."discount", 'paid', ${linePaidSql(l)}, 'completed', l."completed",
          'cancelled', l."cancelled") order by l."id")
        from coupon_services l join services s on s."id" = l."idService" where l."idCoupon" = c."id" and not l."deleted"), '[]') as lines
    from ${couponsSql(source)} left join users u on u."id" = a."idAuthor"
    where a."idCustomer" = any (${ids as number[]}::bigint[]) and c."localDate" <= ${source.day}::date and not ${comingSql(source)}`)
  return rows.map((row) => {
    const status = row.cancelled ? 'cancelled' : pastStatus[row.visitStatus]
    const lines = row.lines.filter((one) => (status === 'held' ? one.completed : !one.cancelled))
    const sum = (of: 'paid' | 'discount') => lines.reduce((all, one) => all + Math.round(one[of] * 100), 0) / 100
    const isUnmarked = row.visitStatus === 'booked' || row.visitStatus === 'confirmed'
    const note = [row.isFirst ? row.note : null, isUnmarked ? UNMARKED : null].filter(Boolean).join('\n')
    return {
      key: `${row.id}`,
      idCustomer: row.idCustomer,
      localDate: row.localDate,
      localStart: row.localStart,
      doctor: names.user(row.idUser),
      status,
      lines,
      paid: sum('paid') || null,
      discount: sum('discount') || null,
      payment: null,
      source: null,
      author: row.author,
      note: note || null,
    }
  })
}

/** Visits that the clinic itself has once moved in: of patients who were nowhere else, or into this branch. */
async function movedHere(source: Source, names: Names, ids: readonly number[]): Promise<Visit[]> {
  const rows = await source.app.db.query<{
    id: number
    idCustomer: number
    localDate: string
    localStart: string | null
    doctorName: string | null
    idDoctor: number | null
    status: PastStatus
    lines: PastLine[] | null
    services: string | null
    sum: number | null
    paid: number | null
    discount: number | null
    payment: string | null
    sourceName: string | null
    bookedBy: string | null
    note: string | null
  }>(sql`select p."id"::int as id, p."idCustomer"::int as "idCustomer", p."localDate"::text as "localDate", p."localStart",
      p."doctorName", p."idDoctor"::int as "idDoctor", p."status", p."lines", p."services", p."sum"::float8 as sum,
      p."paid"::float8 as paid, p."discount"::float8 as discount, p."payment", p."sourceName", p."bookedBy", p."note"
    from customers_past_visits p join handover_patients h on h."idHandover" = ${source.id} and h."idCustomer" = p."idCustomer"
    where p."idCustomer" = any (${ids as number[]}::bigint[]) and not p."deleted" and (h."isOnly" or exists (
      select from moving_made m join moving_files f on f."id" = m."idFile" join moving v on v."id" = f."idMove"
      where m."path" = 'customers/past-visits' and m."idEntity" = p."id" and v."idFilial" = ${source.idFilial}))`)
  return rows.map((row) => ({
    ...row,
    // Beside the keys of coupons.
    key: `п${row.id}`,
    doctor: row.doctorName ?? names.user(row.idDoctor),
    lines: (row.lines?.length ? row.lines : row.services ? [{ name: row.services, qty: 1, sum: row.sum }] : []).map(
      (line) => ({ ...line, discount: 0, paid: 0 }),
    ),
    source: row.sourceName,
    author: row.bookedBy,
  }))
}

/** Coupons that are to come. */
export async function* appointments(source: Source, names: Names): AsyncGenerator<Group> {
  const stage = source.stage('Предстоящие визиты', 60, 63, source.patients)
  const l = raw('l')
  for await (const ids of patientsOf(source)) {
    const rows = await source.app.db.query<{
      id: number
      idCustomer: number
      localDate: string
      localStart: string
      idUser: number
      minutes: number
      room: string | null
      note: string | null
      lines: { idService: number; cost: number }[]
    }>(sql`select c."id"::int as id, a."idCustomer"::int as "idCustomer", c."localDate"::text as "localDate", c."localStart",
        c."idUser"::int as "idUser", c."minutes", r."name" as room, a."note",
        coalesce((select jsonb_agg(jsonb_build_object('idService', l."idService", 'cost', ${lineCostSql(l)}) order by l."id")
          from coupon_services l where l."idCoupon" = c."id" and ${lineCountsSql()}), '[]') as lines
      from ${couponsSql(source)} left join filials_rooms r on r."id" = c."idRoom"
      where a."idCustomer" = any (${ids}::bigint[]) and ${comingSql(source)}
      order by a."idCustomer", c."localDate", c."localStart", c."id"`)
    for (const row of rows)
      yield [
        {
          [KEY]: `${source.mark}-${row.id}`,
          'Код пациента': `${source.mark}-${row.idCustomer}`,
          Дата: row.localDate,
          Время: row.localStart,
          Врач: names.user(row.idUser),
          Услуга: row.lines.map(({ idService }) => names.service(idService)).join('; '),
          Кабинет: row.room ?? '',
          'Длительность, мин': `${row.minutes}`,
          Цена: kopecks(row.lines.reduce((all, { cost }) => all + Math.round(cost * 100), 0)),
          Примечание: row.note ?? '',
        },
      ]
    stage.done(ids.length)
  }
}

/** Cancelled visits of days to come: history that no table takes. */
export async function cancelledAhead(source: Source): Promise<number> {
  const found = await source.app.db.one<{ count: number }>(sql`select count(*)::int as count from ${couponsSql(source)}
    join handover_patients h on h."idHandover" = ${source.id} and h."idCustomer" = a."idCustomer"
    where c."localDate" > ${source.day}::date and not ${comingSql(source)}`)
  return found?.count ?? 0
}

/** What is still to do of plans. */
export async function* plans(source: Source, names: Names, totals: Totals): AsyncGenerator<Group> {
  const stage = source.stage('Планы лечения', 63, 66, source.patients)
  for await (const ids of patientsOf(source)) {
    const rows = await source.app.db.query<{
      id: number
      idCustomer: number
      idDoctor: number
      name: string
      diagnosis: string | null
      items: {
        stage: number
        name: string
        zone: string | null
        idService: number
        qty: number
        rest: number
        price: number | null
        discount: number
      }[]
    }>(sql`select p."id"::int as id, p."idCustomer"::int as "idCustomer", p."idDoctor"::int as "idDoctor", p."name", p."diagnosis",
        (select jsonb_agg(jsonb_build_object('stage', s."id", 'name', s."name", 'zone', s."zone", 'idService', i."idService",
            'qty', i."qty", 'rest', ${restOfItemSql}, 'price', i."price", 'discount', i."discount") order by s."order", s."id", i."order", i."id")
          from customer_plans_stages s join customer_plans_items i on i."idStage" = s."id" and not i."deleted" and not i."cancelled"
          where s."idPlan" = p."id" and not s."deleted") as items
      from customer_plans p join handover_patients h on h."idHandover" = ${source.id} and h."idCustomer" = p."idCustomer"
      where p."idCustomer" = any (${ids}::bigint[]) and ${planSql(source)} order by p."idCustomer", p."id"`)
    for (const plan of rows) {
      const items = (plan.items ?? []).filter(({ rest }) => rest > 0)
      const stages = stageNames(items)
      const group = items.map((item) => {
        // Rounded in favour of the patient.
        const price =
          item.price === null
            ? null
            : Math.floor(((item.price * item.qty - item.discount) * 100) / item.qty + 1e-6) / 100
        if (price) totals.add('plan', plan.idCustomer, Math.round(price * 100) * item.rest)
        return {
          [KEY]: `${source.mark}-${plan.id}`,
          'Код пациента': `${source.mark}-${plan.idCustomer}`,
          План: plan.name,
          Врач: names.user(plan.idDoctor),
          Этап: stages.get(item.stage) ?? '',
          Услуга: names.service(item.idService),
          Количество: item.rest === 1 ? '' : `${item.rest}`,
          Цена: rubles(price),
          'Зуб, зона': item.zone ?? '',
          Диагноз: plan.diagnosis ?? '',
        }
      })
      if (group.length > 0) yield group
    }
    stage.done(ids.length)
  }
}

/** Stages differ by their names: those of one name are numbered. */
function stageNames(items: readonly { stage: number; name: string }[]): Map<number, string> {
  const names = new Map<number, string>()
  for (const { stage, name } of items) {
    if (names.has(stage)) continue
    const taken = new Set(names.values())
    let own = name
    for (let at = 2; taken.has(own); at++) own = `${name} (${at})`
    names.set(stage, own)
  }
  return names
}
