import { randomUUID } from 'node:crypto'
import { withUsualGreeting } from './chatSite.ts'
import { expect, signIn, test, tones } from './support.ts'

/** A visitor on the clinic's site and the operators: all see the same conversation, one operator owns it. */
test('a visitor writes from a site, one operator answers, the second sees who has the chat', async ({
  page,
  clinic,
  visitor,
  complaints,
}) => {
  complaints.allow(/status of 409 .*live-assist/)
  const mark = Date.now().toString().slice(-7)
  await clinic.call('POST', '/live-assist/domains', { name: `site${mark}.test` })
  const site = await visitor()
  await site.goto('/live-assist/demo')
  await site.getByRole('button', { name: 'Написать в клинику' }).click()
  const panel = site.frameLocator('iframe')
  await panel.getByRole('textbox', { name: 'Имя' }).fill(`Вера ${mark}`)
  await panel.getByRole('textbox', { name: 'Телефон' }).fill(`+7918${mark}`)
  await panel.getByRole('textbox', { name: 'Вопрос' }).fill(`Есть ли запись ${mark}?`)
  await panel.getByRole('button', { name: 'Отправить' }).click()
  await expect(panel.getByRole('status')).toContainText('Отметьте согласие')
  await panel.getByRole('checkbox').check()
  await panel.getByRole('button', { name: 'Отправить' }).click()
  await expect(panel.getByRole('log')).toContainText(`Есть ли запись ${mark}?`)

  await clinic.enter(page)
  await page.goto('/app/live-assist?tab=unassigned')
  const line = page.getByRole('button', { name: new RegExp(`Вера ${mark}`) })
  await line.click()
  await expect(page.getByRole('log')).toContainText(`Есть ли запись ${mark}?`)
  const second = await visitor()
  await clinic.enter(second, 'Оператор колл-центра')
  await second.goto(page.url().replace(/^https?:\/\/[^/]+/, ''))
  const rival = second.getByRole('textbox', { name: 'Ответ посетителю' })
  await rival.fill(`Опоздавший ответ ${mark}`)

  const answer = page.getByRole('textbox', { name: 'Ответ посетителю' })
  await answer.fill('Да, в пятницу в 17:00')
  await answer.press('Enter')
  await expect(panel.getByRole('log')).toContainText('Да, в пятницу в 17:00')
  await expect(page.getByText('Отвечаете вы')).toBeVisible()
  // The visitor has the page open: the mark follows by itself.
  await expect(
    page.getByRole('article').filter({ hasText: 'Да, в пятницу' }).getByRole('img', { name: 'Прочитано' }),
  ).toBeVisible()
  await expect(second.getByText(/^Отвечает /)).toBeVisible()
  await rival.press('Enter')
  await expect(second.getByRole('alert')).toContainText('Этот чат ведёт')
  await expect(rival).toHaveValue(`Опоздавший ответ ${mark}`)
  await expect(panel.getByRole('log')).not.toContainText('Опоздавший')

  // Edits and deletions reach the visitor at once.
  await answer.fill('Второй этаж, кабинет 7')
  await answer.press('Enter')
  await expect(panel.getByRole('log')).toContainText('кабинет 7')
  const about = (text: string, what: string) =>
    page
      .getByRole('article')
      .filter({ hasText: text })
      .getByRole('button', { name: 'Что сделать с сообщением' })
      .click()
      .then(() => page.getByRole('menuitem', { name: what }).click())
  await about('кабинет 7', 'Изменить')
  await page.getByRole('textbox', { name: 'Сообщение', exact: true }).fill('Второй этаж, кабинет 9')
  await page.getByRole('button', { name: 'Изменить', exact: true }).click()
  await expect(panel.getByRole('log')).toContainText('кабинет 9')
  await expect(panel.getByRole('log')).not.toContainText('кабинет 7')
  await page.getByRole('button', { name: 'изменено' }).click()
  await expect(page.getByRole('dialog', { name: 'Прежний текст' })).toContainText('кабинет 7')
  await page.keyboard.press('Escape')
  await about('кабинет 9', 'Удалить')
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(panel.getByRole('log')).toContainText('Сообщение удалено')
  await expect(panel.getByRole('log')).not.toContainText('кабинет 9')

  // The visitor returns to the earlier messages.
  await site.reload()
  await site.getByRole('button', { name: 'Написать в клинику' }).click()
  await expect(panel.getByRole('log')).toContainText('Да, в пятницу в 17:00')
  // The chat's owner sees that the visitor is typing and that a colleague is watching.
  await expect(async () => {
    await panel.getByLabel('Сообщение').fill('')
    await panel.getByLabel('Сообщение').fill('Подходит, спасибо')
    await expect(page.getByText('Посетитель печатает…')).toBeVisible({ timeout: 5_000 })
  }).toPass()
  await expect(page.getByText(/ · смотрит /)).toBeVisible()
  await panel.getByLabel('Сообщение').press('Enter')
  await expect(page.getByRole('log')).toContainText('Подходит, спасибо')
  await page.getByRole('button', { name: 'Завершить' }).click()
  const ending = page.getByRole('dialog', { name: 'Чем закончился разговор?' })
  await ending.getByRole('radio', { name: 'Записан на приём' }).check()
  await ending.getByRole('button', { name: 'Завершить' }).click()
  await panel.getByRole('button', { name: 'Оценка 5 из 5' }).click()
  await expect(panel.getByRole('status')).toContainText('Спасибо за оценку')
})

