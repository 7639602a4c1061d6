import { Filial, FilialHoliday, FilialRoom } from '@ordinator/model/areas/filials/filial'
import { BankAccount, InsuranceProgramme, Organization, Signatory } from '@ordinator/model/areas/filials/organization'
import { Sequence } from '@ordinator/model/areas/filials/sequence'
import type { Records } from '#records/records.ts'
import { demoFilials, demoHolidays, demoOrganizations, demoSequences, readySequences } from './demoFilials.ts'

/** Default numbering of documents: no branch has a code yet, and a mask with one would refuse the first document. */
export async function ready(records: Records): Promise<void> {
  for (const sequence of readySequences) await records.create(Sequence, sequence)
}

/** The branches of the demo clinic with their rooms and days off, its organizations, and its numbering of documents. */
export async function demo(records: Records): Promise<void> {
  const year = new Date().getUTCFullYear()
  for (const { filial, rooms } of demoFilials) {
    const { id: idFilial } = await records.create(Filial, filial)
    for (const [name, equipment, capacity = 1] of rooms)
      await records.create(FilialRoom, { idFilial, name, equipment: equipment ?? null, capacity })
    for (const [day, reason, hours] of demoHolidays)
      await records.create(FilialHoliday, {
        idFilial,
        day: `${day.startsWith('12') ? year : year + 1}-${day}`,
        reason,
        ...hours,
      })
  }
  for (const { organization, accounts, signatories = [], programmes = [] } of demoOrganizations) {
    const { id: idOrganization } = await records.create(Organization, organization)
    for (const account of accounts) await records.create(BankAccount, { ...account, idOrganization })
    for (const signatory of signatories) await records.create(Signatory, { ...signatory, idOrganization })
    for (const programme of programmes) await records.create(InsuranceProgramme, { ...programme, idOrganization })
  }
  for (const sequence of demoSequences) await records.create(Sequence, sequence)
}
