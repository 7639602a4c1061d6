import { randomInt } from 'node:crypto'
import { discountCalls } from '@ordinator/model/areas/discounts/calls'
import { Discount, kindsByCode } from '@ordinator/model/areas/discounts/discount'
import { codeLetters, codeOf, PromoCode } from '@ordinator/model/areas/discounts/promoCode'
import type { Row } from '@ordinator/model/entity'
import sql, { type Sql } from 'sql-template-tag'
import { ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'

/** Random characters of a generated code after its prefix: 32^10 combinations prevent guessing. */
const LETTERS = 10

/** Number of successful uses of a code, less reversed ones. */
export const codeUsesSql = (row: Sql): Sql =>
  sql`coalesce((select c."uses" from discount_code_counters c where c."idCode" = ${row}."id"), 0)`

export const promoCodes = records(PromoCode, {
  computed: { uses: ({ row }) => codeUsesSql(row) },
  hooks: {
    prepare(value) {
      if ('code' in value && typeof value.code === 'string') value.code = codeOf(value.code)
    },
    async beforeCreate({ records }, value) {
      mustTakeCodes(await records.row(Discount, value.idDiscount))
    },
  },
})

function mustTakeCodes({ kind, status }: Row<typeof Discount>): void {
  if (!kindsByCode.includes(kind))
    throw new ValidationError([{ field: 'idDiscount', message: 'Скидке этого вида коды не нужны' }])
  if (status === 'archived') throw new ValidationError([{ field: 'idDiscount', message: 'Скидка в архиве' }])
}

const pastHooks = 'the codes are made as they are kept, and what they are of was asked before'

export const generateCodes = operation(discountCalls.generate, ({ records, params, body }) =>
  records.tx(async (inside) => {
    const discount = await inside.row(Discount, params.id)
    mustTakeCodes(discount)
    const codes = new Set<string>()
    while (codes.size < body.count) codes.add(codeOf(`${body.prefix ?? ''}${random()}`))
    const made = await inside.asSystem.createMany(
      PromoCode,
      [...codes].map((code) => ({
        idDiscount: discount.id,
        code,
        limit: body.limit ?? 1,
        expires: body.expires ?? null,
        idUser: inside.actor.id,
      })),
      { pastHooks },
    )
    return { made: made.length }
  }),
)

const random = (): string => Array.from({ length: LETTERS }, () => codeLetters[randomInt(codeLetters.length)]).join('')