/** The names of the shift and of the context, on narrow screens. */
test('an operator sets the state «here», the supervisor sees it and looks into a chat on a narrow screen', async ({
  page,
  clinic,
  visitor,
}) => {
  const mark = Date.now().toString().slice(-7)
  const { id } = await clinic.call('POST', '/live-assist', { name: `Ждущая ${mark}`, phone: `+7919${mark}` })
  const second = await visitor()
  const { person } = await clinic.enter(second, 'Оператор колл-центра')
  await second.goto('/app/live-assist')
  await expect(second.getByRole('button', { name: 'Смена' })).toBeHidden()
  await second.getByRole('button', { name: /^Приём чатов/ }).click()
  await second.getByRole('menuitem', { name: /^Принимаю/ }).click()
  await expect(second.getByRole('button', { name: 'Приём чатов: Принимаю' })).toBeVisible()

  await page.setViewportSize({ width: 1000, height: 800 })
  await clinic.enter(page)
  await page.goto('/app/live-assist')
  await page.getByRole('button', { name: 'Смена' }).click()
  const row = page
    .getByRole('table', { name: 'Операторы' })
    .getByRole('row')
    .filter({ hasText: person.fio.split(' ')[0] })
  await expect(row).toContainText('Принимаю')
  await page.goto(`/app/live-assist?chat=${id}`)
  const about = page.getByRole('button', { name: 'О посетителе' })
  await about.click()
  const drawer = page.getByRole('dialog', { name: 'О посетителе' })
  await expect(drawer).toContainText(`Ждущая ${mark}`)
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(about).toBeFocused()
})

