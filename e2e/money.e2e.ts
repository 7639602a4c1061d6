import { randomUUID } from 'node:crypto'
import { dayIn } from '@ordinator/model/zone'
import { sit } from './branch.ts'
import { type Clinic, expect, test, toast } from './support.ts'

/** A registrar's work with money: the price of a visit and its reasons, two payment methods, a partial refund, the shift that agrees with Z. */

const ZONE = 'Europe/Moscow'
const today = () => dayIn(ZONE, Date.now())
const rubles = (sum: number) =>
  new RegExp(
    sum
      .toFixed(2)
      .replace('.', ',')
      .replace(/\B(?=(\d{3})+,)/g, '\\s'),
  )

/** A branch with a cash desk, its own discount and a known patient who has two services today. */
async function branch(clinic: Clinic, idRegistrar: number) {
  const mark = randomUUID().slice(0, 6)
  const filial = await clinic.call('POST', '/filials', { nameFilial: `Расчётный ${mark}`, timeZone: ZONE })
  await sit(clinic, filial.id, idRegistrar)
  const own = await clinic.call('GET', '/organizations?filter[kind]=own&limit=1')
  const desk = await clinic.call('POST', '/cash-desks', {
    name: `Касса ${mark}`,
    idFilial: filial.id,
    idOrganization: own.items[0].id,
    kktMode: 'simulator',
    terminalMode: 'simulator',
  })
  const names = [`Осмотр ${mark}`, `Снимок ${mark}`]
  const services: { id: number }[] = []
  for (const [at, nameService] of names.entries())
    services.push(
      await clinic.call('POST', '/services', { nameService, priceService: at ? 1000 : 3000, anyPerformer: true }),
    )
  const doctor = await clinic.call('POST', '/users', {
    surname: `Терапевтов-${mark}`,
    name: 'Олег',
    post: 'Терапевт',
    login: `doc-${randomUUID().slice(0, 12)}`,
  })
  await clinic.call('POST', '/staff-events', {
    type: 'shift',
    idUser: doctor.id,
    idFilial: filial.id,
    localDate: today(),
    localFrom: '00:00',
    localTo: '24:00',
  })
  const discount = await clinic.call('POST', '/discounts', {
    name: `Половина ${mark}`,
    kind: 'percent',
    value: 50,
    filials: [filial.id],
  })
  await clinic.call('PUT', `/discounts/${discount.id}`, { status: 'active' })
  const patient = await clinic.call('POST', '/customers', { surname: `Платова-${mark}`, name: 'Вера' })
  const visit = await clinic.call('POST', '/appointments/book', {
    idCustomer: patient.id,
    idFilial: filial.id,
    localDate: today(),
    coupons: [{ idUser: doctor.id, localStart: '12:00', services: services.map(({ id }) => ({ idService: id })) }],
  })
  const price = await clinic.call('GET', `/appointments/${visit.id}/price`)
  const due: number = price.lines.reduce((sum: number, line: { final: number }) => sum + line.final, 0)
  return {
    mark,
    filial,
    desk,
    names,
    discount,
    patient: patient.shortFio as string,
    idPatient: patient.id as number,
    idOrganization: own.items[0].id as number,
    due,
  }
}

