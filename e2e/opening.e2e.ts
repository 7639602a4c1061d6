import { expect, test } from './support.ts'

/** What a screen asks for when it opens. */

const S = '/sales-management'

test('a board reads each list once, and sees what changed before it could listen', async ({ page, clinic }) => {
  const { id } = await clinic.call('POST', `${S}/funnels`, { name: `Открытие ${Date.now()}` })
  const { items: stages } = await clinic.call('GET', `${S}/stages?filter[idFunnel]=${id}&sort=order&limit=20`)
  const deal = await clinic.call('POST', `${S}/leads`, { title: 'Старое название', idStage: stages[0].id })
  await clinic.enter(page)

  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() === 'GET' && request.resourceType() === 'fetch') asked.push(pathname + search)
  })
  const late: (() => void)[] = []
  await page.routeWebSocket(/\/ws\?token=/, (socket) => {
    const server = socket.connectToServer()
    let isLate = true
    socket.onMessage((message) => (isLate ? void late.push(() => server.send(message)) : server.send(message)))
    late.push(() => {
      isLate = false
    })
  })
  await page.goto(`/app/deals?funnel=${id}`)
  await expect(page.locator('[data-card]').filter({ hasText: 'Старое название' })).toBeVisible()
  await clinic.call('PUT', `${S}/leads/${deal.id}`, { title: 'Новое название' })
  for (const send of late) send()
  await expect(page.locator('[data-card]').filter({ hasText: 'Новое название' })).toBeVisible()

  // What is read again because of the first change has been asked for by the time the second one is seen.
  await clinic.call('PUT', `${S}/leads/${deal.id}`, { title: 'Ещё новее' })
  await expect(page.locator('[data-card]').filter({ hasText: 'Ещё новее' })).toBeVisible()
  const columns = asked.filter((path) => path.startsWith(`${S}/leads?filter[idStage]=`) && path.includes('after='))
  expect(columns.length).toBe(stages.length)
  expect(new Set(columns).size).toBe(columns.length)
})
