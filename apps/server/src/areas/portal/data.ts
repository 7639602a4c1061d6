/** Data of a patient, for the patient. */
import { consentStatuses } from '@ordinator/model/areas/consents/consent'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { portalCalls } from '@ordinator/model/areas/portal/calls'
import type { PortalData } from '@ordinator/model/areas/portal/shapes'
import { identifierText } from '@ordinator/model/identifiers'
import sql, { raw } from 'sql-template-tag'
import { statusSql } from '#areas/consents/index.ts'
import { clinicZone } from '#areas/settings/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import { forbidden, notFound } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import { labelSql } from '#records/labels.ts'
import type { Patient } from './people.ts'
import { patientCall } from './sessions.ts'

const MOST = 50

/** @throws HttpError 403 `birthday` in a link session without the birthday */
export function mustBeProven({ isProven }: Patient): void {
  if (!isProven)
    throw forbidden('По ссылке без даты рождения этого не видно: войдите кодом или попросите новую ссылку', 'birthday')
}

/**
 * Medical documents and conversations require a session opened by a code: a link passes through the staff, who know the
 * birthday too.
 *
 * @throws HttpError 403 `link`
 */
export function mustBeByCode({ byLink }: Patient): void {
  if (byLink)
    throw forbidden(
      'По личной ссылке документы и переписка не открываются: войдите кодом из СМС или позвоните в клинику',
      'link',
    )
}

const data = patientCall(portalCalls.data, async ({ app, patient, query, subject, recordView }) => {
  mustBeProven(patient)
  const idCustomer = await subject(query.patient)
  const row = await app.db.one<PortalData>(sql`
    select ${fioSql(raw('c'))} as fio, c."birthday"::text as birthday, c."phone", c."email",
      coalesce(c."factAddressAsString", c."address") as address, c."snils",
      jsonb_build_object('messenger', not c."noMessenger", 'sms', not c."noSms", 'email', not c."noEmail") as ways,
      (select coalesce(jsonb_agg(p.one order by p.at desc), '[]') from (select jsonb_build_object('number', p."number",
          'company', p."company", 'dateTo', p."dateTo") as one, p."id" as at from customers_policies p
        where p."idCustomer" = c."id" and not p."deleted" order by p."id" desc limit ${MOST}) p) as policies,
      (select coalesce(jsonb_agg(s.one order by s.at desc), '[]') from (select jsonb_build_object('name', s."name",
          'status', ${labelSql(statusSql(raw('s')), consentStatuses)}, 'signedOn', (s."signedAt" at time zone ${clinicZone})::date, 'validTo', s."validTo") as one,
          s."id" as at from consents s
        where s."idCustomer" = c."id" and not s."deleted" and s."signedAt" is not null order by s."id" desc limit ${MOST}) s) as consents
    from customers c where c."id" = ${idCustomer}`)
  if (!row) throw notFound()
  await recordView(idCustomer, 'customers', 'свои данные')
  return { ...row, snils: row.snils && identifierText('snils', row.snils) }
})

const ways = patientCall(portalCalls.ways, async ({ app, patient, query, body, subject, wrote }) => {
  mustBeProven(patient)
  const idCustomer = await subject(query.patient)
  await app.engine.for(systemActor).asSystem.update(Customer, idCustomer, {
    noMessenger: !body.messenger,
    noSms: !body.sms,
    noEmail: !body.email,
  })
  await wrote({ action: 'update', entity: Customer, id: idCustomer, idCustomer, what: 'чем писать' })
})

export const dataCalls = [data, ways]
