import { discountCalls } from '@ordinator/model/areas/discounts/calls'
import { DiscountApproval } from '@ordinator/model/areas/discounts/discount'
import type { Row } from '@ordinator/model/entity'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'

type Approval = Row<typeof DiscountApproval>

/** Applies an approved discount where it was requested: registered by the area of visits. */
type Giving = (records: Records, tx: Tx, approval: Approval) => Promise<void>
let giving: Giving | undefined
export const givesAgreed = (how: Giving): void => {
  giving = how
}

const wrong = (field: string, message: string) => new ValidationError([{ field, message }])

export const approvals = records(DiscountApproval, {
  hooks: {
    async beforeCreate({ tx }, value) {
      const { idAppointment, unit, value: size } = value
      if (!idAppointment) return
      if (!unit || !size) throw wrong('value', 'Укажите размер скидки')
      if (unit === 'percent' && size > 100) throw wrong('value', 'Не больше 100 %')
      const visit = await tx.one<{ idCustomer: number }>(
        sql`select "idCustomer"::int as "idCustomer" from appointments where "id" = ${idAppointment} and not "deleted"`,
      )
      if (!visit) throw wrong('idAppointment', 'Запись не найдена')
      value.idCustomer = visit.idCustomer
    },
    /**
     * Notifies users who may approve; they decide in the notice. The patient is not named: a notice may leave by mail.
     */
    async afterCreate(context, row) {
      const deciders = await context.tx.query<{ id: number }>(sql`select u."id"::int as id from users u
        where not u."deleted" and not u."isBlocked" and (${holdsSql(sql`u."id"`, 'approveDiscounts')}) order by u."id"`)
      await notify(
        context,
        deciders.map(({ id }) => id),
        {
          kind: 'discountApproval.asked',
          title: `Согласуйте скидку: ${sizeOf(row)}`,
          text: row.reason,
          path: DiscountApproval.path,
          idEntity: row.id,
          link: `/discounts/approvals?decide=${row.id}`,
        },
      )
    },
  },
})

const sizeOf = ({ unit, value, amount }: Approval): string =>
  unit === 'percent' && value ? `${formatNumber(value)} %, до ${formatMoney(amount)}` : formatMoney(amount)

export const decide = operation(discountCalls.decide, ({ records: asker, actor, params, body }) =>
  asker.tx(async (inside, tx) => {
    await tx.query(sql`select 1 from discounts_approvals where "id" = ${params.id} for update`)
    const asked = await inside.row(DiscountApproval, params.id)
    if (asked.idUser === actor.id) throw new HttpError(403, 'Свою скидку согласует другой сотрудник')
    if (asked.status !== 'asked') throw new HttpError(409, 'Решение уже принято')
    if (!body.agree && !body.answer)
      throw new ValidationError([{ field: 'answer', message: 'Укажите, почему отказано' }])
    const decided = await inside.asSystem.update(DiscountApproval, asked.id, {
      status: body.agree ? 'approved' : 'declined',
      answer: body.answer ?? null,
      idApprover: actor.id,
      dateDecided: new Date().toISOString(),
    })
    if (body.agree) await giving?.(inside, tx, decided)
    const visit = await tx.one<{ link: string }>(sql`select
      '/calendar?filial=' || "idFilial" || '&day=' || "localDate" || '&visit=' || "id" as link
      from appointments where "id" = ${asked.idAppointment}`)
    await notify({ actor, tx, records: inside }, [asked.idUser], {
      kind: 'discountApproval.decided',
      title: `${body.agree ? 'Скидка согласована' : 'В скидке отказано'}: ${sizeOf(asked)}`,
      ...(body.answer && { text: body.answer }),
      path: DiscountApproval.path,
      idEntity: asked.id,
      link: visit?.link ?? '/discounts/approvals',
    })
    return decided
  }),
)

type Agreed = Pick<Row<typeof DiscountApproval>, 'id' | 'idDiscount' | 'amount'>

/** Unused approvals for this employee and this customer; any other id is refused. */
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