test('a group is made, a chat is transferred to it, and the list is narrowed to it', async ({
  page,
  clinic,
  visitor,
}) => {
  const mark = Date.now().toString().slice(-7)
  const operator = await clinic.person({ roles: ['Оператор колл-центра'], surname: `Групповая${mark}` })
  await clinic.call('PUT', `/users/${operator.id}`, { isLiveAssist: true })
  const { id } = await clinic.call('POST', '/live-assist', { name: `Мама ${mark}`, phone: `+7917${mark}` })
  await clinic.enter(page)
  await page.goto('/app/settings/operator-groups')
  await page.getByRole('button', { name: 'Новая группа операторов' }).first().click()
  const form = page.getByRole('dialog', { name: 'Новая группа операторов' })
  await form.getByLabel('Название').fill(`Дети ${mark}`)
  await form.getByLabel('Операторы').fill(`Групповая${mark}`)
  await page.getByRole('option', { name: new RegExp(`Групповая${mark}`) }).click()
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Создать' }).click()
  await expect(page.getByRole('row', { name: new RegExp(`Дети ${mark}`) })).toContainText(`Групповая${mark}`)

  await page.goto(`/app/live-assist?chat=${id}`)
  await page.getByRole('button', { name: 'Ещё действия с чатом' }).click()
  await page.getByRole('menuitem', { name: 'Передать…' }).click()
  const hand = page.getByRole('dialog', { name: 'Передать чат' })
  await hand.getByLabel('Кому').click()
  await hand.getByLabel('Кому').fill(`Дети ${mark}`)
  await page.getByRole('option', { name: `Дети ${mark}` }).click()
  await hand.getByRole('button', { name: 'Передать' }).click()
  await expect(hand).toBeHidden()

  // A chat of the group is in the queue; a chat without a group only by request.
  const ofGroup = await visitor()
  await signIn(ofGroup, operator)
  await ofGroup.goto('/app/live-assist?tab=unassigned')
  await expect(ofGroup.getByRole('list', { name: 'Ничьи' })).toContainText(`Мама ${mark}`)
  const other = await visitor()
  const { person } = await clinic.enter(other, 'Оператор колл-центра')
  await other.goto('/app/live-assist?tab=unassigned')
  await expect(other.getByRole('button', { name: /^Ничьи/ })).toHaveAttribute('aria-pressed', 'true')
  await expect(other.getByRole('button', { name: new RegExp(`Мама ${mark}`) })).toBeHidden()
  await other.getByRole('button', { name: 'Отбор' }).click()
  await other.getByRole('combobox', { name: 'Группа' }).fill(`Дети ${mark}`)
  await other.getByRole('option', { name: `Дети ${mark}` }).click()
  await other.keyboard.press('Escape')
  await other.getByRole('button', { name: 'Готово' }).click()
  await expect(other.getByText(`Группа: Дети ${mark}`)).toBeVisible()
  const line = other.getByRole('list', { name: 'Ничьи' }).getByRole('button', { name: new RegExp(`Мама ${mark}`) })
  await expect(line).toBeVisible()

  // The list shows who has the chat open; mentioned users are notified.
  await ofGroup.getByRole('button', { name: new RegExp(`Мама ${mark}`) }).click()
  await expect(line).toContainText(/смотрит (Групповая|.+ и ещё 1)/)
  await ofGroup.getByText('Заметка', { exact: true }).click()
  const note = ofGroup.getByRole('textbox', { name: 'Заметка для коллег' })
  await note.pressSequentially(`Спроси @${person.fio.split(' ')[0]}`)
  await ofGroup.getByRole('listbox', { name: 'Кого упомянуть' }).getByRole('option').first().waitFor()
  await note.press('Enter')
  await expect(note).toHaveValue(/^Спроси @\S+ .+ $/)
  await note.press('Enter')
  await expect(ofGroup.getByRole('log')).toContainText('Спроси @')
  await other.getByRole('button', { name: /^Уведомления/ }).click()
  await expect(other.getByText(`Вас упомянули в чате: Мама ${mark}`)).toBeVisible()
})

test('an operator records a voice, listens to it and sends it; a refused microphone is reported', async ({
  page,
  context,
  clinic,
}) => {
  const { id } = await clinic.call('POST', '/live-assist', { name: 'Голос', phone: '+79171234567' })
  await context.grantPermissions([])
  await clinic.enter(page)
  await page.goto(`/app/live-assist?chat=${id}`)
  const record = page.getByRole('button', { name: 'Записать голос' })
  await page
    .getByRole('button', { name: 'Забрать' })
    .or(page.getByRole('button', { name: 'Взять' }))
    .click()
  await record.click()
  await expect(page.getByRole('alert', { name: /^Браузер не даёт микрофон/ })).toBeVisible()
  await context.grantPermissions(['microphone'])
  await record.click()
  const recording = page.getByRole('group', { name: 'Идёт запись' })
  await expect(recording).toContainText('0:01')
  await recording.getByRole('button', { name: 'Отмена' }).click()
  await expect(recording).toBeHidden()
  await record.click()
  await expect(recording).toContainText('0:01')
  await recording.getByRole('button', { name: 'Готово' }).click()
  const made = page.getByRole('group', { name: 'Записанный голос' })
  await made.getByRole('button', { name: 'Слушать' }).click()
  await expect(made.getByRole('button', { name: 'Пауза' })).toBeVisible()
  await made.getByRole('button', { name: 'Приложить' }).click()
  await expect(page.getByRole('list', { name: 'Файлы ответа' })).toContainText('Голосовое сообщение.wav')
  await page.getByRole('button', { name: 'Отправить' }).click()
  const voice = page.getByRole('log').getByRole('group', { name: 'Голосовое сообщение.wav' })
  await expect(voice).toContainText(/ \/ 0:0[1-9]/)
  await voice.getByRole('button', { name: 'Слушать' }).click()
  await expect(voice.getByRole('button', { name: 'Пауза' })).toBeVisible()
  // The sent recording is not silent; its end is checked, because it may start with half a second of silence.
  const { items } = await clinic.call(
    'GET',
    `/live-assist/messages?filter[idLiveAssist]=${id}&expand=files.file&sort=-seq`,
  )
  const wav = await (await page.request.get(items[0].files[0].file.url)).body()
  const samples = Array.from({ length: (wav.length - 44) / 2 }, (_, at) => Math.abs(wav.readInt16LE(44 + at * 2)))
  expect(Math.max(...samples.slice(-8_000 * 2))).toBeGreaterThan(500)
})

