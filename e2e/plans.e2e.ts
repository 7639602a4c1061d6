import { randomUUID } from 'node:crypto'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { expect, test } from './support.ts'

/** A plan from an empty card to its first visit: written, agreed in two variants, booked at its price from a stage. */

const ZONE = 'Europe/Moscow'

test('a plan is written, one of its variants agreed, and a stage of it booked at its price', async ({
  page,
  clinic,
}) => {
  const mark = randomUUID().slice(0, 6)
  const filial = await clinic.call('POST', '/filials', { nameFilial: `Плановый ${mark}`, timeZone: ZONE })
  const doctor = await clinic.call('POST', '/users', {
    surname: `Планов-${mark}`,
    name: 'Олег',
    post: 'Терапевт',
    login: `plan-${randomUUID().slice(0, 12)}`,
  })
  const nameService = `Массаж спины ${mark}`
  const service = await clinic.call('POST', '/services', { nameService, priceService: 1500 })
  await clinic.call('POST', '/service-performers', { idService: service.id, idUser: doctor.id })
  await clinic.call('POST', '/staff-events', {
    type: 'shift',
    idUser: doctor.id,
    idFilial: filial.id,
    localDate: plusDays(dayIn(ZONE, Date.now()), 2),
    localFrom: '09:00',
    localTo: '12:00',
  })
  const customer = await clinic.call('POST', '/customers', { surname: `Лечебнова-${mark}`, name: 'Вера' })

  await clinic.enter(page)
  await page.goto(`/app/customers/edit?id=${customer.id}&tab=plans`)
  await page.getByRole('button', { name: 'Новый план лечения' }).click()
  const fresh = page.getByRole('dialog', { name: 'Новый план лечения' })
  await fresh.getByLabel('Название').fill('Спина без боли')
  await fresh.getByRole('combobox', { name: 'Врач' }).fill(`Планов-${mark}`)
  await page.getByRole('option', { name: new RegExp(`Планов-${mark}`) }).click()
  await fresh.getByRole('combobox', { name: 'Филиал' }).fill(`Плановый ${mark}`)
  await page.getByRole('option', { name: `Плановый ${mark}` }).click()
  await fresh.getByRole('button', { name: 'Составить' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Спина без боли' })).toBeVisible()
  const stage = page.getByRole('listitem', { name: 'Этап: Этап 1' })
  await stage.getByRole('combobox', { name: 'Добавить услугу: Этап 1' }).fill(nameService)
  await page.getByRole('option', { name: new RegExp(nameService) }).click()
  await stage.getByLabel(`Кол-во: ${nameService}`).fill('2')
  await stage.getByLabel(`Скидка: ${nameService}`).fill('10%')
  await page.keyboard.press('Enter')
  const sums = page.getByLabel('Суммы плана')
  await expect(sums).toContainText(/2\s700,00/)

  await page.getByRole('button', { name: 'Другие действия' }).click()
  await page.getByRole('menuitem', { name: 'Ещё вариант лечения' }).click()
  const variants = page.getByRole('navigation', { name: 'Варианты лечения' })
  await expect(variants.getByRole('link', { name: /Вариант Б/ })).toHaveAttribute('aria-current', 'page')
  await variants.getByRole('link', { name: /Вариант А/ }).click()
  await page.getByRole('button', { name: 'Согласовать' }).click()
  const agree = page.getByRole('dialog', { name: 'Согласование плана' })
  const download = page.waitForEvent('download')
  await agree.getByRole('button', { name: 'Скачать для печати' }).click()
  expect((await download).suggestedFilename()).toBe('План лечения Спина без боли.pdf')
  await agree.getByRole('button', { name: 'Согласован' }).click()
  await expect(page.getByText('План согласован: цены больше не меняются')).toBeVisible()
  await expect(variants.getByRole('link', { name: /Вариант Б/ })).toContainText('Отказ')

  // The booking of the first stage opens automatically.
  const what = page.getByRole('dialog', { name: 'Что записать на один визит' })
  await what.getByRole('button', { name: 'Выбрать время' }).click()
  const booking = page.getByRole('dialog', { name: 'Запись на приём' })
  await booking.getByRole('button', { name: /09:00/ }).first().click()
  await expect(booking.getByText(/1\s350,00\s₽ по плану лечения/)).toBeVisible()
  await booking.getByRole('button', { name: 'Записать', exact: true }).click()
  await expect(booking.getByRole('heading', { name: 'Готово' })).toHaveAttribute('aria-current', 'step')
  await booking.getByRole('button', { name: 'Закрыть' }).first().click()
  await expect(stage).toContainText('сделано 0 из 2, записано 1')
  await expect(page.getByText('Выполняется').first()).toBeVisible()
  const { items } = await clinic.call('GET', `/coupon-services?filter[idService]=${service.id}`)
  expect(items).toMatchObject([{ price: 1500, discount: 150, finalCost: 1350, isFixed: true }])
})