test('a registrar takes money for a visit, gives a part back and closes the shift, which agrees with Z', async ({
  page,
  clinic,
}) => {
  const { person } = await clinic.enter(page, 'Регистратор')
  const { mark, filial, desk, names, discount, patient, due } = await branch(clinic, person.id)

  await page.goto(`/app/cash?desk=${desk.id}`)
  await page.getByRole('button', { name: 'Открыть смену' }).click()
  await expect(page.getByRole('button', { name: 'Принять оплату' })).toBeEnabled()

  // The dashboard shows the day of the user's branch and links to its patients.
  await page.goto('/app/')
  const day = page.getByRole('region', { name: /^Сегодня/ })
  await expect(day.getByRole('heading')).toContainText(filial.nameFilial)
  await day
    .getByRole('link', { name: /Придут|Опаздывают/ })
    .first()
    .click()
  const row = page.getByRole('row', { name: new RegExp(patient) })
  await expect(row).toBeVisible()
  await page.getByRole('button', { name: /^Все \d/ }).click()
  await row.focus()
  await page.keyboard.press('a')
  await expect(row).toContainText('Пришёл')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: /Запись №/ })
  for (const name of names) {
    await panel.getByRole('button', { name: `Услуга: ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Оказана' }).click()
  }
  await expect(panel.getByText('оказана', { exact: true })).toHaveCount(2)

  // The reasons of the price.
  await panel.getByRole('button', { name: `Почему такая цена: ${names[0]}` }).click()
  await expect(panel.getByText(discount.name).first()).toBeVisible()
  const money = panel.getByRole('region', { name: 'Оплата' })
  await expect(money).toContainText(rubles(due))
  await expect(money.getByText(/^Долг/)).toContainText(rubles(due))

  // Two payment methods, by keyboard: the debt is filled in.
  await panel.getByRole('heading', { name: 'Оплата' }).click()
  await page.keyboard.press('o')
  const dialog = page.getByRole('dialog', { name: 'Принять оплату' })
  const sum = dialog.getByRole('textbox', { name: 'Сумма' })
  await expect(sum).toHaveValue(rubles(due))
  await sum.fill('500')
  await dialog.getByRole('button', { name: 'Ещё способ' }).click()
  await dialog.getByRole('textbox', { name: 'Сумма, часть 2' }).fill(String(due - 500).replace('.', ','))
  await dialog.getByRole('textbox', { name: 'Получено наличными' }).fill('1000')
  await expect(dialog).toContainText('Сдача')
  await dialog.getByRole('button', { name: /^Принять / }).click()
  const taken = toast(page, 'Принято')
  await expect(taken.getByRole('button', { name: 'Печать' })).toBeVisible()
  await taken.getByRole('button', { name: 'Чек' }).click()
  const receipt = page.getByRole('dialog', { name: /^Чек по платежу/ })
  await expect(receipt).toContainText(names[0] as string)
  await expect(receipt).toContainText(rubles(due))
  await expect(receipt.getByRole('status')).toContainText('Пробит')
  await page.keyboard.press('Escape')
  await expect(receipt).toBeHidden()
  await expect(money.locator('dd').last()).toHaveText(/^0,00/)
  await expect(panel.getByText('оплачена', { exact: true })).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(row).toContainText('оплачено')

  // A partial refund in cash; the services it had paid are owed again.
  await page.goto(`/app/cash?desk=${desk.id}`)
  const payments = page.getByRole('region', { name: 'Оплаты и возвраты' })
  const payment = payments.getByRole('listitem').filter({ hasText: 'Наличные, Карта' })
  await expect(payment).toContainText('Чек пробит')
  const totals = page.getByRole('region', { name: /^Итоги смены/ })
  await expect(totals).toContainText(rubles(due))
  await totals.getByRole('button', { name: 'По услугам и врачам' }).click()
  for (const name of names) await expect(totals.getByRole('region', { name: 'По услугам' })).toContainText(name)
  await expect(totals.getByRole('region', { name: 'По врачам' })).toContainText(rubles(due))
  await payment.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Вернуть…' }).click()
  const back = page.getByRole('dialog', { name: /^Возврат/ })
  for (const [name, given] of [
    ['Наличные', '200'],
    ['Карта', '0'],
  ] as const) {
    const field = back.getByRole('textbox', { name })
    // A focused field shows its number without the unit first.
    await field.focus()
    await expect(field).toHaveValue(/\d$/)
    await field.fill(given)
  }
  await back.getByRole('textbox', { name: 'Причина' }).fill('Услуга оказана не полностью')
  await back.getByRole('button', { name: /^Вернуть 200/ }).click()
  await expect(toast(page, 'Возвращено')).toBeVisible()
  await expect(payments.getByRole('listitem').filter({ hasText: 'Возврат:' })).toContainText('Чек пробит')

  await page.getByRole('button', { name: 'Смена' }).click()
  await page.getByRole('menuitem', { name: 'Закрыть смену…' }).click()
  const close = page.getByRole('dialog', { name: 'Закрыть смену' })
  await close.getByRole('textbox', { name: 'Посчитано в кассе' }).fill('300')
  await expect(close.getByText('Должно быть в кассе')).toBeVisible()
  await expect(close.getByRole('status')).toHaveCount(0)
  await close.getByRole('button', { name: 'Закрыть смену' }).click()
  const report = page.getByRole('dialog', { name: 'Смена закрыта: сверка' })
  await expect(report.getByText('С Z-отчётом сходится')).toBeVisible()
  await expect(report).not.toContainText('разница')

  await page.goto(`/app/calendar/day-sheet?filial=${filial.id}`)
  await expect(page.getByRole('row', { name: new RegExp(mark) })).toContainText(rubles(200))
})

test('a certificate is sold at the desk, and pays a debt together with money', async ({ page, clinic }) => {
  const { person } = await clinic.enter(page, 'Регистратор')
  const { mark, desk, idPatient, idOrganization } = await branch(clinic, person.id)
  const debt = { key: `debt-${mark}-1`, idCustomer: idPatient, idOrganization, kind: 'charge', sum: 1000 }
  await clinic.call('POST', '/ledger/correct', { ...debt, reason: 'Остаток из прежней программы' })

  await page.goto(`/app/cash?desk=${desk.id}`)
  await page.getByRole('button', { name: 'Открыть смену' }).click()
  await expect(page.getByRole('button', { name: 'Принять оплату' })).toBeEnabled()
  await page.goto(`/app/customers/edit?id=${idPatient}&tab=account`)
  await page.getByRole('button', { name: 'Продать сертификат' }).click()
  const sale = page.getByRole('dialog', { name: 'Продать сертификат' })
  await sale.getByRole('textbox', { name: 'Номер' }).fill(`ДАР-${mark}`)
  await sale.getByRole('textbox', { name: 'Номинал' }).fill('400')
  await sale.getByRole('button', { name: /^Принять 400/ }).click()
  await expect(toast(page, 'продан')).toBeVisible()
  const certificates = page.getByRole('region', { name: 'Сертификаты' })
  await expect(certificates).toContainText(/Осталось 400,00.* из 400,00/)

  // The certificate pays up to its balance, another method the rest.
  await page.getByRole('tabpanel', { name: 'Счёт' }).getByRole('button', { name: 'Принять оплату' }).click()
  const dialog = page.getByRole('dialog', { name: 'Принять оплату' })
  await dialog.getByRole('button', { name: 'Сертификатом' }).click()
  await dialog.getByRole('textbox', { name: 'Номер сертификата' }).fill(`дар-${mark}`)
  await expect(dialog.getByRole('textbox', { name: 'Сумма, часть 1' })).toHaveValue(/^400/)
  await dialog.getByRole('button', { name: 'Ещё способ' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Сумма, часть 2' })).toHaveValue(/^600/)
  await dialog.getByRole('button', { name: /^Принять 1/ }).click()
  await expect(toast(page, 'Принято')).toBeVisible()
  await expect(certificates).toContainText('использован')
  await expect(page.getByText('Долг').first().locator('..')).toContainText(rubles(0))
})

test('what cannot be deleted shows why before the click, and of several how many stay and why', async ({
  page,
  clinic,
  complaints,
}) => {
  complaints.allow(/status of 409/)
  await clinic.enter(page)
  const mark = randomUUID().slice(0, 6)
  const filial = await clinic.call('POST', '/filials', { nameFilial: `Закрываемый ${mark}`, timeZone: ZONE })
  const own = await clinic.call('GET', '/organizations?filter[kind]=own&limit=1')
  const [open] = await Promise.all(
    ['Открытая', 'Пустая'].map((name) =>
      clinic.call('POST', '/cash-desks', {
        name: `${name} ${mark}`,
        idFilial: filial.id,
        idOrganization: own.items[0].id,
      }),
    ),
  )
  await clinic.call('POST', '/cash-shifts/open', { key: randomUUID(), idDesk: open.id })
  await page.goto(`/app/settings/cash-desks?open=${open.id}`)
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Действия с записью' }).click()
  await expect(page.getByRole('menuitem', { name: 'В этой кассе открыта смена: сначала закройте её' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()

  await page.getByRole('searchbox').first().fill(mark)
  const row = (name: string) => page.getByRole('row').filter({ hasText: `${name} ${mark}` })
  await row('Открытая').getByRole('checkbox').check()
  const bar = page.getByRole('toolbar', { name: 'Действия с выбранными' })
  const remove = bar.getByRole('button', { name: 'Удалить' })
  await expect(remove).toBeDisabled()
  await expect(remove).toHaveAttribute('title', 'В этой кассе открыта смена: сначала закройте её')
  await row('Пустая').getByRole('checkbox').check()
  await expect(remove).toHaveAttribute('title', /^Не удалятся 1 из 2: В этой кассе открыта смена/)
  await remove.click()
  await expect(page.getByText('Удалено 1 из 2')).toBeVisible()
  await expect(row('Пустая')).toHaveCount(0)
  await expect(row('Открытая')).toBeVisible()
})
