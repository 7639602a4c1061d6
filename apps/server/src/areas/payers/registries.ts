/**
 * Registries: the given services of a month that a payer is asked to pay for. A draft is collected anew; a sent one is
 * frozen. What was cut is claimed again by a line of another registry, goes to the patient, or is written off; nothing is
 * deleted.
 */

import { payerCalls } from '@ordinator/model/areas/payers/calls'
import { PayerContract } from '@ordinator/model/areas/payers/contract'
import { PayerRegistry, RegistryLine } from '@ordinator/model/areas/payers/registry'
import { type RegistryColumn, registryColumns } from '@ordinator/model/areas/payers/rules'
import type { Create, Row } from '@ordinator/model/entity'
import { formatDay } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import { isGivenSql, visitLinesSql } from '#areas/counted/index.ts'
import { openName } from '#areas/customers/index.ts'
import { dayOf, lockCustomers, soldFieldSql } from '#areas/money/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { dbfOf } from '#platform/dbf.ts'
import { disposition } from '#platform/disposition.ts'
import { HttpError } from '#platform/errors.ts'
import { xlsxStream } from '#platform/xlsxStream.ts'
import type { ServerActor } from '#records/actor.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'

const of = (row: Sql, what: Sql): Sql =>
  sql`(select ${what} from payer_registries_lines z where z."idRegistry" = ${row}."id")`

/** SQL of the rubles that a payer has paid for a registry. */
const paidSql = (row: Sql): Sql => sql`coalesce((select sum(m."amount") from payer_moves m
  where m."idRegistry" = ${row}."id" and m."as" = 'paid'), 0)::numeric(14,2)`

export const registries = records(PayerRegistry, {
  computed: {
    lines: ({ row }) => of(row, sql`count(*)::int`),
    claimed: ({ row }) => of(row, sql`coalesce(sum(z."sum"), 0)::numeric(14,2)`),
    accepted: ({ row }) => of(row, sql`coalesce(sum(z."accepted"), 0)::numeric(14,2)`),
    cut: ({ row }) => of(row, sql`coalesce(sum(z."cut"), 0)::numeric(14,2)`),
    open: ({ row }) => of(row, sql`coalesce(sum(z."sum" - z."accepted" - z."cut"), 0)::numeric(14,2)`),
    paid: ({ row }) => paidSql(row),
  },
})
export const registryLines = records(RegistryLine)

export const lockContract = (tx: Tx, id: number) =>
  tx.query(sql`select 1 from payer_contracts where "id" = ${id} for update`)

interface Given {
  idLine: number
  idCustomer: number
  sum: number
  idReissueOf: number | null
  values: Partial<Record<RegistryColumn, string>>
}

/** Given lines of a contract and month, and cut ones to be claimed again, that no sent registry has. */
async function givenOf(
  db: Queryable,
  { id, month }: { id: number; month: string },
  idRegistry: number,
): Promise<Given[]> {
  const rows = await db.query<{
    idLine: number
    idCustomer: number
    sum: number
    idReissueOf: number | null
    policy: string
    fio: string
    birthday: string | null
    date: string
    code: string | null
    service: string
    diagnosis: string | null
    doctor: string
    qty: number
    price: number
    letter: string | null
  }>(sql`
    select l."id"::int as "idLine", a."idCustomer", coalesce(x."cut", l."insurer")::float8 as sum, x."id"::int as "idReissueOf",
      i."policy", concat_ws(' ', b."surname", b."name", b."middleName") as fio, b."birthday"::text as birthday,
      c."localDate"::text as date, ${soldFieldSql(sql`l`, sql`s`, 'medicalCode')} as code,
      ${soldFieldSql(sql`l`, sql`s`, 'nameService')} as service, l."qty"::float8 as qty,
      l."price"::float8 as price, ${shortFioSql(sql`u`)} as doctor, g."number" as letter,
      (select e."code" from examinations e where e."idAppointment" = a."id" and e."code" is not null and not e."deleted"
        order by e."id" limit 1) as diagnosis
    from coupon_services l join insured_persons i on i."id" = l."idInsured" join coupons c on c."id" = l."idCoupon"
      join appointments a on a."id" = c."idAppointment" join customers b on b."id" = a."idCustomer"
      join services s on s."id" = l."idService" join users u on u."id" = c."idUser"
      left join guarantee_letters g on g."id" = l."idGuarantee"
      left join payer_registries_lines x on x."idCouponService" = l."id" and x."state" = 'reissued'
        and not exists (select 1 from payer_registries_lines n where n."idReissueOf" = x."id" and n."idRegistry" <> ${idRegistry})
    where i."idContract" = ${id} and l."insurer" > 0 and ${isGivenSql}
      and (x."id" is not null or (date_trunc('month', c."localDate") = ${month}::date and not exists (
        select 1 from payer_registries_lines n where n."idCouponService" = l."id" and n."idRegistry" <> ${idRegistry})))
    order by c."localDate", l."id"`)
  return rows.map(({ idLine, idCustomer, sum, idReissueOf, ...one }, at) => ({
    ...{ idLine, idCustomer, sum, idReissueOf },
    values: {
      ...{ number: String(at + 1), policy: one.policy, fio: one.fio, service: one.service, doctor: one.doctor },
      ...{ code: one.code ?? '', diagnosis: one.diagnosis ?? '', letter: one.letter ?? '', qty: String(one.qty) },
      birthday: one.birthday ? formatDay(one.birthday) : '',
      date: formatDay(one.date),
      price: one.price.toFixed(2),
      sum: sum.toFixed(2),
    },
  }))
}

