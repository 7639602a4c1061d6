import { Attachment, AttachmentApplication } from '@ordinator/model/areas/attachment/application'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import type { Records } from '#records/records.ts'
import type { ApplicationRow } from './applications.ts'

const wrong = (field: string, message: string) => new ValidationError([{ field, message }])

/** Attaches the person to the area from the day on; an earlier attachment ends the day before. */
export async function attachTo(own: Records, tx: Tx, one: ApplicationRow, from: string | null): Promise<void> {
  const system = own.asSystem
  const { timeZone } = await readCommonSettings(tx)
  const dateFrom = from ?? dayIn(timeZone, Date.now())
  if (!one.idCustomer || !one.idArea) throw wrong('idArea', 'Нужны карта и участок')
  const before = await system.rows(Attachment, {
    'filter[idCustomer]': one.idCustomer,
    'filter[careType]': one.careType,
    sort: '-dateFrom',
    limit: 5,
  })
  for (const last of before) {
    if (last.dateTo !== null && last.dateTo < dateFrom) continue
    if (last.dateFrom >= dateFrom)
      throw wrong('attachedFrom', 'С этого или более позднего дня человек уже прикреплён: выберите другой день')
    await system.update(Attachment, last.id, { dateTo: plusDays(dateFrom, -1), endReason: 'area' })
  }
  await system.create(Attachment, {
    ...{ idCustomer: one.idCustomer, idArea: one.idArea, idDoctor: one.idDoctor, careType: one.careType },
    ...{ basis: one.basis, idApplication: one.id, dateFrom },
  })
  await system.update(AttachmentApplication, one.id, { status: 'attached', attachedFrom: dateFrom })
}
