import { request } from 'playwright/test'
import { SMS_PORT } from './ports.ts'
import { expect, test } from './support.ts'

/** A patient's documents: signed by hand, signed by a code from a message, revoked; and their events in the timeline. */

/** The message gateway started by `server.mjs`. */
const SMS = `http://127.0.0.1:${SMS_PORT}`

/** The code of the latest message to a phone. */
async function codeTo(phone: string): Promise<string> {
  const api = await request.newContext()
  const { messages } = await (await api.get(`${SMS}/messages`)).json()
  await api.dispose()
  const text = messages.findLast(({ to }: { to: string }) => to === phone)?.text ?? ''
  return /Код подписи: (\d+)/.exec(text)?.[1] ?? ''
}

test('a consent is asked for, signed on paper, another one by a code, and revoked', async ({
  page,
  clinic,
  complaints,
}) => {
  complaints.allow(/status of 422 .*\/confirm/)
  const mark = Date.now().toString().slice(-7)
  const phone = `+7917${mark}`
  const customer = await clinic.call('POST', '/customers', {
    surname: `Согласова${mark}`,
    name: 'Вера',
    birthday: '03.04.1985',
    phone,
  })
  await clinic.enter(page)
  await page.goto(`/app/customers/edit?id=${customer.id}&tab=consents`)
  await page.getByRole('button', { name: 'Оформить: Согласие на обработку персональных данных' }).click()
  await page.getByRole('dialog', { name: 'Новое согласие' }).getByRole('button', { name: 'Продолжить' }).click()
  const paper = page.getByRole('dialog', { name: 'Согласие на обработку персональных данных' })
  await expect(paper.getByRole('region', { name: 'Текст' })).toContainText(`Согласова${mark} Вера`)
  const download = page.waitForEvent('download')
  await paper.getByRole('button', { name: 'Скачать для печати' }).click()
  expect((await download).suggestedFilename()).toBe('Согласие на обработку персональных данных.pdf')
  await paper.getByRole('button', { name: 'Подписано' }).click()
  await expect(page.getByText('Согласие подписано')).toBeVisible()
  const list = page.getByRole('list', { name: 'Оформленные согласия' })
  await expect(list).toContainText('на бумаге')
  await expect(page.getByRole('button', { name: /^Оформить: Согласие на обработку/ })).toHaveCount(0)

  // Consent to advertising lists its channels, and is given once the code of the message is typed in.
  await expect(page.getByText('Рекламу присылать нельзя')).toBeVisible()
  await page.getByRole('button', { name: 'Новое согласие' }).click()
  const fresh = page.getByRole('dialog', { name: 'Новое согласие' })
  await fresh.getByRole('combobox', { name: 'Документ' }).fill('реклам')
  await page.getByRole('option', { name: 'Согласие на рекламу и рассылки' }).click()
  await fresh.getByRole('button', { name: 'Продолжить' }).click()
  await expect(fresh.getByText('Выберите, как клиент согласен получать рекламу')).toBeVisible()
  await fresh.getByRole('checkbox', { name: 'СМС' }).check()
  await fresh.getByRole('button', { name: 'Продолжить' }).click()
  const ads = page.getByRole('dialog', { name: 'Согласие на рекламу и рассылки' })
  await ads.getByText('Кодом из СМС').click()
  await ads.getByRole('button', { name: 'Отправить код' }).click()
  await expect(ads.getByText(/доставлен\. Действует до/)).toBeVisible()
  const code = await codeTo(phone)
  await ads.getByRole('textbox', { name: 'Код из СМС' }).fill(code === '111111' ? '222222' : '111111')
  await ads.getByRole('button', { name: 'Подписано' }).click()
  await expect(ads.getByText('Осталось попыток: 4')).toBeVisible()
  await ads.getByRole('textbox', { name: 'Код из СМС' }).fill(code)
  await page.keyboard.press('Enter')
  await expect(list).toContainText('кодом из смс')
  await expect(page.getByText('Рекламу можно присылать: смс.')).toBeVisible()

  await page.getByRole('button', { name: 'Действия: Согласие на рекламу и рассылки, реклама и рассылки' }).click()
  await page.getByRole('menuitem', { name: 'Отозвать…' }).click()
  const revoking = page.getByRole('dialog', { name: 'Отозвать согласие' })
  await revoking.getByLabel('Причина').fill('Позвонила и попросила не писать')
  await revoking.getByRole('button', { name: 'Отозвать' }).click()
  await expect(list).toContainText('Позвонила и попросила не писать')
  await expect(page.getByText('Рекламу присылать нельзя')).toBeVisible()

  // The timeline shows all of them, or one kind by filter.
  await page.getByRole('tab', { name: 'Лента' }).click()
  const thread = page.getByRole('tabpanel')
  await expect(thread.getByText('Карта заведена')).toBeVisible()
  await expect(thread.getByRole('link', { name: 'Согласие на рекламу и рассылки' })).toBeVisible()
  await thread.getByRole('group', { name: 'Какие события показать' }).getByText('Согласия').click()
  await expect(thread.getByText('Карта заведена')).toHaveCount(0)
  await thread.getByRole('link', { name: 'Согласие на рекламу и рассылки' }).click()
  await expect(list).toContainText('Позвонила и попросила не писать')
})
