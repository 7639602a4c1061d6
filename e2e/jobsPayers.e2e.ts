import type { Locator } from 'playwright/test'
import { ahead, branch, sit, today } from './branch.ts'
import { Hand, WAYS } from './hand.ts'
import { dialog, mark, printSteps, WIDE } from './steps.ts'
import { type Clinic, expect, test, toast } from './support.ts'

/** Jobs with payers besides the patient, and with memberships; steps as in `jobs.e2e.ts`. */

const MOST = {
  insured: { mouse: 10, keys: 10 },
  registry: { mouse: 6, keys: 8 },
  membership: { mouse: 9, keys: 12 },
} as const

/** An insurer with a contract and a programme that covers everything, the patient on its list. */
async function insured(clinic: Clinic, idCustomer: number, copay: number): Promise<string> {
  const tag = mark()
  const own = await clinic.call('GET', '/organizations?filter[kind]=own&limit=1')
  const payer = await clinic.call('POST', '/organizations', { shortName: `Страховая ${tag}`, kind: 'insurer' })
  const number = `ДМС-${tag}`
  const contract = await clinic.call('POST', '/payer-contracts', {
    ...{ idPayer: payer.id, idOrganization: own.items[0].id, number, dateFrom: '2026-01-01', copay },
  })
  const programme = await clinic.call('POST', '/organizations/programmes', {
    ...{ idOrganization: payer.id, name: 'Стандарт' },
  })
  await clinic.call('POST', '/programme-rules', { idProgramme: programme.id, kind: 'allow' })
  await clinic.call('POST', '/insured-persons', {
    ...{ idContract: contract.id, idProgramme: programme.id, policy: `П-${tag}`, surname: 'Пациентова' },
    ...{ idCustomer, dateFrom: '2026-01-01' },
  })
  return number
}

/** A desk of the branch with an open shift. */
async function openDesk(clinic: Clinic, idFilial: number) {
  const own = await clinic.call('GET', '/organizations?filter[kind]=own&limit=1')
  const desk = await clinic.call('POST', '/cash-desks', {
    ...{ name: `Касса ${mark()}`, idFilial, idOrganization: own.items[0].id },
    ...{ kktMode: 'simulator', terminalMode: 'simulator' },
  })
  await clinic.call('POST', '/cash-shifts/open', { key: `shift-${mark()}${mark()}`, idDesk: desk.id })
  return desk as { id: number }
}

/** Chooses an item of the open menu: each arrow is a step. */
async function choose(hand: Hand, item: Locator): Promise<void> {
  await expect(item).toBeVisible()
  if (hand.way === 'mouse') return hand.press(item)
  for (let at = 0; at < 8 && !(await item.evaluate((element) => element === document.activeElement)); at++)
    await hand.key('ArrowDown')
  await hand.key('Enter')
}

