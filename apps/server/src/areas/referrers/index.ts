import { Referrer, ReferrerRate } from '@ordinator/model/areas/referrers/referrer'
import { referrersReport } from '@ordinator/model/areas/referrers/reports'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import type { Area } from '#records/area.ts'
import { records } from '#records/define.ts'
import { reportSource } from '#records/reports/source.ts'
import { accruedSql, inActsSql } from './accrued.ts'
import { actLines, acts, annul, collect, file, sign, spend } from './acts.ts'
import { employeeOf, isEmployee } from './choose.ts'
import { demo } from './demo.ts'

export { checkReferrer } from './choose.ts'

/** The contractor is neither the clinic nor one of its employees. @throws ValidationError */
async function mustBeOutside(
  tx: Tx,
  { idContractor, idOrganization }: Pick<Row<typeof Referrer>, 'idContractor' | 'idOrganization'>,
): Promise<void> {
  const kinds = await tx.query<{ id: number; kind: string }>(
    sql`select "id"::int as id, "kind" from organizations where "id" in (${idContractor}, ${idOrganization})`,
  )
  const kindOf = (id: number) => kinds.find((one) => one.id === id)?.kind
  if (kindOf(idOrganization) !== 'own')
    throw new ValidationError([{ field: 'idOrganization', message: 'Это не своя организация клиники' }])
  if (kindOf(idContractor) === 'own')
    throw new ValidationError([{ field: 'idContractor', message: 'Это своя организация: выберите контрагента' }])
  const employee = await employeeOf(tx, idContractor)
  if (employee) throw new ValidationError([{ field: 'idContractor', message: isEmployee(employee) }])
}

const referrerRecords = records(Referrer, {
  found: {
    on: 'referrers',
    group: 'Направившие',
    by: ['name', 'number'],
    opens: ({ row }) => sql`'/referrers?open=' || ${row}."id"`,
  },
  hooks: {
    prepare(value, before) {
      const { dateFrom, dateTo } = { ...before, ...value }
      if (dateFrom && dateTo && dateTo < dateFrom)
        throw new ValidationError([{ field: 'dateTo', message: 'Срок договора кончается раньше, чем начался' }])
    },
    beforeCreate: ({ tx }, value) => mustBeOutside(tx, value),
    beforeUpdate: ({ tx }, value, before) => mustBeOutside(tx, { ...before, ...value }),
  },
})

const rates = records(ReferrerRate, {
  hooks: {
    prepare(value, before) {
      const { kind, value: size, idService, idGroup } = { ...before, ...value }
      if (kind === 'share' && (size ?? 0) > 100)
        throw new ValidationError([{ field: 'value', message: 'Доля не больше 100 %' }])
      if (idService && idGroup)
        throw new ValidationError([{ field: 'idGroup', message: 'Выберите услугу или группу, не обе' }])
    },
  },
})

const facts = reportSource(
  referrersReport,
  ({ within }) => sql`
    select q."localDate" as "day", q."idFilial" as "filial", q."idReferrer" as "referrer", q."idService" as "service", q."idUser" as "doctor",
      q."idCustomer" as "customer", q."idAppointment" as "appointment", q.base as "base", q.due as "due",
      ${inActsSql(raw('q."idLine"'), raw('q."idReferrer"'))} as "told"
    from (${accruedSql(within(sql`c."localDate"`))}) q`,
)

/** Organizations and self-employed who send patients under a contract: rates, what they have earned, acts of the month. */
export const referrers: Area = {
  name: 'referrers',
  title: 'Направившие',
  records: [referrerRecords, rates, acts, actLines],
  operations: [collect, sign, annul, spend, file],
  reports: [facts],
  demo,
}
