/**
 * Signatures of the demo clinic: a valid one, one that expires soon, an expired one, the clinic's own and a power of
 * attorney.
 */
import { PowerOfAttorney, SignatureCertificate } from '@ordinator/model/areas/signatures/certificate'
import { User } from '@ordinator/model/areas/staff/user'
import type { Area } from '#records/area.ts'

const DAY_MS = 86_400_000
const day = (at: number) => new Date(at).toISOString().slice(0, 10)

export const demo: NonNullable<Area['demo']> = async (records) => {
  const system = records.asSystem
  const now = Date.now()
  const doctors = await system.rows(User, { 'filter[post][ilike]': 'врач', sort: 'id', limit: '3' })
  const days = [311, 19, -12]
  for (const [at, { id, fio }] of doctors.entries()) {
    const left = days[at] as number
    const made = await system.create(SignatureCertificate, {
      owner: fio,
      snils: ['11223344595', '08765430300', '16057892130'][at] as string,
      issuer: 'Казначейство России',
      serial: `01DB4F6A00${at}E5C1B4`,
      thumbprint: `A1B2C3D4E5F60718293A4B5C6D7E8F901234567${at}`,
      kind: 'qualified',
      dateFrom: new Date(now - (365 - left) * DAY_MS).toISOString(),
      dateTo: new Date(now + left * DAY_MS).toISOString(),
      purpose: at === 2 ? 'commission' : 'doctor',
      idUser: id,
    })
    if (at === 0)
      await system.create(PowerOfAttorney, {
        idCertificate: made.id,
        number: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
        dateFrom: day(now - 40 * DAY_MS),
        dateTo: day(now + 325 * DAY_MS),
        powers: 'Подписание электронных медицинских документов и листков нетрудоспособности от имени клиники',
      })
  }
  await system.create(SignatureCertificate, {
    owner: 'Общество с ограниченной ответственностью «Волга-Доктор»',
    organization: 'ООО «Волга-Доктор»',
    ogrn: '1026300000018',
    inn: '6316000009',
    issuer: 'УЦ ФНС России',
    serial: '03A9C17700E5C1B4',
    thumbprint: 'B7C6D5E4F3A2918070605040302010FFEEDDCCBB',
    kind: 'qualified',
    dateFrom: new Date(now - 200 * DAY_MS).toISOString(),
    dateTo: new Date(now + 165 * DAY_MS).toISOString(),
    purpose: 'organization',
  })
}
