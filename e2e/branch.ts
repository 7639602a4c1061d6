import { randomUUID } from 'node:crypto'
import { dayIn, plusDays } from '@ordinator/model/zone'
import type { Page } from 'playwright/test'
import type { Clinic } from './support.ts'

/** A branch with doctors and a patient, for tests of the calendar. */

export const ZONE = 'Europe/Moscow'
export const today = () => dayIn(ZONE, Date.now())
/** A future day. */
export const ahead = (days: number) => plusDays(today(), days)

/** Creates a branch with two doctors who work on the day, a half-hour service and a patient. */
export async function branch(clinic: Clinic, day: string) {
  const mark = randomUUID().slice(0, 6)
  const filial = await clinic.call('POST', '/filials', { nameFilial: `Сетка ${mark}`, timeZone: ZONE })
  const service = await clinic.call('POST', '/services', { nameService: `Приём ${mark}`, priceService: 1500 })
  await clinic.call('POST', '/service-durations', { idService: service.id, minutes: 30 })
  const doctors: { id: number; name: string }[] = []
  for (const surname of [`Абрамова-${mark}`, `Белов-${mark}`]) {
    const { id, shortFio } = await clinic.call('POST', '/users', {
      surname,
      name: 'Елена',
      post: 'Терапевт',
      login: `doc-${randomUUID().slice(0, 12)}`,
    })
    await clinic.call('POST', '/service-performers', { idService: service.id, idUser: id })
    const shift = {
      type: 'shift',
      idUser: id,
      idFilial: filial.id,
      localDate: day,
      localFrom: '09:00',
      localTo: '15:00',
    }
    await clinic.call('POST', '/staff-events', shift)
    doctors.push({ id, name: shortFio })
  }
  const patient = await clinic.call('POST', '/customers', { surname: `Пациентова-${mark}`, name: 'Анна' })
  const book = (localStart: string, idUser = doctors[0]?.id, localDate = day) =>
    clinic.call('POST', '/appointments/book', {
      idCustomer: patient.id,
      idFilial: filial.id,
      localDate,
      coupons: [{ idUser, localStart, services: [{ idService: service.id }] }],
    })
  const [first, second] = doctors as [(typeof doctors)[0], (typeof doctors)[0]]
  return {
    mark,
    filial,
    service,
    first,
    second,
    patient: patient.shortFio as string,
    idPatient: patient.id as number,
    book,
    at: `filial=${filial.id}&day=${day}`,
  }
}

export const visit = (page: Page, name: string | RegExp) =>
  page.locator('[data-item]').and(page.getByRole('button', { name }))
export const booking = (page: Page) => page.getByRole('dialog', { name: 'Запись на приём' })

/** Makes the branch the person's only front desk: tests of one worker share their people. */
export async function sit(clinic: Clinic, idFilial: number, idUser: number): Promise<void> {
  const { items } = await clinic.call('GET', `/filials/desks?filter[idUser]=${idUser}&limit=100`)
  for (const { id } of items) await clinic.call('DELETE', `/filials/desks/${id}`)
  await clinic.call('POST', '/filials/desks', { idFilial, idUser })
}
