import { png } from './picture.ts'
import { expect, signIn, test, title } from './support.ts'

test('own settings are saved as they are changed', async ({ page, clinic }) => {
  await signIn(page, await clinic.person())
  await page.goto('/app/profile')
  const saved = (path: string) =>
    page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().endsWith(path) && answer.ok())
  const borders = page.getByRole('switch', { name: 'Границы ячеек в таблицах' })
  await expect(borders).not.toBeChecked()
  let done = saved('/user-settings/main')
  await page.getByText('Границы ячеек в таблицах').click()
  await done
  done = saved('/user-settings/main')
  await page.getByText('Уведомлять о сообщениях').click()
  await done
  const until = page.getByRole('textbox', { name: 'Уведомлять до' })
  await until.fill('25:00')
  await expect(until).toHaveAttribute('aria-invalid', 'true')
  await until.fill('21:30')
  done = saved('/user-settings/main')
  await until.blur()
  await done
  await page.getByRole('tab', { name: 'Уведомления' }).click()
  done = saved('/user-settings/notifications')
  await page.getByText('Только о моих задачах').click()
  await done
  // A feature that does not exist yet is not shown as working.
  for (const [name, why] of [['Присылать и в Telegram', 'Telegram не подключён']] as const) {
    const off = page.getByRole('switch', { name: `${name} ${why}` })
    await expect(off).toBeDisabled()
    await expect(off).not.toBeChecked()
  }

  await page.reload()
  await expect(page).toHaveURL(/tab=notifications/)
  await expect(page.getByRole('switch', { name: 'Только о моих задачах' })).toBeChecked()
  await page.getByRole('tab', { name: 'Интерфейс' }).click()
  await expect(borders).toBeChecked()
  await expect(until).toHaveValue('21:30')
  const server = page.getByTitle('Сервер')
  await expect(server).toHaveText(new URL(page.url()).host)
  await page.getByText('Показывать название сервера').click()
  await expect(server).toBeHidden()
  const line = await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<table><tbody><tr><td id="cell">а</td><td>б</td></tr></tbody></table>',
    )
    return getComputedStyle(document.getElementById('cell') as HTMLElement).borderRightWidth
  })
  expect(line).toBe('1px')
})

test('the own picture: chosen, cropped, shown, taken away', async ({ page, clinic }) => {
  const person = await clinic.person()
  await signIn(page, person)
  await page.goto('/app/profile')
  const change = page.getByRole('button', { name: 'Изменить фотографию' })
  const file = page.locator('input[type=file]')
  await expect(change).toBeVisible()
  await file.setInputFiles({ name: 'письмо.txt', mimeType: 'text/plain', buffer: Buffer.from('не картинка') })
  await expect(page.getByRole('alert')).toBeVisible()

  await file.setInputFiles({ name: 'я.png', mimeType: 'image/png', buffer: png(200, 120) })
  const crop = page.getByRole('dialog', { name: 'Фотография' })
  await expect(crop.getByRole('slider')).toBeVisible()
  await crop.getByRole('slider').press('ArrowRight')
  await crop.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Фотография обновлена')).toBeVisible()
  await expect(crop).toBeHidden()
  const picture = page.locator('#main header img')
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  const { avatar } = await clinic.call('GET', `/users/${person.id}?fields=avatar`)
  expect(avatar).toMatch(/^\/users\/\d+\/avatar/)

  await change.click()
  await page.getByRole('menuitem', { name: 'Удалить фотографию' }).click()
  const question = page.getByRole('dialog', { name: 'Удалить фотографию?' })
  await expect(question).toBeVisible()
  await expect(picture).toBeVisible()
  await question.getByRole('button', { name: 'Удалить' }).click()
  await expect(picture).toBeHidden()
  expect((await clinic.call('GET', `/users/${person.id}?fields=avatar`)).avatar).toBeNull()
})

test("someone else's profile, and one's own by its number", async ({ page, clinic }) => {
  const [person, other] = [await clinic.person(), await clinic.person()]
  await clinic.call('PUT', `/users/${other.id}`, { phone: '+79000009999', post: 'Проверяющий' })
  await signIn(page, person)
  await page.goto(`/app/profile/${other.id}`)
  await expect(title(page, other.fio)).toBeVisible()
  await expect(page.getByText('Проверяющий')).toBeVisible()
  await expect(page.getByRole('link', { name: '+7 (900) 000-99-99' })).toHaveAttribute('href', 'tel:+79000009999')
  await expect(page.getByText('В сети', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Учётная запись и права' })).toBeHidden()
  await page.goto(`/app/profile/${person.id}`)
  await expect(page).toHaveURL('/app/profile')
  await expect(title(page, person.fio)).toBeVisible()
})

test('the own password: errors under the fields, then other sessions end', async ({ page, clinic, complaints }) => {
  const person = await clinic.person()
  await signIn(page, person)
  await page.goto('/app/profile?tab=security')
  const now = page.getByLabel('Текущий пароль')
  const next = page.getByLabel('Новый пароль', { exact: true })
  const again = page.getByLabel('Новый пароль ещё раз')
  const send = page.getByRole('button', { name: 'Сменить пароль' })
  await now.fill('неверный')
  await next.fill('Крепкий пароль 5')
  await again.fill('Крепкий пароль 6')
  await send.click()
  await expect(again).toHaveAccessibleDescription('Пароли не совпадают')
  complaints.allow(/status of 422 .*\/auth\/change-password/)
  await again.fill('Крепкий пароль 5')
  await send.click()
  await expect(now).toHaveAccessibleDescription('Неверный пароль')
  await expect(now).toHaveAttribute('aria-invalid', 'true')
  await now.fill(person.password)
  await send.click()
  await expect(page.getByText('Пароль изменён, остальные сеансы завершены')).toBeVisible()
  await expect(now).toHaveValue('')
  await clinic.token({ ...person, password: 'Крепкий пароль 5' })
  await expect(page).toHaveURL(/\/app\/login/)
})

test('the own phone and mail are changed in the profile, a wrong one is refused at its field', async ({
  page,
  clinic,
}) => {
  const person = await clinic.person()
  await signIn(page, person)
  await page.goto('/app/profile')
  await page.getByRole('button', { name: 'Изменить телефон и почту' }).click()
  const form = page.getByRole('dialog', { name: 'Мои контакты' })
  await form.getByRole('textbox', { name: 'Электронная почта' }).fill('не почта')
  await form.getByRole('button', { name: 'Сохранить' }).click()
  await expect(form.getByText('Не корректный формат электронной почты')).toBeVisible()
  await form.getByRole('textbox', { name: 'Электронная почта' }).fill('own@clinic.test')
  await form.getByRole('textbox', { name: 'Телефон' }).fill('8 912 000 44 55')
  await form.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByRole('link', { name: 'own@clinic.test' })).toBeVisible()
  await expect(page.getByRole('link', { name: '+7 (912) 000-44-55' })).toBeVisible()
  await page.getByRole('tab', { name: 'Уведомления' }).click()
  const saved = page.waitForResponse(
    (answer) => answer.url().endsWith('/user-settings/notifications') && answer.request().method() === 'PUT',
  )
  await page.getByText('Уведомлять о сделках').click()
  expect((await saved).request().postDataJSON()).toEqual({ deals: false })
})
