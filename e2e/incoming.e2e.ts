import { OutsideCall } from './exchange.ts'
import { type Clinic, expect, signIn, test } from './support.ts'

const unique = () => String(Math.floor(Math.random() * 9_000_000) + 1_000_000)
const phoneFor = () => `+7907${unique()}`

/** An operator with an own extension. */
async function operator(clinic: Clinic) {
  const person = await clinic.person({ roles: ['Оператор колл-центра'] })
  const sip = unique().slice(0, 5)
  await clinic.call('PUT', `/users/${person.id}`, { sipPhone: sip })
  return { person, sip }
}

test('a call shows the caller over the page, takes neither the focus nor typed text, and closes when another answers', async ({
  page,
  clinic,
}) => {
  const { person, sip } = await operator(clinic)
  const colleague = unique().slice(0, 5)
  const phone = phoneFor()
  const surname = `Звонарёва${unique()}`
  await clinic.call('POST', '/customers', { surname, name: 'Ольга', phone, allergies: 'Новокаин' })
  await signIn(page, person)
  await page.goto('/app/customers')
  const search = page
    .getByRole('searchbox')
    .or(page.getByPlaceholder(/ФИО, телефон/))
    .first()
  await search.fill('Ива')
  const known = new OutsideCall(phone, sip, colleague)
  await known.rings()
  const calls = page.getByRole('region', { name: 'Звонки', exact: true })
  const card = calls.getByRole('article', { name: `Звонок: ${surname} Ольга` })
  await expect(card).toBeVisible()
  await expect(card).toContainText('Новокаин')
  await expect(search).toBeFocused()
  await page.keyboard.type('нов')
  await expect(search).toHaveValue('Иванов')

  // One key each, also while typing: the check list beside the call.
  await page.keyboard.press('Alt+b')
  const greeting = card.getByRole('radiogroup', { name: 'Приветствие и название клиники' })
  await greeting.getByText('Да').click()
  await expect(card.getByText('Оценка разговора: 100 %')).toBeVisible()

  // A second call, from an unknown number, becomes a new patient while the first call goes on elsewhere.
  const stranger = new OutsideCall(phoneFor(), sip)
  await stranger.rings()
  await expect(calls.getByRole('article')).toHaveCount(2)
  await known.answered(colleague)
  await expect(calls.getByRole('article')).toHaveCount(1)
  await calls.getByRole('button', { name: 'Создать клиента' }).click()
  const dialog = page.getByRole('dialog', { name: 'Новый клиент' })
  await dialog.getByRole('button', { name: 'Создать клиента' }).click()
  await expect(dialog.getByText('Обязательное поле')).toBeVisible()
  const fresh = `Новикова${unique()}`
  await dialog.getByLabel('Фамилия').fill(fresh)
  await dialog.getByRole('button', { name: 'Создать клиента' }).click()
  await expect(calls.getByRole('link', { name: fresh })).toBeVisible()

  await stranger.hangsUp()
  await expect(calls.getByRole('heading', { name: 'Пропущенный звонок' })).toBeVisible()
  await calls.getByRole('button', { name: 'Закрыть' }).click()
  await expect(calls).toBeHidden()
})

test('a card with a required outcome folds to its question, and closes by itself after two minutes', async ({
  page,
  clinic,
}) => {
  const { person, sip } = await operator(clinic)
  await page.clock.install()
  await signIn(page, person)
  // The clinic demands an outcome: the setting is shared with other tests, so only this page sees it.
  await page.route('**/calls/incoming', async (route) => {
    const response = await route.fetch()
    const { items } = await response.json()
    await route.fulfill({
      response,
      json: { items: items.map((call: { state: string }) => ({ ...call, needsEnd: call.state === 'ended' })) },
    })
  })
  await page.goto('/app/customers')
  const call = new OutsideCall(phoneFor(), sip)
  await call.rings()
  const card = page.getByRole('region', { name: 'Звонки', exact: true }).getByRole('article')
  await expect(card).toBeVisible()
  await call.answered(sip)
  await call.hangsUp()
  const question = card.getByRole('button', { name: 'Чем закончился звонок?' })
  await expect(async () => {
    await page.clock.runFor(2_000)
    await expect(question).toBeVisible({ timeout: 1_000 })
  }).toPass()
  const unfold = card.getByRole('button', { name: /^Развернуть/ })
  await expect(unfold).toBeHidden()
  await page.clock.runFor(11_000)
  await expect(unfold).toBeVisible()
  await page.clock.runFor(100_000)
  await expect(question).toBeVisible()
  await page.clock.runFor(10_000)
  await expect(card).toHaveCount(0)
  // The outcome can still be given in the journal: the card does not come back.
  await page.clock.runFor(10_000)
  await expect(card).toHaveCount(0)
})