const firstOf = (day: string): string => `${day.slice(0, 8)}01`

export const collect = operation(payerCalls.collect, async ({ records: all, body }) =>
  all.tx(async (inside, tx) => {
    const { id } = await inside.row(PayerContract, body.idContract)
    return inside.row(PayerRegistry, await collectMonth(inside, tx, id, firstOf(body.month)))
  }),
)

/** Collects the draft of a contract's month anew. @param month its first day @returns id of the registry */
export async function collectMonth(inside: Records, tx: Tx, idContract: number, month: string): Promise<number> {
  await lockContract(tx, idContract)
  const draft = await tx.one<{ id: number }>(sql`select "id" from payer_registries
      where "idContract" = ${idContract} and "month" = ${month} and "state" = 'draft' and not "deleted" for update`)
  const last = await tx.one<{ number: number }>(
    sql`select coalesce(max("number"), 0)::int as number from payer_registries where "idContract" = ${idContract}`,
  )
  const id =
    draft?.id ??
    (
      await inside.asSystem.create(PayerRegistry, {
        ...{ idContract, month, number: (last?.number ?? 0) + 1 },
        idAuthor: inside.actor.id || null,
      } as Create<typeof PayerRegistry>)
    ).id
  await inside.asSystem.deleteWhere(RegistryLine, ({ row }) => sql`${row}."idRegistry" = ${id}`)
  const given = await givenOf(tx, { id: idContract, month }, id)
  await inside.asSystem.createMany(
    RegistryLine,
    given.map(({ idLine, ...line }) => ({ ...line, idRegistry: id, idCouponService: idLine })) as Create<
      typeof RegistryLine
    >[],
  )
  return id
}

async function lacksOf(db: Queryable, actor: ServerActor, id: number) {
  const rows = await db.query<{
    idLine: number
    idCustomer: number
    idAppointment: number
    patient: string
    service: string
    values: Partial<Record<RegistryColumn, string>>
    noLetter: boolean
    noConsent: boolean
  }>(sql`select z."id"::int as "idLine", z."idCustomer", c."idAppointment"::int as "idAppointment",
      ${openName(actor, raw('b'), sql`concat_ws(' ', b."surname", b."name", b."middleName")`)} as patient, s."nameService" as service, z."values",
      (r."kind" = 'letter' and k."letter" <> 'never' or k."letter" = 'always') and l."idGuarantee" is null as "noLetter",
      not exists (select 1 from consents o where o."idCustomer" = z."idCustomer" and o."type" = 'payer' and not o."deleted"
        and o."signedAt" is not null and o."revokedAt" is null) as "noConsent"
    from payer_registries_lines z join coupon_services l on l."id" = z."idCouponService" join coupons c on c."id" = l."idCoupon"
      join services s on s."id" = l."idService" join customers b on b."id" = z."idCustomer"
      join payer_registries y on y."id" = z."idRegistry" join payer_contracts k on k."id" = y."idContract"
      left join programme_rules r on r."id" = l."idRule"
    where z."idRegistry" = ${id} order by z."id"`)
  return rows.flatMap(({ values, noLetter, noConsent, ...line }) => {
    const lacks = [
      ...(values.policy ? [] : ['нет полиса']),
      ...(values.birthday ? [] : ['нет даты рождения']),
      ...(values.diagnosis ? [] : ['нет диагноза']),
      ...(values.code ? [] : ['нет кода услуги по номенклатуре']),
      ...(noLetter ? ['нет гарантийного письма'] : []),
      ...(noConsent ? ['нет согласия на передачу диагноза плательщику'] : []),
    ]
    return lacks.length ? [{ ...line, lacks }] : []
  })
}

