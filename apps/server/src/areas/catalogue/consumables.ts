import { MAX_CONSUMABLES, ServiceConsumable } from '@ordinator/model/areas/catalogue/consumable'
import { PRODUCT } from '@ordinator/model/areas/catalogue/service'
import type { Update } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'

/** Materials of a service: products of the catalogue with quantities, and replacements for missing ones. */
export const consumables = records(ServiceConsumable, {
  hooks: {
    async beforeCreate({ tx }, value) {
      const found = await tx.one<{ count: number }>(sql`select count(*)::int as count from service_consumables
        where "idService" = ${value.idService} and not "deleted"`)
      if ((found?.count ?? 0) >= MAX_CONSUMABLES)
        throw new ValidationError([{ field: 'idService', message: `У услуги не больше ${MAX_CONSUMABLES} материалов` }])
      await refuseOthers(tx, value.idProduct, value)
    },
    beforeUpdate: ({ tx }, value, before) => refuseOthers(tx, before.idProduct, value, true),
  },
})

/** Materials must be products, and nothing replaces itself. @throws ValidationError that names the field */
async function refuseOthers(
  tx: Queryable,
  idProduct: number,
  { replacement = [] }: Update<typeof ServiceConsumable>,
  known = false,
): Promise<void> {
  if (replacement.includes(idProduct))
    throw new ValidationError([{ field: 'replacement', message: 'Материал не заменяет сам себя' }])
  const asked = [...(known ? [] : [idProduct]), ...replacement]
  if (asked.length === 0) return
  const products = await tx.query<{ id: number }>(sql`select "id" from services
    where "id" = any (${asked}::bigint[]) and "serviceCategory" = ${PRODUCT} and not "deleted"`)
  const isProduct = new Set(products.map(({ id }) => id))
  if (!known && !isProduct.has(idProduct))
    throw new ValidationError([{ field: 'idProduct', message: 'Выберите товар, а не услугу' }])
  if (replacement.some((id) => !isProduct.has(id)))
    throw new ValidationError([{ field: 'replacement', message: 'Заменить можно только товаром' }])
}