test('a sound plays for an operator at a message, and again each half minute until it is read', async ({
  page,
  clinic,
}) => {
  const mark = Date.now().toString().slice(-7)
  const operator = await clinic.person({ roles: ['Оператор колл-центра'] })
  const site = await clinic.call('POST', '/live-assist/domains', { name: `sound${mark}.test` })
  const headers = { 'x-client-version': '3' }
  const opened = await page.request.post(`/live-assist?token=${site.key}`, {
    headers,
    data: { name: `Вера ${mark}`, responseId: randomUUID(), consent: { version: site.consentVersion } },
  })
  const { token } = await opened.json()
  const say = (text: string) =>
    page.request.post('/live-assist/visitor/messages', {
      headers: { ...headers, authorization: `Visitor ${token}` },
      data: { clientId: randomUUID(), text },
    })
  await say('Здравствуйте')
  const { items } = await clinic.call('GET', `/live-assist?filter[name]=${encodeURIComponent(`Вера ${mark}`)}`)
  await clinic.call('POST', `/live-assist/${items[0].id}/transfer`, { idUser: operator.id })
  await clinic.call('POST', `/live-assist/${items[0].id}/read`, { no: 1 })

  const own = await signIn(page, operator)
  await page.request.put('/user-settings/main', {
    headers: { Authorization: `Bearer ${own}` },
    data: { messageNotifyAllowed: true, messageNotifyTimeStart: '00:00', messageNotifyTimeEnd: '00:00' },
  })
  const toneCount = await tones(page)
  await page.clock.install()
  await page.goto('/app')
  await expect(page.getByRole('button', { name: /^Уведомления/ })).toBeVisible()
  await page.waitForLoadState('networkidle')
  // An unread chat rings again; the first three seconds of a page stay silent.
  await page.clock.runFor(5_000)
  await page.clock.runFor(31_000)
  await expect.poll(toneCount).toBeGreaterThanOrEqual(2)
  const before = await toneCount()
  await say('Вы здесь?')
  await page.clock.runFor(31_000)
  await expect.poll(toneCount).toBeGreaterThan(before)
  let waits = true
  page.on('response', async (answer) => {
    if (!answer.url().endsWith('/live-assist/counts') || !answer.ok()) return
    // The response of a page that has been left is ignored.
    const counts = await answer.json().catch(() => null)
    if (counts) waits = counts.ringing > 0
  })
  await page.goto(`/app/live-assist?chat=${items[0].id}`)
  await expect(page.getByRole('log')).toContainText('Вы здесь?')
  await page.clock.runFor(5_000)
  await expect
    .poll(async () => (await clinic.call('GET', `/live-assist/${items[0].id}`)).numberOfUnreadMessages)
    .toBe(0)
  await expect
    .poll(async () => {
      await page.clock.runFor(1_000)
      return waits
    })
    .toBe(false)
  await page.clock.runFor(1_000)
  const read = await toneCount()
  await page.clock.runFor(65_000)
  expect(await toneCount()).toBe(read)
})