for (const way of WAYS) {
  test(`an insured patient is booked and pays the co-payment: ${way}`, async ({ page, clinic }) => {
    const { mark: tag, filial, first, service, idPatient, at } = await branch(clinic, ahead(9))
    await insured(clinic, idPatient, 20)
    await page.setViewportSize(WIDE)
    const { person } = await clinic.enter(page, 'Регистратор')
    await sit(clinic, filial.id, person.id)
    await openDesk(clinic, filial.id)
    await page.goto(`/app/calendar?${at}`)
    await expect(page.getByRole('region', { name: new RegExp(first.name) })).toBeVisible()
    const hand = new Hand(page, way)
    if (way === 'mouse') await hand.press(page.getByRole('button', { name: 'Записать', exact: true }))
    else await hand.key('n')
    const open = dialog(page, 'Запись на приём')
    await expect(open.getByRole('combobox', { name: 'Пациент' })).toBeFocused()
    await hand.type(`Пациентова-${tag}`)
    const known = page.getByRole('option', { name: new RegExp(`Пациентова-${tag}`) }).first()
    await expect(known).toBeVisible()
    if (way === 'mouse') await hand.press(known)
    else await hand.key('Enter')
    await expect(open.getByRole('combobox', { name: 'Услуги' })).toBeFocused()
    await hand.type(service.nameService)
    await expect(page.getByRole('option', { name: service.nameService })).toBeVisible()
    await hand.key('Control+Enter')
    const time = open.getByRole('button', { name: new RegExp(`09:00, ${first.name}`) })
    await expect(time).toBeFocused()
    if (way === 'mouse') await hand.press(time)
    else await hand.key('Enter')
    const book = open.getByRole('button', { name: 'Записать', exact: true })
    await expect(book).toBeFocused()
    if (way === 'mouse') await hand.press(book)
    else await hand.key('Enter')
    await expect(open.getByText(/Вы записаны: .* в 09:00, врач/)).toBeVisible()
    const button = open.getByRole('button', { name: 'Открыть запись' })
    if (way === 'mouse') await hand.press(button)
    else await hand.key('o')
    const visit = page.getByRole('dialog', { name: /^Запись №/ })
    await expect(visit.getByText(/Покрыто/)).toBeVisible()
    const pay = visit.getByRole('button', { name: 'Принять оплату' })
    await expect(pay).toBeVisible()
    if (way === 'mouse') await hand.press(pay)
    else await hand.key('o')
    const take = dialog(page, /^Принять оплату/)
    // The payer owes the rest of the 1,500.
    await expect(take.getByRole('textbox', { name: 'Сумма' })).toHaveValue(/^300,00/)
    await expect(take.getByRole('textbox', { name: 'Сумма' })).toBeFocused()
    if (way === 'mouse') await hand.press(take.getByRole('button', { name: /^Принять / }))
    else await hand.key('Enter')
    await expect(toast(page, 'Принято')).toBeVisible()
    printSteps('an insured patient', hand, MOST.insured)
  })

  test(`a registry of a month is collected, saved and sent: ${way}`, async ({ page, clinic }) => {
    const { mark: tag, service, idPatient, book } = await branch(clinic, today())
    const number = await insured(clinic, idPatient, 0)
    await clinic.call('PUT', `/customers/${idPatient}`, { birthday: '01.02.1980' })
    await clinic.call('PUT', `/services/${service.id}`, { medicalCode: 'B01.047.001' })
    const template = await clinic.call('POST', '/consents/templates', { name: `Диагноз ${tag}`, type: 'payer' })
    const version = await clinic.call('POST', '/consents/versions', {
      ...{ idTemplate: template.id, dateFrom: '2020-01-01', purpose: 'ДМС', text: '<p>Согласна</p>' },
    })
    const paper = await clinic.call('POST', '/consents', { idCustomer: idPatient, idVersion: version.id })
    await clinic.call('POST', `/consents/${paper.id}/sign`, {})
    const { id: idVisit } = await book('09:30')
    for (const status of ['arrived', 'inProgress'])
      await clinic.call('POST', `/appointments/${idVisit}/status`, { status })
    const form = { sections: [{ title: 'Осмотр', fields: [{ key: 'жалобы', label: 'Жалобы', type: 'text' }] }] }
    const { id: idTemplate } = await clinic.call('POST', '/examination-templates', {
      ...{ name: `Осмотр ${tag}`, isShared: true, form },
    })
    const examination = await clinic.call('POST', '/examinations', {
      ...{ idCustomer: idPatient, idTemplate, idAppointment: idVisit },
    })
    const diagnoses = [{ code: 'K02.1', name: 'Кариес дентина', kind: 'main', type: 'final' }]
    await clinic.call('POST', `/examinations/${examination.id}/save`, { changes: { diagnoses }, base: {} })
    await clinic.call('POST', `/appointments/${idVisit}/status`, { status: 'completed' })
    await page.setViewportSize(WIDE)
    await clinic.enter(page)
    await page.goto('/app/payers/registries')
    const collect = page.getByRole('button', { name: 'Собрать реестр' })
    await expect(collect).toBeVisible()
    const hand = new Hand(page, way)
    if (way === 'mouse') await hand.press(collect)
    else await hand.key('n')
    const open = dialog(page, 'Собрать реестр за месяц')
    await hand.enter(open.getByLabel('Договор'))
    await hand.type(number)
    const contract = page.getByRole('option', { name: new RegExp(number) })
    await expect(contract).toBeVisible()
    if (way === 'mouse') await hand.press(contract)
    else await hand.key('Enter')
    if (way === 'mouse') await hand.press(open.getByRole('button', { name: 'Собрать', exact: true }))
    else await hand.key('Control+Enter')
    const registry = page.getByRole('dialog').last()
    await expect(registry.getByText(/1.услуга на/)).toBeVisible()
    const saving = page.waitForEvent('download')
    await hand.press(registry.getByRole('button', { name: 'XLSX' }))
    expect((await saving).suggestedFilename()).toMatch(/\.xlsx$/)
    const send = registry.getByRole('button', { name: 'Отправлен плательщику' })
    await expect(send).toBeEnabled()
    await hand.press(send)
    await expect(toast(page, 'Реестр отправлен')).toBeVisible()
    await expect(registry.getByText('Отправлен', { exact: true })).toBeVisible()
    printSteps('a registry', hand, MOST.registry)
  })

  test(`a membership is sold and its first visit used: ${way}`, async ({ page, clinic }) => {
    const { filial, service, idPatient, book, at } = await branch(clinic, today())
    const tag = mark()
    const type = await clinic.call('POST', '/membership-types', { nameType: `Курс ${tag}`, price: 3000, visits: 3 })
    await clinic.call('POST', '/membership-types/items', { idType: type.id, idService: service.id })
    await page.setViewportSize(WIDE)
    const { person } = await clinic.enter(page, 'Регистратор')
    await sit(clinic, filial.id, person.id)
    await openDesk(clinic, filial.id)
    const { id: idVisit } = await book('10:00')
    await clinic.call('POST', `/appointments/${idVisit}/status`, { status: 'arrived' })
    await page.goto(`/app/customers/edit?id=${idPatient}&tab=account`)
    const hand = new Hand(page, way)
    await hand.press(page.getByRole('button', { name: 'Продать абонемент' }))
    const sell = dialog(page, 'Продать абонемент')
    await hand.enter(sell.getByLabel('Вид'))
    await hand.type(`Курс ${tag}`)
    const kind = page.getByRole('option', { name: new RegExp(tag) })
    await expect(kind).toBeVisible()
    if (way === 'mouse') await hand.press(kind)
    else await hand.key('Enter')
    const accept = sell.getByRole('button', { name: /^Принять 3.000/ })
    await expect(accept).toBeVisible()
    if (way === 'mouse') await hand.press(accept)
    else await hand.key('Control+Enter')
    await expect(toast(page, 'продан')).toBeVisible()
    await page.goto(`/app/calendar?${at}&visit=${idVisit}`)
    const visit = page.getByRole('dialog', { name: /^Запись №/ })
    const menu = visit.getByRole('button', { name: `Услуга: ${service.nameService}` })
    await hand.press(menu)
    await choose(hand, page.getByRole('menuitem', { name: 'Оплатить абонементом…' }))
    const paying = dialog(page, 'Оплатить абонементом')
    await expect(paying.getByText(/осталось 3 из 3/)).toBeVisible()
    if (way === 'mouse') await hand.press(paying.getByRole('button', { name: 'Оплатить', exact: true }))
    else await hand.key('Control+Enter')
    await expect(toast(page, 'Услуга оплачена абонементом')).toBeVisible()
    await hand.press(menu)
    await choose(hand, page.getByRole('menuitem', { name: 'Оказана' }))
    await expect
      .poll(async () => {
        const { items } = await clinic.call('GET', `/memberships?filter[idBuyer]=${idPatient}`)
        return [items[0].used, items[0].rest]
      })
      .toEqual([1, 2])
    printSteps('a membership', hand, MOST.membership)
  })
}
