import type { Page, Response } from 'playwright/test'
import { makeWorld, type World } from './look/world.ts'
import { type Clinic, expect, test } from './support.ts'

/** A number is the same everywhere. */

interface Counted {
  /** On the dashboard's tile. */
  label: RegExp
  /** The menu page whose badge has the same number. */
  badge?: string
  /** The call of the list behind the tile. */
  list?: RegExp
  /** In the first hours of a day there may be none. */
  ofToday?: true
}

const counted: readonly Counted[] = [
  { label: /Просрочено задач/, badge: 'myTasks' },
  { label: /Просрочено шагов/, badge: 'deals', list: /\/sales-management\/leads\?.*dateNextStep/ },
  { label: /Неразобранные заявки/, badge: 'dealRequests', list: /\/sales-management\/requests\?.*count=1/ },
  { label: /Регламенты к ознакомлению/, badge: 'regulations' },
  { label: /Непрочитанные новости/, badge: 'news', list: /\/news\?.*isRead/ },
  { label: /Мои обращения/, badge: 'appeals', list: /\/appeals\?.*idOwner/ },
  { label: /Срок обращений вышел/, list: /\/appeals\?.*deadline/ },
  { label: /Ждут моего ответа/, badge: 'liveAssist', list: /\/live-assist\?.*awaitsMe/ },
  { label: /Ждут звонка/, list: /\/calls\?.*recall/ },
  { label: /Не перезвонили сегодня/, list: /\/calls\?.*callType/, ofToday: true },
]

test('one record type has one number: in the menu, on the desktop and in its list', async ({ page, clinic }) => {
  const { person, token } = await clinic.enter(page)
  const world = await makeWorld(clinic, person, token)
  await owe(clinic, world, person.id, token)
  const tiles = page
    .getByRole('navigation', { name: 'Что ждёт вас' })
    .or(page.getByRole('region', { name: 'Звонки и чаты' }))
    .getByRole('link')
  /** Numbers of the tiles, with those of the menu at the same time. */
  const desktop = async () => {
    await page.goto('/app/')
    await expect(tiles.filter({ hasText: 'Мои обращения' })).toBeVisible()
    await expect(tiles.filter({ hasText: 'Ждут моего ответа' })).toBeVisible()
    const { body: badges } = await clinic.ask('GET', '/common/badges', undefined, token)
    const shown = await tiles.evaluateAll((all) =>
      all.map((one) => ({ words: (one as HTMLElement).innerText, href: one.getAttribute('href') as string })),
    )
    return { badges, shown }
  }
  let { badges, shown } = await desktop()
  for (const { label, badge, list, ofToday } of counted)
    await test.step(label.source, async () => {
      let isFirst = true
      // Other tests change the clinic meanwhile: numbers are comparable after a complete reload.
      await expect(async () => {
        if (!isFirst) ({ badges, shown } = await desktop())
        isFirst = false
        const found = shown.filter(({ words }) => label.test(words))
        if (!ofToday) expect(found.length).toBeGreaterThan(0)
        const numbers = found.map(({ words }) => Number.parseInt(words, 10))
        if (badge) expect(numbers.reduce((sum, one) => sum + one)).toBe(badges[badge])
        if (!list) return
        for (const [at, { href }] of found.entries()) expect(await listed(page, href, list)).toBe(numbers[at])
      }).toPass({ timeout: 90_000 })
    })
})

/** Number of items in the list at the address; deals are loaded by stage. */
async function listed(page: Page, href: string, list: RegExp): Promise<number> {
  const totals = new Map<string, number>()
  const onResponse = async (answer: Response) => {
    const url = decodeURIComponent(answer.url()).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
    if (!list.test(url) || !answer.ok()) return
    // The body of a page that has been left is gone; it is no longer counted.
    const body = await answer.json().catch(() => undefined)
    if (body) totals.set(url, body._meta?.totalCount ?? body.items.length)
  }
  page.on('response', onResponse)
  await page.goto(href)
  await page.waitForLoadState('networkidle')
  await expect.poll(() => totals.size).toBeGreaterThan(0)
  page.off('response', onResponse)
  return [...totals.values()].reduce((sum, one) => sum + one)
}

/** An overdue record of each kind, owned by the test's user. */
async function owe(clinic: Clinic, world: World, idUser: number, token: string): Promise<void> {
  const call = clinic.as(token)
  const past = new Date(Date.now() - 3_600_000).toISOString()
  const { items } = await call('GET', `/tasks-management/members?filter[idBoard]=${world.board}&sort=id&limit=1`)
  const { items: late } = await call(
    'GET',
    `/tasks-management/assigned?filter[column.idBoard]=${world.board}&filter[task.name]=Просроченная`,
  )
  await call('POST', '/tasks-management/executors', { idTask: late[0].idTask, idMember: items[0].id })
  await call('PUT', `/sales-management/leads/${world.lead}`, { nextStep: 'Позвонить', dateNextStep: past })
  const of = { idLead: world.lead, idUser }
  if ((await call('GET', `/sales-management/responsible?filter[idLead]=${world.lead}`)).items.length === 0)
    await call('POST', '/sales-management/responsible', of)
  await call('PUT', `/appeals/${world.appeal}`, { idOwner: idUser, deadline: past })
}
