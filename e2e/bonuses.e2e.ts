import { randomUUID } from 'node:crypto'
import { dayIn } from '@ordinator/model/zone'
import { expect, test, title } from './support.ts'

/** Creating a programme by keyboard; granting bonuses, paying a part of a bill with them, the account shows both. */
test('bonuses are given, pay a part of a visit and are on the account', async ({ page, clinic }) => {
  const mark = randomUUID().slice(0, 6)
  await clinic.enter(page)
  await page.goto('/app/discounts/bonuses')
  await expect(title(page, 'Бонусные программы')).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByRole('textbox', { name: /^Название/ })).toBeFocused()
  await page.keyboard.type(`Возврат ${mark}`)
  await page.getByRole('textbox', { name: 'Начислять, %' }).fill('5')
  // Created as switched off, so that payments of other tests earn nothing by it.
  await page.getByRole('checkbox', { name: 'Действует' }).press('Space')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('row', { name: new RegExp(`Возврат ${mark}.*Выключена.*5 % оплаты`) })).toBeVisible()

  const filial = await clinic.call('POST', '/filials', { nameFilial: `Бонусный ${mark}`, timeZone: 'Europe/Moscow' })
  const own = await clinic.call('GET', '/organizations?filter[kind]=own&limit=1')
  const desk = await clinic.call('POST', '/cash-desks', {
    name: `Касса ${mark}`,
    idFilial: filial.id,
    idOrganization: own.items[0].id,
    kktMode: 'simulator',
    terminalMode: 'simulator',
  })
  await clinic.call('POST', '/cash-shifts/open', { key: `shift-${mark}-1`, idDesk: desk.id })
  const service = await clinic.call('POST', '/services', {
    nameService: `Массаж ${mark}`,
    priceService: 2000,
    anyPerformer: true,
  })
  const rule = await clinic.call('POST', '/discounts', {
    name: `Бонусами ${mark}`,
    kind: 'bonus',
    value: 20,
    filials: [filial.id],
  })
  await clinic.call('PUT', `/discounts/${rule.id}`, { status: 'active' })
  const doctor = await clinic.call('POST', '/users', {
    surname: `Массажистов-${mark}`,
    name: 'Олег',
    post: 'Массажист',
    login: `bonus-${mark}`,
  })
  const localDate = dayIn('Europe/Moscow', Date.now())
  const [idUser, idFilial] = [doctor.id, filial.id]
  const clock = { localDate, localFrom: '00:00', localTo: '24:00' }
  await clinic.call('POST', '/staff-events', { type: 'shift', idUser, idFilial, ...clock })
  const patient = await clinic.call('POST', '/customers', { surname: `Бонусова-${mark}`, name: 'Вера' })
  await clinic.call('POST', '/appointments/book', {
    idCustomer: patient.id,
    idFilial,
    localDate,
    coupons: [{ idUser, localStart: '00:30', minutes: 30, services: [{ idService: service.id, qty: 1 }] }],
  })
  const visits = await clinic.call('GET', `/appointments?filter[idCustomer]=${patient.id}`)
  await clinic.call('POST', `/appointments/${visits.items[0].id}/status`, { status: 'inProgress' })
  await clinic.call('POST', `/appointments/${visits.items[0].id}/status`, { status: 'completed' })

  await page.goto(`/app/customers/edit?id=${patient.id}&tab=account`)
  const bonuses = page.getByRole('region', { name: 'Бонусы' })
  await expect(bonuses).toContainText('Бонусов пока не было')
  await bonuses.getByRole('button', { name: 'Начислить или списать' }).click()
  const given = page.getByRole('dialog', { name: 'Бонусы вручную' })
  await given.getByRole('textbox', { name: 'Сумма' }).fill('1000')
  await given.getByRole('textbox', { name: 'Причина' }).fill('Ждала приёма')
  await page.keyboard.press('Enter')
  await expect(bonuses).toContainText(/1\s000,00/)

  await page.getByRole('button', { name: 'Принять оплату' }).first().click()
  const take = page.getByRole('dialog', { name: 'Принять оплату' })
  const room = take.getByText(/^Доступно 1\s000,00, за эти услуги можно/)
  await expect(room).toBeVisible()
  // The clinic's current discounts reduce the bill.
  const [, most = ''] = /можно (.+)$/.exec(await room.innerText()) ?? []
  await take.getByRole('button', { name: 'Все', exact: true }).click()
  await expect(take.getByRole('textbox', { name: 'Бонусами' })).toHaveValue(most)
  await take.getByRole('button', { name: /^Принять \d/ }).click()
  await expect(take).toHaveCount(0)
  await expect(bonuses).toContainText(`−${most}`)
  await expect(page.getByRole('region', { name: 'Платежи' })).toContainText(`бонусами ${most}`)
  await clinic.call('PUT', `/discounts/${rule.id}`, { status: 'paused' })
})
