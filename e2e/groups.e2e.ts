import { randomUUID } from 'node:crypto'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { expect, test } from './support.ts'

/** A class is one block of the grid: one participant is added and one leaves; a hidden layer stays hidden. */

const ZONE = 'Europe/Moscow'

test('a place in a group is booked from its block, cancelled in its list, and hidden with its layer', async ({
  page,
  clinic,
}) => {
  const mark = randomUUID().slice(0, 6)
  const day = plusDays(dayIn(ZONE, Date.now()), 9)
  const filial = await clinic.call('POST', '/filials', { nameFilial: `Класс ${mark}`, timeZone: ZONE })
  const name = `Школа ${mark}`
  const service = await clinic.call('POST', '/services', { nameService: name, priceService: 900, groupSize: 3 })
  await clinic.call('POST', '/service-durations', { idService: service.id, minutes: 60 })
  const doctor = await clinic.call('POST', '/users', {
    surname: `Ведущая-${mark}`,
    name: 'Анна',
    login: `lead-${randomUUID().slice(0, 12)}`,
  })
  await clinic.call('POST', '/service-performers', { idService: service.id, idUser: doctor.id })
  const shift = {
    type: 'shift',
    idUser: doctor.id,
    idFilial: filial.id,
    localDate: day,
    localFrom: '09:00',
    localTo: '15:00',
  }
  await clinic.call('POST', '/staff-events', shift)
  const [one, two] = await Promise.all(
    ['Первая', 'Вторая'].map((surname) =>
      clinic.call('POST', '/customers', { surname: `${surname}-${mark}`, name: 'Ольга' }),
    ),
  )
  await clinic.call('POST', '/appointments/book', {
    idCustomer: one.id,
    idFilial: filial.id,
    localDate: day,
    coupons: [{ idUser: doctor.id, localStart: '10:00', services: [{ idService: service.id }] }],
  })
  await clinic.enter(page)
  await page.goto(`/app/calendar?filial=${filial.id}&day=${day}`)
  const block = (places: string) => page.getByRole('button', { name: `10:00–11:00, ${name}, ${places}` })
  await block('1 из 3').click()
  const panel = page.getByRole('dialog', { name: 'Групповой приём' })
  await expect(panel.getByRole('button', { name: one.shortFio, exact: true })).toBeVisible()

  await panel.getByRole('button', { name: 'Записать в группу' }).click()
  const booking = page.getByRole('dialog', { name: 'Запись на приём' })
  await expect(booking.getByRole('combobox', { name: 'Пациент' })).toBeFocused()
  await page.keyboard.type(two.fio)
  await expect(page.getByRole('option', { name: new RegExp(two.fio) })).toBeVisible()
  await page.keyboard.press('Enter')
  // The service is the group's, and its time is listed first.
  await expect(booking.getByRole('button', { name: new RegExp(`10:00, ${doctor.shortFio}`) }).first()).toBeFocused()
  await page.keyboard.press('Enter')
  await booking.getByRole('button', { name: 'Записать' }).click()
  await booking.getByRole('button', { name: 'Готово' }).click()
  await expect(panel.getByText('Занято мест: 2 из 3')).toBeVisible()

  await panel.getByRole('button', { name: `Действия: ${one.shortFio}` }).click()
  await page.getByRole('menuitem', { name: 'Отменить запись' }).click()
  const cancel = page.getByRole('dialog', { name: /Отменить/ })
  await cancel.getByRole('combobox', { name: 'Причина' }).click()
  await page.getByRole('option', { name: 'Заболел' }).click()
  await cancel.getByRole('button', { name: 'Отменить запись' }).click()
  await expect(panel.getByText('Занято мест: 1 из 3')).toBeVisible()
  await expect(panel.getByRole('button', { name: two.shortFio, exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()

  // The whole group is moved at once: by keyboard, and by its panel.
  const undo = async () => {
    const toast = page.getByRole('alert').filter({ hasText: 'Группа перенесена' })
    await toast.getByRole('button', { name: 'Отменить' }).click()
    await expect(toast).toBeHidden()
    await expect(block('1 из 3')).toBeVisible()
  }
  await block('1 из 3').focus()
  await page.keyboard.press('m')
  await page.keyboard.press('Shift+ArrowDown')
  for (let at = 0; at < 2; at++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Группа перенесена')).toBeVisible()
  await expect(block('1 из 3')).toBeHidden()
  await undo()
  await block('1 из 3').click()
  await panel.getByRole('button', { name: 'Перенести группу' }).click()
  const moving = page.getByRole('dialog', { name: `Перенести всю группу: ${name}` })
  await moving.getByRole('textbox', { name: 'Начало' }).fill('13:00')
  await moving.getByRole('button', { name: 'Перенести' }).click()
  await expect(panel.getByText('13:00–14:00')).toBeVisible()
  await expect(moving).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await undo()

  await page.getByRole('button', { name: 'Вид сетки' }).click()
  await page.getByText('Записи', { exact: true }).click()
  await expect(block('1 из 3')).toBeHidden()
  await page.reload()
  const all = page.getByRole('button', { name: 'Показать все слои' })
  await expect(all).toBeVisible()
  await expect(block('1 из 3')).toBeHidden()
  await all.click()
  await expect(block('1 из 3')).toBeVisible()
  await expect(all).toBeHidden()
})
