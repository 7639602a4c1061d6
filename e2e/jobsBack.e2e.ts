import { snilsOf } from '../apps/server/src/testing/elnSimulator.ts'
import { branch, sit, today } from './branch.ts'
import { Hand, WAYS } from './hand.ts'
import { dialog, mark, printSteps, WIDE } from './steps.ts'
import { type Clinic, expect, give, type Person, test } from './support.ts'

/** Daily jobs away from the front desk, each by mouse and by keyboard alone; docs/tests.md defines a step. */

const MOST = {
  unread: { mouse: 3, keys: 3 },
  laboratory: { mouse: 8, keys: 8 },
  goods: { mouse: 5, keys: 6 },
  leave: { mouse: 12, keys: 12 },
  revenue: { mouse: 3, keys: 4 },
} as const

const snils = (): string => snilsOf(Math.floor(100_000_000 + Math.random() * 899_999_999))

/** A barcode of 13 digits, as printed on a box. */
function barcode(): string {
  const digits = `460${String(Math.floor(100_000_000 + Math.random() * 899_999_999))}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

async function enter(clinic: Clinic, page: Parameters<typeof give>[0], person: Person): Promise<void> {
  await give(page, (await clinic.walkers.signedIn(person)).state)
}

for (const way of WAYS) {
  test(`who has not read a regulation: ${way}`, async ({ page, clinic }) => {
    const name = `Порядок уборки ${mark()}`
    const made = await clinic.call('POST', '/regulations/model/create', { name, stages: [{ title: 'Вымыть пол' }] })
    for (const to of ['review', 'approved', 'active'])
      await clinic.call('POST', `/regulations/model/transition?id=${made.id}`, { to })
    const reader = await clinic.person()
    await clinic.call('POST', `/regulations/model/set-audience?id=${made.id}`, { roles: [], idUsers: [reader.id] })
    await page.setViewportSize(WIDE)
    await clinic.enter(page)
    await page.goto('/app')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const hand = new Hand(page, way)
    if (way === 'mouse') await hand.press(page.getByRole('button', { name: 'Поиск и команды' }))
    else await hand.key('Control+k')
    await expect(page.getByRole('combobox', { name: 'Поиск и команды' })).toBeFocused()
    await hand.type(name)
    const found = page.getByRole('option').filter({ hasText: name })
    await expect(found).toBeVisible()
    if (way === 'mouse') await hand.press(found)
    else await hand.key('Enter')
    const unread = dialog(page, name).getByRole('region', { name: 'Не ознакомились' })
    await expect(unread).toContainText('1 из 1')
    await expect(unread.getByRole('listitem')).toContainText(reader.fio.split(' ')[0] as string)
    printSteps('readers', hand, MOST.unread)
  })

  test(`an order of laboratory tests gets its labels: ${way}`, async ({ page, clinic }) => {
    const { filial, mark: tag, idPatient } = await branch(clinic, today())
    const person = await clinic.person({ roles: ['Полный доступ'] })
    await sit(clinic, filial.id, person.id)
    const name = `Глюкоза ${tag}`
    const own = await clinic.call('POST', '/laboratory/list', { name: `Лаборатория ${tag}`, idFilial: filial.id })
    const service = await clinic.call('POST', '/services', { nameService: name, priceService: 260 })
    await clinic.call('POST', '/laboratory/catalog', {
      name,
      idLaboratory: own.id,
      idService: service.id,
      minVolume: 0.5,
    })
    await page.setViewportSize(WIDE)
    await enter(clinic, page, person)
    await page.goto('/app/laboratory/orders')
    const hand = new Hand(page, way)
    const fresh = page.getByRole('button', { name: 'Новый заказ анализов' })
    await expect(fresh).toBeVisible()
    if (way === 'mouse') await hand.press(fresh)
    else await hand.key('n')
    await expect(page.getByRole('combobox', { name: 'Филиал' })).toHaveValue(filial.nameFilial)
    await hand.enter(page.getByRole('combobox', { name: 'Пациент' }))
    await hand.type(`Пациентова-${tag}`)
    const option = page.getByRole('option', { name: new RegExp(`Пациентова-${tag}`) })
    await expect(option).toBeVisible()
    if (way === 'mouse') await hand.press(option)
    else await hand.key('Enter')
    await hand.enter(page.getByRole('searchbox', { name: 'Поиск исследования' }))
    await hand.type(tag)
    const work = page.getByRole('region', { name: 'Исследования' }).getByRole('button', { name: new RegExp(name) })
    await expect(work).toBeVisible()
    await expect(page.getByRole('region', { name: 'Исследования' }).locator('[aria-pressed]')).toHaveCount(1)
    if (way === 'mouse') await hand.press(work)
    else await hand.key('Enter')
    const place = page.getByRole('button', { name: 'Оформить заказ' })
    await expect(place).toBeEnabled()
    if (way === 'mouse') await hand.press(place)
    else await hand.key('Control+Enter')
    await expect(page.getByRole('heading', { level: 1, name: /^Л-\d+/ })).toBeVisible()
    const labels = page.getByRole('button', { name: 'Этикетки', exact: true })
    await expect(labels).toBeVisible()
    const saved = page.waitForEvent('download')
    if (way === 'mouse') await hand.press(labels)
    else await hand.key('l')
    expect((await saved).suggestedFilename()).toMatch(/^Этикетки Л-.*\.pdf$/)
    const { items } = await clinic.call('GET', `/laboratory/orders?filter[idCustomer]=${idPatient}`)
    expect(items).toHaveLength(1)
    printSteps('a laboratory order', hand, MOST.laboratory)
  })

  test(`goods are received by the scanner: ${way}`, async ({ page, clinic }) => {
    const tag = mark()
    const filial = await clinic.call('POST', '/filials', { nameFilial: `Приёмка ${tag}` })
    const warehouse = await clinic.call('POST', '/warehouses', { name: `Склад ${tag}`, idFilial: filial.id })
    const supplier = await clinic.call('POST', '/organizations', { shortName: `Поставщик ${tag}`, kind: 'supplier' })
    const boxes: string[] = []
    for (const nameService of [`Бинт ${tag}`, `Шприц ${tag}`]) {
      const code = barcode()
      await clinic.call('POST', '/services', { nameService, serviceCategory: 1, unit: 'шт.', barcode: code })
      boxes.push(code)
    }
    await page.setViewportSize(WIDE)
    await enter(clinic, page, await clinic.person({ roles: ['Полный доступ'] }))
    await page.goto('/app/warehouse/documents')
    const create = page.getByRole('button', { name: 'Новый складской документ' }).first()
    const open = dialog(page, 'Складской документ')
    // A former receipt of the same person: the warehouse is preset since then.
    await create.click()
    await open.getByRole('combobox', { name: 'На склад' }).fill(warehouse.name)
    await page.getByRole('option', { name: warehouse.name }).click()
    await open.getByRole('button', { name: 'Создать' }).click()
    await expect(page.getByRole('textbox', { name: /Сканируйте код товара/ })).toBeFocused()
    await page.goto('/app/warehouse/documents')
    await expect(create).toBeVisible()

    const hand = new Hand(page, way)
    if (way === 'mouse') await hand.press(create)
    else await hand.key('n')
    await expect(open.getByRole('combobox', { name: 'На склад' })).toHaveValue(warehouse.name)
    await hand.enter(open.getByRole('combobox', { name: 'Поставщик' }))
    await hand.type(supplier.shortName)
    const option = page.getByRole('option', { name: supplier.shortName })
    await expect(option).toBeVisible()
    if (way === 'mouse') {
      await hand.press(option)
      await hand.press(open.getByRole('button', { name: 'Создать' }))
    } else {
      await hand.key('Enter')
      await hand.key('Control+Enter')
    }
    const field = page.getByRole('textbox', { name: /Сканируйте код товара/ })
    await hand.enter(field)
    // The trigger of the scanner is the key of a box.
    for (const code of [boxes[0], boxes[1], boxes[0]] as string[]) await page.keyboard.type(`${code}\n`)
    await expect(page.getByText(`Бинт ${tag}: 2 шт.`)).toBeVisible()
    const post = page.getByRole('button', { name: 'Провести', exact: true })
    if (way === 'mouse') await hand.press(post)
    else await hand.key('Control+Enter')
    await expect(page.getByText(/^Проведён, № /)).toBeVisible()
    const { items } = await clinic.call(
      'GET',
      `/warehouse/documents?filter[idTo]=${warehouse.id}&filter[status]=posted`,
    )
    expect(items).toMatchObject([{ linesCount: 2, idSupplier: supplier.id }])
    printSteps('goods without their boxes', hand, MOST.goods)
  })

  test(`a sick leave is opened, signed and sent: ${way}`, async ({ page, clinic }) => {
    const tag = mark()
    await clinic.call('PUT', '/settings/common', { elnMode: 'test', signaturePlugin: 'simulator' })
    const { items: certificates } = await clinic.call('GET', '/signatures/simulator/certificates')
    for (const { certificate } of certificates.slice(1))
      await clinic.ask('POST', '/signatures/certificates/add', { certificate, purpose: 'organization' })
    const person = await clinic.person({ roles: ['Врач'] })
    await clinic.call('PUT', `/users/${person.id}`, { snils: snils(), post: 'Врач-терапевт' })
    await clinic.call('POST', '/customers', {
      surname: `Больнов-${tag}`,
      name: 'Иван',
      gender: 'male',
      birthday: '01.02.1980',
      snils: snils(),
      work: 'ООО «Завод»',
    })
    await page.setViewportSize(WIDE)
    await enter(clinic, page, person)
    await page.goto('/app/eln')
    const hand = new Hand(page, way)
    const create = page.getByRole('button', { name: 'Новый больничный лист' }).first()
    await expect(create).toBeVisible()
    if (way === 'mouse') await hand.press(create)
    else await hand.key('n')
    const form = dialog(page, 'Новый больничный лист')
    const pick = async (label: string, words: string, name: RegExp) => {
      await hand.enter(form.getByRole('combobox', { name: label }))
      await hand.type(words)
      const option = page.getByRole('option', { name }).first()
      await expect(option).toBeVisible()
      if (way === 'mouse') await hand.press(option)
      else await hand.key('Enter')
    }
    await pick('Пациент', `Больнов-${tag}`, new RegExp(`Больнов-${tag}`))
    await pick('Диагноз', 'J06.9', /^J06\.9/)
    if (way === 'mouse') await hand.press(form.getByRole('button', { name: 'Открыть лист' }))
    else await hand.key('Control+Enter')
    const go = async (label: string | RegExp, after: string | RegExp) => {
      const button = page.getByRole('button', { name: label }).last()
      await expect(button).toBeEnabled()
      if (way === 'mouse') await hand.press(button)
      else await hand.key('Control+Enter')
      await expect(page.getByText(after).first()).toBeVisible()
    }
    await expect(form).toBeHidden()
    await go('Отдать на подпись', /Осталось подписать/)
    await go(/^Подписать \(\d\)/, /Сертификат: /)
    const signing = dialog(page, /^Подписать/)
    await expect(signing.getByRole('button', { name: 'Подписать', exact: true })).toBeEnabled()
    if (way === 'mouse') await hand.press(signing.getByRole('button', { name: 'Подписать', exact: true }))
    else await hand.key('Control+Enter')
    await expect(signing).toBeHidden()
    await expect(page.getByText('Подписан, можно отправлять')).toBeVisible()
    await go('Отправить в СФР', /Ждём ответа СФР|Лист открыт/)
    await expect(page.getByText('Лист открыт')).toBeVisible()
    printSteps('a sick leave', hand, MOST.leave)
  })

  test(`the revenue of the last month by source is saved as XLSX: ${way}`, async ({ page, clinic }) => {
    await page.setViewportSize(WIDE)
    await clinic.enter(page)
    await page.goto('/app/reports')
    const hand = new Hand(page, way)
    const report = page.getByRole('link', { name: /^Выручка по источникам/ })
    await expect(report).toBeVisible()
    if (way === 'mouse') await hand.press(report)
    else {
      await hand.enter(page.getByRole('searchbox', { name: 'Найти отчёт или показатель' }))
      await hand.type('источник')
      await hand.key('Enter')
    }
    await expect(page.getByRole('heading', { level: 1, name: 'Выручка по источникам' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Обновить' })).toBeVisible()
    if (way === 'mouse') await hand.press(page.getByRole('button', { name: 'Период раньше' }))
    else await hand.key('[')
    await expect(page.getByRole('combobox', { name: 'Период' })).toHaveValue('Прошлый месяц')
    const saved = page.waitForEvent('download')
    if (way === 'mouse') await hand.press(page.getByRole('button', { name: 'Скачать таблицу в XLSX' }))
    else await hand.key('x')
    expect((await saved).suggestedFilename()).toMatch(/\.xlsx$/)
    printSteps('a report', hand, MOST.revenue)
  })
}
