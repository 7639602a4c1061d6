import {
  accountErrors,
  BankAccount,
  InsuranceProgramme,
  Organization,
  organizationErrors,
  Signatory,
} from '@ordinator/model/areas/filials/organization'
import type { FieldError } from '@ordinator/model/check'
import sql from 'sql-template-tag'
import { ValidationError } from '#platform/errors.ts'
import { records, type WriteContext } from '#records/define.ts'

const refuse = (errors: readonly FieldError[]) => {
  if (errors.length) throw new ValidationError([...errors])
}

export const organizations = records(Organization, {
  found: {
    on: 'organizations',
    group: 'Организации',
    by: ['shortName', 'fullName', 'inn', 'phone'],
    opens: ({ row }) => sql`'/settings/organizations?open=' || ${row}."id"`,
    hint: ({ row }) => sql`'ИНН ' || ${row}."inn"`,
  },
  hooks: {
    prepare: (value, before) => refuse(organizationErrors({ ...before, ...value })),
    async beforeUpdate({ tx }, value, before) {
      if (before.kind !== 'insurer' || value.kind === undefined || value.kind === 'insurer') return
      const programme = await tx.one(
        sql`select 1 from organizations_programmes where "idOrganization" = ${before.id} and not "deleted" limit 1`,
      )
      if (programme)
        refuse([{ field: 'kind', message: 'У страховой есть программы ДМС: удалите их, прежде чем менять вид' }])
    },
  },
})

export const bankAccounts = records(BankAccount, {
  hooks: {
    prepare: (value, before) => refuse(accountErrors({ ...before, ...value })),
    afterCreate: (context, { id, idOrganization, isMain }) => onlyMain(context, id, idOrganization, isMain),
    afterUpdate: (context, { id, idOrganization, isMain }) => onlyMain(context, id, idOrganization, isMain),
  },
})

/** An organization has at most one main account: the last one set. */
async function onlyMain({ records }: WriteContext, id: number, idOrganization: number, isMain: boolean): Promise<void> {
  if (!isMain) return
  await records.asSystem.updateWhere(
    BankAccount,
    ({ row }) => sql`${row}."idOrganization" = ${idOrganization} and ${row}."id" <> ${id} and ${row}."isMain"`,
    { isMain: false },
    { pastHooks: 'what is no longer main asks nothing of the others' },
  )
}

export const signatories = records(Signatory)

export const insuranceProgrammes = records(InsuranceProgramme, {
  hooks: {
    prepare(value, before) {
      const { dateFrom, dateTo } = { ...before, ...value }
      if (dateFrom && dateTo && dateTo < dateFrom)
        refuse([{ field: 'dateTo', message: 'Программа не может закончиться раньше, чем началась' }])
    },
    async beforeCreate({ tx }, { idOrganization }) {
      // Shared lock, so that its kind does not change meanwhile.
      const of = await tx.one<{ kind: string }>(
        sql`select "kind" from organizations where "id" = ${idOrganization} for share`,
      )
      // An employer pays by programmes too.
      if (of && of.kind !== 'insurer' && of.kind !== 'contractor')
        refuse([{ field: 'idOrganization', message: 'Программы ДМС бывают только у страховой' }])
    },
  },
})