test('a phone on the screen is dialled by the exchange for users with a telephone there, and by the computer for the others', async ({
  page,
  clinic,
}) => {
  const { person } = await operator(clinic)
  const phone = phoneFor()
  const { id } = await clinic.call('POST', '/customers', { surname: `Набирова${unique()}`, phone })
  await signIn(page, person)
  await page.goto(`/app/customers/edit?id=${id}`)
  const number = page.getByRole('link', { name: new RegExp(`${phone.slice(-2)}$`) }).first()
  await number.click()
  await expect(page.getByText('Снимите трубку своего телефона')).toBeVisible()
  await clinic.call('PUT', `/users/${person.id}`, { sipPhone: null })
  await page.reload()
  await expect(number).toHaveAttribute('href', `tel:${phone}`)
  let asked = false
  page.on('request', (request) => {
    asked ||= request.url().includes('/calls/originate')
  })
  await page.evaluate(() => document.addEventListener('click', (event) => event.preventDefault()))
  await number.click()
  expect(asked).toBe(false)
})

test('the window of a telephony program shows the card by its token once', async ({
  page,
  visitor,
  clinic,
  complaints,
}) => {
  complaints.allow(/status of 410|ERR_FAILED/)
  const { person, sip } = await operator(clinic)
  const phone = phoneFor()
  const surname = `Окошкина${unique()}`
  await clinic.call('POST', '/customers', { surname, phone })
  const token = await signIn(page, person)
  const { body: plugin } = await clinic.ask('POST', '/calls/telephony-token', {}, token)
  const call = new OutsideCall(phone, sip)
  await call.rings()
  let url = ''
  await expect(async () => {
    const { status, body } = await clinic.ask('POST', '/widgets/incoming-call/token', {
      token: plugin.token,
      session: call.session,
    })
    expect(status).toBe(200)
    url = new URL(body.url).pathname + new URL(body.url).hash
  }).toPass()
  const window = await visitor()
  await window.goto(url)
  await expect(window.getByRole('link', { name: surname })).toBeVisible()
  await expect(window.getByRole('heading', { level: 2, name: 'Входящий звонок' })).toBeVisible()
  const other = await visitor()
  await other.goto(`${url.replace('#', `?phone=${encodeURIComponent(phone)}#`)}`)
  await expect(other.getByText('Ссылка на звонок устарела')).toBeVisible()
  await expect(other.getByRole('link', { name: new RegExp(`${phone.slice(-2)}$`) })).toBeVisible()
  await expect(other.getByText(surname)).toBeHidden()
  // A lost connection does not end the call.
  const look = '**/widgets/incoming-call/look'
  await window.route(look, (route) => route.abort())
  await expect(window.getByText('Нет связи')).toBeVisible()
  await expect(window.getByRole('link', { name: surname })).toBeVisible()
  await window.unroute(look)
  await expect(window.getByText('Нет связи')).toBeHidden()
  await call.hangsUp()
  await expect(window.getByText('Пропущенный звонок')).toBeVisible()
})

/** Whether two elements share a pixel. */
const meets = (
  a: { x: number; y: number; width: number; height: number } | null,
  b: { x: number; y: number; width: number; height: number } | null,
) => !a || !b || (a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)

test('a card of a call covers neither the composer nor a dialog, at a desk and on a phone', async ({
  page,
  clinic,
}) => {
  const { person, sip } = await operator(clinic)
  const chat = await clinic.call('POST', '/live-assist', { name: `Ждущая ${unique()}`, phone: phoneFor() })
  await signIn(page, person)
  const calls = page.getByRole('region', { name: 'Звонки', exact: true })
  const composer = page.getByRole('textbox', { name: 'Ответ посетителю' })
  const call = new OutsideCall(phoneFor(), sip)
  await page.goto(`/app/live-assist?chat=${chat.id}`)
  await expect(composer).toBeVisible()
  await call.rings()
  await call.answered(sip)
  await expect(calls.getByRole('heading', { name: 'Разговор', exact: true })).toBeVisible()
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    await expect(composer).toBeVisible()
    await expect(calls).toBeVisible()
    await expect(async () =>
      expect(meets(await calls.boundingBox(), await composer.boundingBox())).toBe(false),
    ).toPass()
    await composer.click()
    await page.keyboard.type('Пишем дальше')
    await expect(composer).toHaveValue(/Пишем дальше$/)
    // A dialog lies above the card, wherever they meet.
    await calls.getByRole('button', { name: 'Создать клиента' }).click()
    const dialog = page.getByRole('dialog', { name: 'Новый клиент' })
    await expect(dialog.getByLabel('Фамилия')).toBeVisible()
    const above = await dialog.evaluate((shown) => {
      const { left, top, right, bottom } = shown.getBoundingClientRect()
      const places = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [x, y] as const))
      return places.every(([x, y]) => {
        const at = document.elementFromPoint(left + (right - left) * x, top + (Math.min(bottom, innerHeight) - top) * y)
        return at !== null && (shown.contains(at) || at.contains(shown))
      })
    })
    expect(above).toBe(true)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  await call.hangsUp()
})
