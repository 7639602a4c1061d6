import { PowerOfAttorney, SignatureCertificate } from '@ordinator/model/areas/signatures/certificate'
import sql from 'sql-template-tag'
import { ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'

/** Without the right to manage signatures a user sees own and the clinic's certificates. */
export const certificates = records(SignatureCertificate, {
  scope: {
    unless: 'manageSignatures',
    view: ({ row, me }) => sql`(${row}."idUser" = ${me} or ${row}."purpose" = 'organization')`,
  },
})

export const powers = records(PowerOfAttorney, {
  hooks: {
    beforeCreate: (_, value) => assertDays(value),
    beforeUpdate: (_, value, before) => assertDays({ ...before, ...value }),
  },
})

function assertDays({ dateFrom, dateTo }: { dateFrom?: string | null; dateTo?: string | null }): void {
  if (dateFrom && dateTo && dateTo < dateFrom)
    throw new ValidationError([{ field: 'dateTo', message: 'Доверенность кончается раньше, чем начинается' }])
}
