import { discountCalls } from '@ordinator/model/areas/discounts/calls'
import { DiscountApproval } from '@ordinator/model/areas/discounts/discount'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Queryable } from '../../platform/db.ts'
import { HttpError, ValidationError } from '../../platform/errors.ts'
import { records } from '../../records/define.ts'
import { operation } from '../../records/operation.ts'

export const approvals = records(DiscountApproval)

export const decide = operation(discountCalls.decide, ({ records, actor, params, body }) =>
  records.tx(async (inside, tx) => {
    await tx.query(sql`select 1 from discounts_approvals where "id" = ${params.id} for update`)
    const asked = await inside.row(DiscountApproval, params.id)
    if (asked.idUser === actor.id) throw new HttpError(403, 'Свою скидку согласует другой сотрудник')
    if (asked.status !== 'asked') throw new HttpError(409, 'Решение уже принято')
    if (!body.agree && !body.answer)
      throw new ValidationError([{ field: 'answer', message: 'Укажите, почему отказано' }])
    return inside.asSystem.update(DiscountApproval, asked.id, {
      status: body.agree ? 'approved' : 'declined',
      answer: body.answer ?? null,
      idApprover: actor.id,
      dateDecided: new Date().toISOString(),
    })
  }),
)

type Agreed = Pick<Row<typeof DiscountApproval>, 'id' | 'idDiscount' | 'amount'>

/** What another person has agreed to for this employee and this customer, each to be used once; refuses any other. */
export async function agreedOf(
  db: Queryable,
  { ids, idUser, idCustomer }: { ids: readonly number[]; idUser: number; idCustomer: number | null },
): Promise<Agreed[]> {
  if (ids.length === 0) return []
  const found = await db.query<Agreed>(sql`select a."id", a."idDiscount", a."amount"::float8 as amount
    from discounts_approvals a where a."id" = any (${ids}::bigint[]) and a."idUser" = ${idUser} and a."status" = 'approved'
      and a."idCustomer" is not distinct from ${idCustomer}::bigint
      and not exists (select 1 from discounts_uses u where u."idApproval" = a."id" and u."reversedQuantity" < u."quantity")
    order by a."id"`)
  if (found.length !== new Set(ids).size)
    throw new ValidationError([{ field: 'approvals', message: 'Согласования нет, оно чужое или уже использовано' }])
  return found
}
