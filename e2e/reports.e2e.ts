import { readFile } from 'node:fs/promises'
import type { Download, Locator, Page } from 'playwright/test'
import { expect, fits, phone, signIn, test, title } from './support.ts'

/** Reports: each of them opened to its rows, kept, saved, printed and mailed; those of each role; days counted anew. */

interface Offered {
  key: string
  title: string
}

const DESK = { width: 1366, height: 800 }
/** Rows that are listed at first. */
const PAGE = 50
/** Figures that lead to their rows, of the whole period first. */
const figuresOf = (page: Page): Locator => page.getByRole('link', { name: /показать строки$/ })

/** Waits until the totals of the whole period are shown. */
async function counted(page: Page, name: string): Promise<void> {
  await expect(title(page, name)).toBeVisible()
  await expect(page.getByText(/^.*Обновлено в \d\d:\d\d/).first()).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

/** Opens a report from the catalogue. */
async function open(page: Page, { key, title: name }: Offered): Promise<void> {
  await page.locator(`a[href$="/reports?tab=${encodeURIComponent(key)}"]`).click()
  await counted(page, name)
}

/** Asks for the year where the month has no facts. */
async function openWithFacts(page: Page, one: Offered): Promise<void> {
  await open(page, one)
  const period = page.getByRole('combobox', { name: 'Период', exact: true })
  if (!(await figuresOf(page).count()) && (await period.count())) {
    await period.click()
    await page.getByRole('option', { name: 'Год', exact: true }).click()
    await counted(page, one.title)
  }
}

/** Opens the rows behind a figure, which count it anew, and closes them. */
async function opensToItsRows(page: Page, figure: Locator): Promise<void> {
  const value = (await figure.innerText()).trim()
  await figure.click()
  const rows = page.getByRole('dialog')
  try {
    await expect(rows.getByRole('table')).toBeVisible()
    const count = rows.getByText(/^[\d\s]+\sстрок[аи]?$/)
    const total = Number((await count.innerText()).replace(/\D/g, ''))
    expect(await count.locator('..').innerText()).toContain(value)
    expect(await rows.getByRole('table').getByRole('row').count()).toBe(Math.min(total, PAGE) + 1)
  } finally {
    await page.goBack()
    await expect(rows).toHaveCount(0)
  }
}

/** A file that a busy server has refused in words is asked for again. */
async function saved(page: Page, item: string): Promise<Download> {
  let file: Download | undefined
  await expect(async () => {
    const saving = page.waitForEvent('download', { timeout: 60_000 })
    await Promise.all([
      saving,
      (async () => {
        await page.getByRole('button', { name: 'Скачать и напечатать' }).click()
        await page.getByRole('menuitem', { name: item, exact: true }).click()
      })(),
    ])
    file = await saving
  }).toPass()
  return file as Download
}

async function leave(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Все отчёты' }).click()
  await expect(title(page, 'Отчёты')).toBeVisible()
}

test('every report opens its figures to the rows that they count, on a desk, a phone and paper', async ({
  page,
  clinic,
}) => {
  test.slow()
  await page.setViewportSize(DESK)
  const { token } = await clinic.enter(page)
  const { items }: { items: Offered[] } = await clinic.as(token)('GET', '/reports')
  expect(items.length).toBeGreaterThan(20)
  await page.goto('/app/reports')
  const opened = new Set<string>()
  for (const one of items) {
    await test.step(one.key, async () => {
      await openWithFacts(page, one)
      // A figure of the whole period, and the last one of the table.
      for (const figure of [figuresOf(page).first(), figuresOf(page).last()]) {
        if (!(await figure.count())) break
        // Another test may write between the count of the figure and that of its rows.
        await expect(async () => {
          await page.getByRole('button', { name: 'Обновить', exact: true }).click()
          await counted(page, one.title)
          await opensToItsRows(page, figure)
        }).toPass()
        opened.add(one.key)
      }
      const table = page.getByRole('region', { name: `${one.title}: таблица` })
      if (await table.count()) await expect(table.getByRole('rowheader', { name: 'Итого' })).toBeVisible()
      // Charts are hidden from screen readers, which read the table.
      for (const chart of await page.locator('.recharts-wrapper').all())
        await expect(page.locator('[aria-hidden="true"]').filter({ has: chart })).not.toHaveCount(0)
      await phone(page)
      await fits(page)
      await page.setViewportSize(DESK)
      await page.emulateMedia({ media: 'print' })
      await expect(page.getByRole('navigation').first()).toBeHidden()
      await page.emulateMedia({ media: null })
      await leave(page)
    })
  }
  expect(opened.size).toBe(items.length)
})

test('every report is kept as a set, saved in three formats and mailed', async ({ page, clinic, complaints }) => {
  test.slow()
  complaints.allow(/status of 503/)
  await page.setViewportSize(DESK)
  // The sets are stored with the account, so that it is not a shared one.
  const person = await clinic.person({ roles: ['Полный доступ'] })
  const token = await signIn(page, person)
  const { items }: { items: Offered[] } = await clinic.as(token)('GET', '/reports')
  await page.goto('/app/reports')
  for (const one of items) {
    await test.step(one.key, async () => {
      await open(page, one)
      await page.getByRole('combobox', { name: 'Группировка' }).click()
      await page.getByRole('option').last().click()
      await expect(page).toHaveURL(/[?&]by=/)
      const asked = page.url()
      await page.getByRole('button', { name: 'Наборы' }).click()
      await page.getByRole('menuitem', { name: 'Сохранить этот отбор' }).click()
      await page.getByRole('textbox', { name: 'Название' }).fill('Мой набор')
      await page.getByRole('button', { name: 'Сохранить', exact: true }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await leave(page)
      await open(page, one)
      await page.getByRole('button', { name: 'Наборы' }).click()
      await page.getByRole('menuitem', { name: 'Мой набор', exact: true }).click()
      await expect(page).toHaveURL(asked)
      await counted(page, one.title)

      for (const [item, name, first] of [
        ['Таблица в XLSX', /\.xlsx$/, 'PK'],
        ['Таблица в CSV', /\.csv$/, '\uFEFF'],
      ] as const) {
        const file = await saved(page, item)
        expect(file.suggestedFilename()).toMatch(name)
        const text = await readFile(await file.path(), 'utf8')
        expect(text.slice(0, first.length)).toBe(first)
      }
      const [paper, popup] = await Promise.all([
        page.waitForResponse((answer) => answer.url().includes('format=pdf')),
        page.waitForEvent('popup'),
        (async () => {
          await page.getByRole('button', { name: 'Скачать и напечатать' }).click()
          await page.getByRole('menuitem', { name: 'Таблица в PDF', exact: true }).click()
        })(),
      ])
      expect([paper.status(), paper.headers()['content-type']]).toEqual([200, 'application/pdf'])
      await popup.close()

      await page.getByRole('button', { name: 'Прислать по почте' }).click()
      const panel = page.getByRole('dialog', { name: 'Прислать по почте' })
      await panel.getByRole('button', { name: 'Присылать', exact: true }).click()
      await expect(panel).toHaveCount(0)
      await leave(page)
    })
  }
  await page.goto('/app/reports/mailings')
  await expect(page.getByText(new RegExp(`из\\s${items.length}\\sрассыл`))).toBeVisible()
})

test('each role finds the reports that it may see, and what is closed shows why', async ({ page, clinic }) => {
  for (const role of ['Бухгалтер', 'Врач', 'Оператор колл-центра', 'Лаборант']) {
    const { token } = await clinic.enter(page, role)
    const { items }: { items: Offered[] } = await clinic.as(token)('GET', '/reports')
    expect(items.length, role).toBeGreaterThan(0)
    await page.goto('/app/reports')
    for (const { title: name } of items)
      await expect(page.getByRole('link').filter({ hasText: name }).first()).toBeVisible()
    for (const { key, title: name } of items) {
      await page.goto(`/app/reports?tab=${key}`)
      await counted(page, name)
    }
    await page.goto('/app/reports?tab=violations')
    if (!items.some(({ key }) => key === 'violations'))
      await expect(page.getByText('Такого отчёта нет, или он закрыт вашими правами')).toBeVisible()
  }
})

test('kept days of a report are counted anew by a button', async ({ page, clinic }) => {
  await clinic.enter(page)
  await page.goto('/app/reports/rollups')
  const one = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Оплаты', exact: true }) })
  await expect(one.getByText(/^Посчитано: /)).toBeVisible()
  await one.getByRole('button', { name: 'Пересчитать итоги: Оплаты' }).click()
  await expect(one.getByText(/Ждут пересчёта/)).toBeVisible()
  await expect(one.getByText(/^Посчитано: \d/)).toBeVisible()
})

test('a question about money is one step away, in Ctrl+K and on the page of reports', async ({ page, clinic }) => {
  await clinic.enter(page)
  await page.goto('/app')
  await expect(title(page, 'Рабочий стол')).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Поиск и команды' }).fill('кто должен')
  await page.getByRole('option', { name: 'Кто должен' }).click()
  const rows = page.getByRole('dialog')
  await expect(rows.getByRole('table')).toBeVisible()
  await page.goto('/app/reports')
  const asked = page.getByRole('region', { name: 'Вопросы' })
  for (const text of ['Выручка месяца', 'Неявки за неделю', 'Средний чек врача', 'Долги старше 90 дней'])
    await expect(asked.getByRole('link', { name: text, exact: true })).toBeVisible()
  await asked.getByRole('link', { name: 'Выручка месяца', exact: true }).click()
  await counted(page, 'Выручка')
})
