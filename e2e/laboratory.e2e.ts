import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright/test'
import { expect, test, title, tones } from './support.ts'

/** Tests are ordered, the tube is scanned without a mouse, the value is entered, confirmed and inserted into an examination. */

test('a test goes from an examination to the scanner, to the work list and back into the text', async ({
  page,
  clinic,
  complaints,
}) => {
  complaints.allow(/status of 404 .*\/laboratory\/samples\/scan/)
  const mark = randomUUID().slice(0, 8)
  const name = `Глюкоза ${mark}`
  const filial = await clinic.call('POST', '/filials', { nameFilial: `Забор ${mark}` })
  const own = await clinic.call('POST', '/laboratory/list', { name: `Лаборатория ${mark}`, idFilial: filial.id })
  const analyte = await clinic.call('POST', '/laboratory/analytes', { name, code: `G${mark}`, unit: 'ммоль/л' })
  await clinic.call('POST', '/laboratory/norms', { idAnalyte: analyte.id, low: 4.1, high: 6.1 })
  const service = await clinic.call('POST', '/services', { nameService: name, priceService: 260 })
  const work = await clinic.call('POST', '/laboratory/catalog', {
    name,
    idLaboratory: own.id,
    idService: service.id,
    minVolume: 0.5,
  })
  await clinic.call('POST', '/laboratory/components', { idTest: work.id, idAnalyte: analyte.id })
  const patient = await clinic.call('POST', '/customers', { surname: `Сладков${mark}`, name: 'Илья' })
  const template = await clinic.call('POST', '/examination-templates', {
    name: `Приём ${mark}`,
    isShared: true,
    form: { sections: [{ title: 'Опрос', fields: [{ key: 'анализы', label: 'Обследования', type: 'text' }] }] },
  })
  const examination = await clinic.call('POST', '/examinations', { idCustomer: patient.id, idTemplate: template.id })

  await clinic.enter(page)
  await page.goto(`/app/examinations/${examination.id}`)
  await page.getByRole('button', { name: 'Другие действия' }).click()
  await page.getByRole('menuitem', { name: 'Назначить анализы' }).click()
  await expect(title(page, 'Новый заказ анализов')).toBeVisible()
  await page.getByRole('combobox', { name: 'Филиал' }).fill(`Забор ${mark}`)
  await page.getByRole('option', { name: `Забор ${mark}` }).click()
  await page.getByRole('searchbox', { name: 'Поиск исследования' }).fill(mark)
  await page.getByRole('button', { name: new RegExp(name) }).click()
  await page.getByRole('button', { name: 'Оформить заказ' }).click()
  await expect(title(page, /^Л-\d+/)).toBeVisible()
  const idOrder = Number(new URL(page.url()).pathname.split('/').at(-1))
  const order = await clinic.call('GET', `/laboratory/orders/${idOrder}`)
  // The demo clinic takes a discount off it, as off any service.
  expect(order).toMatchObject({ idExamination: examination.id, paidStatus: 'unpaid' })
  expect(order.sum).toBeLessThanOrEqual(260)
  const { samples } = await clinic.call('GET', `/laboratory/orders/${idOrder}/lines`)
  const barcode = samples[0].barcode as string

  // A scanner acts as a keyboard: the field has the focus when the page opens and after each scan.
  const sounds = await tones(page)
  await page.goto('/app/laboratory/samples')
  const field = page.getByRole('textbox', { name: 'Штрихкод пробирки' })
  await expect(field).toBeFocused()
  await page.keyboard.type('0000000000\n')
  const verdict = page.getByRole('status').filter({ hasText: /Не принято|Взята|В работе/ })
  await expect(verdict).toContainText('не найдена')
  const times = await watchScan(page, barcode)
  await page.keyboard.type(`${barcode}\n`)
  await expect(verdict).toContainText(`Сладков${mark}`)
  const { sent, answered, drawn, painted } = await times()
  console.info(
    `From the last key of a scan: asked after ${sent} ms, answered after ${answered}, drawn after ${drawn}, on the screen after ${painted} ms`,
  )
  await page.keyboard.press('Alt+4')
  await expect(page.getByRole('button', { name: /В работу/ })).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.type(`${barcode}\n`)
  await expect(verdict).toContainText('В работе')
  await expect(field).toBeFocused()
  await expect.poll(sounds).toBeGreaterThanOrEqual(3)

  await page.goto(`/app/laboratory/results?q=${order.number}`)
  const value = page.getByRole('textbox', { name: new RegExp(name) })
  await value.fill('7.4')
  await value.press('Enter')
  await expect(page.getByRole('cell', { name: /Выше нормы/ })).toBeVisible()
  await value.press('Control+Enter')
  await expect
    .poll(async () => (await clinic.call('GET', `/laboratory/orders/${idOrder}/lines`)).items[0].values[0]?.status)
    .toBe('technical')
  // The screen shows it before the next key is pressed.
  await expect(page.getByRole('cell', { name: /Получен, не проверен/ })).toBeHidden()
  await value.press('Control+Enter')
  await expect.poll(async () => (await clinic.call('GET', `/laboratory/orders/${idOrder}`)).status).toBe('done')

  await page.goto(`/app/examinations/${examination.id}`)
  const text = page.getByRole('textbox', { name: 'Обследования' })
  await text.fill('Жалоб нет.')
  await page.getByRole('button', { name: 'Вставить анализы: Обследования' }).click()
  await expect(text).toHaveValue(
    new RegExp(
      `^Жалоб нет\\.\\nАнализы от \\d\\d\\.\\d\\d\\.\\d{4}: ${name} 7,4 ммоль/л \\(выше нормы, норма 4,1–6,1\\)\\.$`,
    ),
  )
})

interface Scan {
  sent: number
  answered: number
  drawn: number
  painted: number
}

/**
 * Records in the page the time between the scanner's Enter and the paint of the response.
 * @returns the milliseconds of each step since the key, once all are known
 */
async function watchScan(page: Page, code: string): Promise<() => Promise<Scan>> {
  await page.evaluate((wanted) => {
    const scan: Partial<Scan> = {}
    Object.assign(window, { scan })
    let key = 0
    const since = () => Math.round(performance.now() - key)
    addEventListener(
      'keydown',
      (event) => {
        if (event.key === 'Enter') key = event.timeStamp
      },
      true,
    )
    const ask = window.fetch
    window.fetch = async (...asked) => {
      const [to] = asked
      const isScan = (to instanceof Request ? to.url : String(to)).includes('/samples/scan')
      if (isScan) scan.sent = since()
      const answer = await ask(...asked)
      if (isScan) scan.answered = since()
      return answer
    }
    new MutationObserver((_, observer) => {
      if (scan.answered === undefined || !document.querySelector('[data-tone]')?.textContent?.includes(wanted)) return
      observer.disconnect()
      scan.drawn = since()
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => {
          scan.painted = since()
        }
        port2.postMessage(0)
      })
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  }, code)
  return async () => {
    const scan = await page.waitForFunction(() => {
      const { scan: found } = window as unknown as { scan: Partial<Scan> }
      return found.painted === undefined ? undefined : (found as Scan)
    })
    return (await scan.jsonValue()) as Scan
  }
}