test('a visitor of an English page reads and writes in English, open and off hours, and is notified of an answer', async ({
  page,
  clinic,
  visitor,
}) => {
  const mark = Date.now().toString().slice(-7)
  const restore = await withUsualGreeting(clinic)
  const site = await visitor()
  await site.goto('/live-assist/demo?lang=en')
  const opener = site.getByRole('button', { name: 'Write to the clinic' })
  await opener.click()
  const panel = site.frameLocator('iframe')
  await expect(panel.getByRole('heading', { name: 'Chat with the clinic' })).toBeVisible()
  await panel.getByRole('textbox', { name: 'Name' }).fill(`Vera ${mark}`)
  await panel.getByRole('textbox', { name: 'Phone' }).fill(`+7917${mark}`)
  await panel.getByRole('textbox', { name: 'Question' }).fill('Do you have an appointment?')
  await panel.getByRole('button', { name: 'Send' }).click()
  await expect(panel.getByRole('status')).toContainText('Please tick the consent')
  await panel.getByRole('checkbox').check()
  await panel.getByRole('button', { name: 'Send' }).click()
  await expect(panel.getByRole('log')).toContainText('Do you have an appointment?')
  const text = (await panel.locator('body').innerText()).replaceAll(/\d/g, '')
  expect(text).not.toMatch(/[а-яё]{3}/i)

  await panel.getByRole('button', { name: 'Close the chat' }).click()
  await clinic.enter(page)
  await page.goto('/app/live-assist?tab=unassigned')
  await page.getByRole('button', { name: new RegExp(`Vera ${mark}`) }).click()
  const answer = page.getByRole('textbox', { name: 'Ответ посетителю' })
  await answer.fill('Yes, on Friday')
  await answer.press('Enter')
  const button = site.getByRole('button', { name: 'Chat, new messages: 1' })
  await expect(button).toBeVisible()
  await expect(site).toHaveTitle(/^\(1\) /)
  await button.click()
  await expect(panel.getByRole('log')).toContainText('Yes, on Friday')
  await restore()
})

test('a chat is handled by keys: next, taken, answered, noted, transferred, ended, postponed', async ({
  page,
  clinic,
}) => {
  const mark = Date.now().toString().slice(-7)
  const chats: number[] = []
  for (const name of ['Вторая', 'Первая']) {
    const { id } = await clinic.call('POST', '/live-assist', { name: `${name} ${mark}`, phone: `+7916${mark}` })
    const message = { idLiveAssist: id, clientId: randomUUID(), message: 'Слушаем вас' }
    await clinic.call('POST', '/live-assist/messages', message)
    chats.unshift(id)
  }
  const [first] = chats
  await clinic.enter(page)
  await page.goto(`/app/live-assist?tab=all&chat=${first}`)
  await expect(
    page.getByRole('complementary').getByRole('button', { name: new RegExp(`Первая ${mark}`) }),
  ).toBeVisible()
  const opened = () => Number(new URL(page.url()).searchParams.get('chat'))
  const leave = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
  await page.keyboard.press('j')
  await expect.poll(opened).not.toBe(first)
  await page.keyboard.press('k')
  await expect.poll(opened).toBe(first)
  await expect(page.getByRole('button', { name: /^(Взять|Забрать)$/ })).toBeVisible()
  await page.keyboard.press('a')
  await expect(page.getByText('Отвечаете вы')).toBeVisible()
  await page.keyboard.press('r')
  await expect(page.getByRole('textbox', { name: 'Ответ посетителю' })).toBeFocused()
  await leave()
  await page.keyboard.press('n')
  await expect(page.getByRole('textbox', { name: 'Заметка для коллег' })).toBeFocused()
  await leave()
  for (const [key, name] of [
    ['t', /Передать/],
    ['e', /Чем закончился|Завершить/],
  ] as const) {
    await page.keyboard.press(key)
    await expect(dialog(name)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog(name)).toBeHidden()
  }
  await page.keyboard.press('s')
  const snooze = dialog('Отложить чат')
  await snooze.getByLabel('До какого времени').first().fill('15.03.2031 10:30')
  await snooze.getByLabel('Не будить ответом').check()
  await snooze.getByRole('button', { name: 'Отложить', exact: true }).click()
  await expect(snooze).toBeHidden()
  const chat = await clinic.call('GET', `/live-assist/${first}`)
  expect(chat.snoozeHard).toBe(true)
  expect(chat.snoozedUntil).toContain('2031-03-15')
})
