import { randomUUID } from 'node:crypto'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { type Clinic, expect, test } from './support.ts'

/** The same visits as the week of one doctor, by rooms, with a layer hidden, and in print. */

const ZONE = 'Europe/Moscow'
const today = dayIn(ZONE, Date.now())
/** The Monday after next and its Wednesday: always in the future. */
const monday = Array.from({ length: 7 }, (_, at) => plusDays(today, 8 + at)).find(
  (day) => new Date(`${day}T00:00Z`).getUTCDay() === 1,
) as string
const wednesday = plusDays(monday, 2)

/** Two doctors in two rooms, a visit of each on Monday, and one of the first on Wednesday. */
async function branch(clinic: Clinic) {
  const mark = randomUUID().slice(0, 6)
  const filial = await clinic.call('POST', '/filials', { nameFilial: `Виды ${mark}`, timeZone: ZONE })
  const service = await clinic.call('POST', '/services', { nameService: `Массаж ${mark}`, priceService: 1500 })
  await clinic.call('POST', '/service-durations', { idService: service.id, minutes: 30 })
  const patient = await clinic.call('POST', '/customers', {
    surname: `Пациентова-${mark}`,
    name: 'Анна',
    phone: '+79991234567',
  })
  const doctors: { name: string; room: string }[] = []
  for (const [surname, days] of [
    [`Абрамова-${mark}`, [monday, wednesday]],
    [`Белов-${mark}`, [monday]],
  ] as const) {
    const room = await clinic.call('POST', '/filials/rooms', { idFilial: filial.id, name: `Кабинет ${surname}` })
    const { id, shortFio } = await clinic.call('POST', '/users', {
      surname,
      name: 'Елена',
      login: `view-${randomUUID().slice(0, 12)}`,
    })
    await clinic.call('POST', '/service-performers', { idService: service.id, idUser: id })
    for (const localDate of days) {
      const shift = { type: 'shift', idUser: id, idFilial: filial.id, idRoom: room.id, localDate }
      await clinic.call('POST', '/staff-events', { ...shift, localFrom: '09:00', localTo: '12:00' })
      await clinic.call('POST', '/appointments/book', {
        idCustomer: patient.id,
        idFilial: filial.id,
        localDate,
        coupons: [
          { idUser: id, localStart: doctors.length ? '10:00' : '09:00', services: [{ idService: service.id }] },
        ],
      })
    }
    doctors.push({ name: shortFio, room: room.name })
  }
  const [first, second] = doctors as [(typeof doctors)[0], (typeof doctors)[0]]
  return {
    patient: patient.shortFio as string,
    service: service.nameService as string,
    first,
    second,
    at: `filial=${filial.id}&day=${monday}`,
  }
}

test('the same visits are in the week of their doctor, in their rooms, and on paper', async ({ page, clinic }) => {
  const { patient, service, first, second, at } = await branch(clinic)
  await clinic.enter(page)
  const column = (name: string) => page.getByRole('region', { name: new RegExp(name) })
  const visits = (name: string) => column(name).locator('[data-item]').filter({ hasText: patient })

  await page.goto(`/app/calendar?${at}&by=rooms`)
  await expect(visits(first.room)).toHaveCount(1)
  await expect(visits(first.room)).toHaveAccessibleName(/09:00–09:30/)
  await expect(visits(second.room)).toHaveAccessibleName(/10:00–10:30/)
  await page.getByText('Врачи', { exact: true }).click()
  await expect(visits(second.name)).toHaveAccessibleName(/10:00–10:30/)
  await expect(column(second.room)).toHaveCount(0)

  // Hiding a layer hides its visits; showing it brings them all back.
  await page.getByRole('button', { name: 'Вид сетки' }).click()
  await page
    .getByRole('menuitem', { name: 'Записи', exact: true })
    .or(page.getByRole('menuitemcheckbox', { name: 'Записи', exact: true }))
    .click()
  await expect(visits(first.name)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Показать все слои' }).click()
  await expect(visits(first.name)).toHaveCount(1)

  // Fits the whole day at once, and back.
  const toggleWholeDay = async () => {
    await page.getByRole('button', { name: 'Вид сетки' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Весь день на экране' }).click()
    await page.keyboard.press('Escape')
  }
  const height = async () => (await visits(first.name).boundingBox())?.height ?? 0
  const large = await height()
  await toggleWholeDay()
  await expect.poll(height, { timeout: 30_000 }).not.toBe(large)
  await toggleWholeDay()
  await expect.poll(height, { timeout: 30_000 }).toBe(large)

  // The print has the grid only, one sheet per column; the screen is unchanged afterwards.
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  const sheets = page.locator('section').filter({ has: page.locator('table') })
  await expect(sheets).toHaveCount(2)
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('#root')).toBeHidden()
  await expect(sheets.first()).toBeVisible()
  await expect(sheets.first().locator('h2')).toContainText(first.name)
  await expect(sheets.first().locator('tbody tr')).toHaveText(
    new RegExp(`09:00–09:30${patient}.*999.*${service}Записан`),
  )
  await expect(sheets.last().locator('h2')).toContainText(second.name)
  await page.emulateMedia({ media: null })
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect(sheets).toHaveCount(0)

  await page.goto(`/app/calendar?${at}&view=week`)
  await page.reload()
  const day = (name: RegExp) => page.getByRole('region', { name }).locator('[data-item]').filter({ hasText: patient })
  await expect(day(/^пн/i)).toHaveAccessibleName(/09:00–09:30/)
  await expect(day(/^ср/i)).toHaveCount(1)
  await expect(page.locator('[data-item]').filter({ hasText: patient })).toHaveCount(2)
})
