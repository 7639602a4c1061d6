import { PayerContract, ProgrammeRule } from '@ordinator/model/areas/payers/contract'
import { InsuredPerson } from '@ordinator/model/areas/payers/insured'
import sql, { type Sql } from 'sql-template-tag'
import { offerImporter } from '#areas/imports/index.ts'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import type { Area } from '#records/area.ts'
import { records } from '#records/define.ts'
import { decide, pay, settleCut } from './answers.ts'
import { check, closeAbsent, coverage, letterTask } from './calls.ts'
import { demo } from './demo.ts'
import { cutsImporter } from './importCuts.ts'
import { insuredImporter } from './importInsured.ts'
import { collect, file, lacks, registries, registryLines, send } from './registries.ts'
import { payerDebtFacts, payerFacts } from './reports.ts'

export { type Due, duesOf, payRegistry } from './answers.ts'
export { coverageOfVisit, payVisit } from './coverage.ts'
export { acceptedSql } from './income.ts'

async function mustBe(tx: Tx, field: string, id: number, which: Sql, message: string): Promise<void> {
  if (!(await tx.one(sql`select 1 from organizations where "id" = ${id} and ${which}`)))
    throw new ValidationError([{ field, message }])
}

const contracts = records(PayerContract, {
  hooks: {
    prepare(value, before) {
      const { dateFrom, dateTo } = { ...before, ...value }
      if (dateFrom && dateTo && dateTo < dateFrom)
        throw new ValidationError([{ field: 'dateTo', message: 'Договор кончается раньше, чем начинается' }])
    },
    async beforeCreate({ tx }, { idPayer, idOrganization }) {
      await mustBe(
        tx,
        'idPayer',
        idPayer,
        sql`"kind" <> 'own'`,
        'Это своя организация: плательщик — страховая или работодатель',
      )
      await mustBe(tx, 'idOrganization', idOrganization, sql`"kind" = 'own'`, 'Это не своя организация клиники')
    },
  },
})

const rules = records(ProgrammeRule, {
  hooks: {
    prepare(value, before) {
      const { kind, qty, sum } = { ...before, ...value }
      if (kind === 'limit' && !qty && !sum)
        throw new ValidationError([{ field: 'qty', message: 'Укажите лимит: сколько раз или на какую сумму' }])
    },
  },
})

const insured = records(InsuredPerson, {
  hooks: {
    prepare(value, before) {
      const { dateFrom, dateTo } = { ...before, ...value }
      if (dateFrom && dateTo && dateTo < dateFrom)
        throw new ValidationError([{ field: 'dateTo', message: 'Прикреплён по — раньше, чем с' }])
    },
  },
})

/** Who pays besides the patient: contracts, programmes, lists of the insured, registries. */
export const payers: Area = {
  name: 'payers',
  title: 'Плательщики',
  records: [contracts, rules, insured, registries, registryLines],
  operations: [check, closeAbsent, coverage, letterTask, collect, lacks, send, file, decide, settleCut, pay],
  reports: [payerFacts, payerDebtFacts],
  demo,
  start(app) {
    offerImporter(app, insuredImporter)
    offerImporter(app, cutsImporter)
  },
}
