import { expect, signIn, test } from './support.ts'

/** The common behaviour of a dialog with an action, tested on one: the reminder of an open task. */
test('a dialog stays open while it works, shows its error, and is the only one that Escape closes', async ({
  page,
  clinic,
  complaints,
}) => {
  const owner = await clinic.person({ roles: ['Полный доступ'] })
  const token = await clinic.token(owner)
  const make = (path: string, body: object) => clinic.as(token)('POST', `/tasks-management/${path}`, body)
  const board = await make('boards', { name: 'Проверка диалогов' })
  const task = await make('tasks', { name: 'Позвонить', idColumn: board.idColumnNew })
  const { body } = await clinic.ask('GET', `/tasks-management/assigned?filter[idTask]=${task.id}`, undefined, token)
  await signIn(page, owner)
  await page.goto(`/app/tasks?board=${board.id}&assignedColumn=${body.items[0].id}`)
  const card = page.getByRole('dialog', { name: /Позвонить/ })
  const opener = card.getByRole('button', { name: 'Напомнить' })
  const dialog = page.getByRole('dialog', { name: 'Напоминание' })
  const when = dialog.getByRole('textbox', { name: 'Когда' })

  await opener.click()
  await expect(when).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(card).toBeVisible()
  await expect(opener).toBeFocused()

  // An open list in the dialog handles the key first.
  await page.keyboard.press('Enter')
  // The initial focus is its field; a list opened before that would be closed by it.
  await expect(when).toBeFocused()
  await dialog.getByRole('combobox', { name: 'Повторять' }).click()
  await expect(page.getByRole('option', { name: 'Каждый день' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option', { name: 'Каждый день' })).toBeHidden()
  await expect(dialog).toBeVisible()

  // An error is shown at its field and disappears when corrected.
  await when.fill('')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Дата в формате ДД.ММ.ГГГГ ЧЧ:ММ')).toBeVisible()
  await when.fill('05.11.2096 09:00')
  await expect(dialog.getByText('Дата в формате ДД.ММ.ГГГГ ЧЧ:ММ')).toBeHidden()

  // While the request runs neither Escape nor «Отмена» closes it, and nothing is sent twice.
  complaints.allow(/status of 400/)
  let sent = 0
  let answer: (() => void) | undefined
  await page.route(`**/tasks-management/tasks/${task.id}`, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    sent++
    if (sent > 1) return route.continue()
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    const failure = { name: 'Conflict', message: 'Будильник занят', status: 400 }
    await route.fulfill({ status: 400, contentType: 'application/json', body: JSON.stringify(failure) })
  })
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByRole('button', { name: 'Отмена' })).toBeDisabled()
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('Escape')
  await expect.poll(() => answer).toBeTruthy()
  await expect(dialog).toBeVisible()
  answer?.()
  await expect(dialog.getByRole('alert')).toHaveText('Будильник занят')
  expect(sent).toBe(1)

  await when.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(card.getByRole('button', { name: /Изменить напоминание/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(card).toBeHidden()
})

test('a toast makes room for the next action, in a low window and above the keys of a phone', async ({
  page,
  clinic,
}) => {
  await clinic.enter(page)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 210 })
    await page.goto('/app/deals/loss-reasons?open=new')
    const panel = page.getByRole('dialog', { name: /Нов/ })
    await panel.getByLabel('Название').fill(`Тост ${Date.now()}`)
    await page.keyboard.press('Control+Enter')
    const toast = page.getByRole('alert').filter({ hasText: 'создан' })
    await expect(toast).toBeVisible()
    // While the pointer is over it the five-second timer is paused: the next step may take longer on a busy machine.
    await toast.hover()
    // What was created is open.
    const made = page.getByRole('dialog', { name: /^Тост/ })
    await expect(made).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(made).toBeHidden()
    await page.keyboard.press('n')
    await expect(panel).toBeVisible()
    const save = panel.getByRole('button', { name: 'Создать' })
    await expect
      .poll(async () => {
        const [one, other] = [await toast.boundingBox(), await save.boundingBox()]
        if (!one || !other) return 'gone'
        return one.y + one.height <= other.y ? 'above' : 'over'
      })
      .toBe('above')
  }
})