export const lacks = operation(payerCalls.lacks, async ({ app, records: all, actor, params: { id } }) => {
  await all.row(PayerRegistry, id)
  return { items: await lacksOf(app.db.reads, actor, id) }
})

export const send = operation(payerCalls.send, ({ records: all, params: { id } }) =>
  all.tx(async (inside, tx) => {
    const before = await inside.row(PayerRegistry, id)
    await lockContract(tx, before.idContract)
    const registry = await inside.row(PayerRegistry, id)
    if (registry.state !== 'draft') throw new HttpError(409, 'Реестр уже отправлен', { code: 'transition' })
    if (registry.lines === 0) throw new HttpError(409, 'В реестре нет услуг', { code: 'transition' })
    const missing = await lacksOf(tx, all.actor, id)
    if (missing.length) throw new HttpError(409, `Не хватает данных: строк ${missing.length}`, { code: 'lacks' })
    // No visit changes meanwhile: from now on its claim stays.
    const whose = await tx.query<{ id: number }>(
      sql`select distinct "idCustomer"::int as id from payer_registries_lines where "idRegistry" = ${id}`,
    )
    await lockCustomers(
      tx,
      whose.map((one) => one.id),
    )
    const stale =
      await tx.one(sql`select 1 from payer_registries_lines z join ${visitLinesSql} on l."id" = z."idCouponService"
      where z."idRegistry" = ${id} and z."idReissueOf" is null and (z."sum" <> l."insurer" or not (${isGivenSql})) limit 1`)
    if (stale) throw new HttpError(409, 'Услуги или их суммы изменились: соберите реестр заново', { code: 'stale' })
    await freeze(inside, tx, registry)
    return inside.row(PayerRegistry, id)
  }),
)

/** Marks a registry as sent today: its lines do not change any more. */
export async function freeze(
  inside: Records,
  tx: Tx,
  { id, idContract }: Pick<Row<typeof PayerRegistry>, 'id' | 'idContract'>,
): Promise<void> {
  const { payDays } = await inside.asSystem.row(PayerContract, idContract)
  const dateSent = await dayOf(tx, null)
  await inside.asSystem.update(PayerRegistry, id, {
    state: 'sent',
    dateSent,
    dateDue: plusDays(dateSent, payDays ?? 0),
  })
}

export const file = operation(payerCalls.file, async ({ app, records: all, params: { id }, query, reply }) => {
  const registry = await all.row(PayerRegistry, id)
  const contract = await all.row(PayerContract, registry.idContract)
  const keys = (contract.columns?.length ? contract.columns : Object.keys(registryColumns)) as RegistryColumn[]
  const lines = await app.db.reads.query<{ values: Partial<Record<RegistryColumn, string>> }>(
    sql`select "values" from payer_registries_lines where "idRegistry" = ${id} order by "id"`,
  )
  const rows = lines.map(({ values }) => keys.map((key) => values[key] ?? ''))
  const name = `Реестр ${contract.number} ${registry.month.slice(0, 7)}`
  if (query.format === 'dbf') {
    const fields = keys.map((key) => ({ name: key, label: registryColumns[key] }))
    return reply
      .header('content-disposition', disposition('attachment', `${name}.dbf`))
      .type('application/x-dbf')
      .send(dbfOf(fields, rows, await dayOf(app.db.reads, null)))
  }
  const parts: Buffer[] = []
  const head = keys.map((key) => registryColumns[key])
  const sheet = { name: 'Реестр', widths: keys.map(() => 18), head, rows: once(rows) }
  for await (const part of xlsxStream(once(sheet))) parts.push(part)
  return reply
    .header('content-disposition', disposition('attachment', `${name}.xlsx`))
    .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .send(Buffer.concat(parts))
})

async function* once<T>(value: T): AsyncGenerator<T, void> {
  yield value
}
