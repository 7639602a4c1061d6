/** Sets all performers of a coupon line and their shares together. */
import { visitCalls } from '@ordinator/model/areas/visits/calls'
import { shareErrors } from '@ordinator/model/areas/visits/shares'
import { CouponService, LinePerformer } from '@ordinator/model/areas/visits/visit'
import sql from 'sql-template-tag'
import { ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'

export const shares = operation(visitCalls.shares, async ({ records, params: { id }, body: { performers } }) => {
  await records.tx(async (inside, tx) => {
    await tx.query(sql`select 1 from coupon_services where "id" = ${id} for update`)
    const line = await inside.row(CouponService, id)
    const errors = shareErrors(performers)
    if (line.cancelled && performers.length)
      errors.push({ field: 'performers', message: 'От услуги отказались: её никто не выполняет' })
    if (errors.length) throw new ValidationError(errors)
    const there = await inside.rows(LinePerformer, { 'filter[idCouponService]': String(id), limit: '500' })
    const wanted = new Map(performers.map(({ idUser, share }) => [idUser, share]))
    for (const one of there) if (!wanted.has(one.idUser)) await inside.remove(LinePerformer, one.id)
    // Apply decreases first, so that the shares never exceed 100 %.
    const changed = there
      .map(({ id, idUser, share }) => ({
        id,
        share: wanted.get(idUser) ?? share,
        more: (wanted.get(idUser) ?? share) - share,
      }))
      .filter(({ more }) => more !== 0)
      .toSorted((a, b) => a.more - b.more)
    for (const { id, share } of changed) await inside.update(LinePerformer, id, { share })
    for (const [at, { idUser, share }] of performers.entries()) {
      if (there.some((one) => one.idUser === idUser)) continue
      try {
        await inside.create(LinePerformer, { idCouponService: id, idUser, share })
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error
        throw new ValidationError(error.items.map((one) => ({ ...one, field: `performers.${at}.${one.field}` })))
      }
    }
  })
})
