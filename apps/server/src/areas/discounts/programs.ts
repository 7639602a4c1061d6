/** Bonus programmes; the ledger keeps the bonuses (`areas/money/bonuses.ts`). */
import { BonusProgram, programErrors } from '@ordinator/model/areas/discounts/bonusProgram'
import sql from 'sql-template-tag'
import { ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { searchTarget } from '#records/searchTarget.ts'

export const bonusPrograms = records(BonusProgram, {
  found: searchTarget('bonusPrograms'),
  computed: {
    given: ({ row }) => sql`coalesce((select sum(b."sum") from bonuses b where b."idProgram" = ${row}."id"), 0)`,
  },
  hooks: {
    prepare(value, before) {
      const errors = programErrors({ ...before, ...value })
      if (errors.length) throw new ValidationError(errors)
    },
  },
})
