/** Letters of guarantee: an insurer pays for a customer up to a sum. */
import { moneyCalls } from '@ordinator/model/areas/money/calls'
import { CashDesk } from '@ordinator/model/areas/money/desk'
import { GuaranteeLetter } from '@ordinator/model/areas/money/payment'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import { formatDay, formatMoney } from '@ordinator/model/format'
import sql, { raw, type Sql } from 'sql-template-tag'
import { isCountedSql, visitLinesSql } from '#areas/counted/index.ts'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import { dayOf, type Entry, lockCustomers, post } from './ledger.ts'
import { settle } from './lines.ts'
import { takeRefused } from './takeOut.ts'

/**
 * Used rubles of a letter: paid by it or promised to booked and given services, less the part that the insurer refused.
 * @param but id of a line that is left out
 */
export const letterUsedSql = (id: Sql, but: Sql = raw('0')): Sql => sql`(
  (select coalesce(sum(t."sum"), 0) from payments_parts t join payments p on p."id" = t."idPayment"
    where t."idGuarantee" = ${id} and p."idStatus" = 2)
  + (select coalesce(sum(l."insurer"), 0) from ${visitLinesSql}
      where l."idGuarantee" = ${id} and l."id" <> ${but} and ${isCountedSql})
  - (select coalesce(sum(m."amount"), 0) from letter_moves m where m."idGuarantee" = ${id} and m."as" <> 'paid'))::numeric(14,2)`

export const letters = records(GuaranteeLetter, {
  computed: { used: ({ row }) => letterUsedSql(sql`${row}."id"`) },
  hooks: {
    prepare(value, before) {
      const [from, to] = [value.dateFrom ?? before?.dateFrom, value.dateTo ?? before?.dateTo]
      if (from && to && to < from)
        throw new ValidationError([{ field: 'dateTo', message: 'Письмо кончается раньше, чем начинается' }])
    },
    async beforeCreate({ tx }, { idInsurer }) {
      const found = await tx.one(sql`select 1 from organizations o where "id" = ${idInsurer} and ("kind" = 'insurer'
        or exists (select 1 from payer_contracts k where k."idPayer" = o."id" and not k."deleted"))`)
      if (!found)
        throw new ValidationError([{ field: 'idInsurer', message: 'Это не страховая и не плательщик с договором' }])
    },
    beforeUpdate(_, { limit }, before) {
      if (limit !== undefined && limit < before.used)
        throw new ValidationError([
          { field: 'limit', message: `По письму уже оплачено ${formatMoney(before.used)}: лимит не может быть меньше` },
        ])
    },
  },
})

/** Kopecks that a letter still pays for the customer on the day, or the reason why it does not. */
export async function letterRoom(
  tx: Tx,
  id: number | undefined,
  idCustomer: number,
  day: string,
): Promise<number | string> {
  if (id === undefined) return 'Выберите гарантийное письмо'
  await tx.query(sql`select 1 from guarantee_letters where "id" = ${id} for update`)
  const letter = await tx.one<{
    idCustomer: number
    dateFrom: string
    dateTo: string
    status: string
    room: string
  }>(sql`select "idCustomer", "dateFrom", "dateTo", "status", ("limit" - ${letterUsedSql(sql`l."id"`)})::text as room
    from guarantee_letters l where "id" = ${id} and not "deleted"`)
  if (!letter || letter.idCustomer !== idCustomer) return 'У клиента нет такого письма'
  if (letter.status !== 'active') return 'Это письмо закрыто'
  if (day < letter.dateFrom) return `Письмо действует с ${formatDay(letter.dateFrom)}`
  if (letter.dateTo < day) return `Письмо действовало по ${formatDay(letter.dateTo)}`
  return kopecks(Number(letter.room))
}

export const settleLetter = operation(moneyCalls.settleLetter, {
  async once({ records: inside, tx, params: { id }, body }) {
    const letter = await inside.row(GuaranteeLetter, id)
    await lockCustomers(tx, [letter.idCustomer])
    await tx.query(sql`select 1 from guarantee_letters where "id" = ${id} for update`)
    const open = await tx.query<{ idOrganization: number; idFilial: number; idDesk: number; owed: string }>(sql`
      select p."idOrganization", min(d."idFilial") as "idFilial", min(p."idDesk") as "idDesk",
        (sum(t."sum") - coalesce((select sum(m."amount") from letter_moves m
          where m."idGuarantee" = ${id} and m."idOrganization" = p."idOrganization"), 0))::text as owed
      from payments_parts t join payments p on p."id" = t."idPayment" and p."idStatus" = 2
      join cash_desks d on d."id" = p."idDesk"
      where t."idGuarantee" = ${id} group by p."idOrganization" order by p."idOrganization"`)
    const desk = body.idDesk ? await inside.row(CashDesk, body.idDesk) : undefined
    const of = desk ? open.find((one) => one.idOrganization === desk.idOrganization) : open[0]
    const owed = kopecks(Number(of?.owed ?? 0))
    const amount = kopecks(body.sum)
    if (!of || amount > owed)
      throw new ValidationError([{ field: 'sum', message: `По письму страховая должна ${formatMoney(rubles(owed))}` }])
    const { idOrganization } = of
    const to: Record<typeof body.as, Entry['account']> = {
      paid: { kind: 'desk', idDesk: desk?.id ?? of.idDesk, idOrganization, method: 'transfer' },
      patient: { kind: 'patient', idCustomer: letter.idCustomer, idOrganization },
      writeOff: { kind: 'writeOff', idOrganization },
    }
    await tx.query(sql`insert into letter_moves ("idGuarantee", "idOrganization", "as", "amount")
      values (${id}, ${idOrganization}, ${body.as}, ${body.sum})`)
    await post(inside, tx, {
      key: `letter:${body.key}`,
      kind: body.as === 'paid' ? 'insurerPaid' : 'insurerRefused',
      localDate: await dayOf(tx, of.idFilial),
      comment: `Письмо № ${letter.number}`,
      entries: [
        { account: to[body.as], amount },
        { account: { kind: 'insurer', idInsurer: letter.idInsurer, idOrganization }, amount: -amount },
      ],
    })
    if (body.as === 'patient') {
      await takeRefused(tx, id, idOrganization, amount)
      await settle(tx, letter.idCustomer, idOrganization)
    }
    return id
  },
  answer: ({ records, params }) => records.row(GuaranteeLetter, params.id),
})
