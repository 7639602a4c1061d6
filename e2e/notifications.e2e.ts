import { type Clinic, expect, fits, type Person, phone, signIn, test, tones } from './support.ts'

/** The bell: notices arrive live, link to their subject, are read and deleted. */

const T = '/tasks-management'

/** A board of one user, with another as executor of a task; `send` creates a notice. */
async function withNotices(clinic: Clinic, reader: Person) {
  const board = await clinic.call('POST', `${T}/boards`, { name: 'Смены' })
  const member = await clinic.call('POST', `${T}/members`, { idBoard: board.id, idUser: reader.id })
  const task = await clinic.call('POST', `${T}/tasks`, { name: 'График на декабрь', idColumn: board.idColumnNew })
  await clinic.call('POST', `${T}/executors`, { idTask: task.id, idMember: member.id })
  const { items } = await clinic.call('GET', `${T}/assigned?filter[idTask]=${task.id}`)
  return {
    board,
    send: () => clinic.call('POST', `${T}/assigned/duplication`, { ids: [items[0].id] }),
  }
}

test('notices come by themselves, lead to the task, and are read and deleted', async ({ clinic, page }) => {
  const reader = await clinic.person({ roles: ['Кладовщик'] })
  const { send } = await withNotices(clinic, reader)
  await signIn(page, reader)
  await page.goto('/app')
  const bell = page.getByRole('button', { name: /^Уведомления/ })
  await bell.click()
  const panel = page.getByRole('dialog', { name: /Уведомления/ })
  await expect(panel.getByRole('listitem').or(panel.getByText('Уведомлений нет')).first()).toBeVisible()
  const before = await panel.getByRole('listitem').count()

  await send()
  await send()
  await expect(panel.getByRole('listitem')).toHaveCount(before + 2)
  await expect(panel.getByRole('heading', { name: 'Сегодня' })).toBeVisible()

  await panel
    .getByRole('button', { name: /Удалить уведомление/ })
    .first()
    .click()
  await expect(panel.getByRole('listitem')).toHaveCount(before + 1)
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(panel.getByRole('listitem')).toHaveCount(before + 2)

  await panel
    .getByRole('button', { name: /График на декабрь/ })
    .first()
    .click()
  await expect(page).toHaveURL(/assignedColumn=\d+/)
  await expect(page.getByRole('dialog', { name: /График на декабрь/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(bell).toHaveAccessibleName(`Уведомления, непрочитанных: ${before + 1}`)
  await bell.click()
  await panel.getByRole('button', { name: 'Прочитать все' }).click()
  await expect(panel.getByLabel('Не прочитано')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(bell).toHaveAccessibleName('Уведомления')
})

test('on a phone the centre takes the whole width', async ({ clinic, page }) => {
  const reader = await clinic.person({ roles: ['Кладовщик'] })
  const { send } = await withNotices(clinic, reader)
  await send()
  await phone(page)
  await signIn(page, reader)
  await page.goto('/app')
  await page.getByRole('button', { name: /^Уведомления/ }).click()
  const panel = page.getByRole('dialog', { name: /Уведомления/ })
  await expect(panel.getByRole('listitem').first()).toBeVisible()
  expect((await panel.boundingBox())?.width).toBe(360)
  await fits(page)
})

test('a sound plays once in two tabs, and only within the hours', async ({ clinic, page }) => {
  const reader = await clinic.person({ roles: ['Кладовщик'] })
  const { send } = await withNotices(clinic, reader)
  const token = await signIn(page, reader)
  const hours = (start: string, end: string) =>
    page.request.put('/user-settings/main', {
      headers: { Authorization: `Bearer ${token}` },
      data: { messageNotifyAllowed: true, messageNotifyTimeStart: start, messageNotifyTimeEnd: end },
    })
  await hours('00:00', '00:00')
  const toneCount = await tones(page)
  const other = await page.context().newPage()
  for (const tab of [page, other]) {
    await tab.goto('/app')
    await expect(tab.getByRole('button', { name: /^Уведомления/ })).toBeVisible()
    await tab.waitForLoadState('networkidle')
  }
  const bell = (tab: typeof page) => tab.getByRole('button', { name: /^Уведомления, непрочитанных/ })
  await send()
  for (const tab of [page, other]) await expect(bell(tab)).toBeVisible()
  await expect.poll(toneCount).toBe(2)

  const now = new Date(Date.now() + 3 * 3_600_000).getUTCHours()
  const clock = (hour: number) => `${String((hour + 24) % 24).padStart(2, '0')}:00`
  await hours(clock(now + 2), clock(now + 4))
  await other.close()
  await page.reload()
  await page.waitForLoadState('networkidle')
  const count = await bell(page).getAttribute('aria-label')
  await send()
  await expect(bell(page)).not.toHaveAttribute('aria-label', count as string)
  expect(await toneCount()).toBe(2)
})
