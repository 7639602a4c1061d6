/** A setting stored for an area that does not exist yet is marked so on its page. */
import { type CommonSettingName, placeOf, waitingSettings } from '@ordinator/model/areas/settings/commonSettings'
import type { Page as Declared } from '@ordinator/model/page'
import { pageByKey, pages } from '@ordinator/model/pages'
import { waitingFields, waitingModules, waitingPermissions, waitsFor } from '@ordinator/model/waiting'
import type { Locator } from 'playwright/test'
import { expect, test, title } from './support.ts'

/** Expects the note of each area as often as settings wait for it, and no other note. */
async function marksAreShown(on: Locator, waiting: readonly (Parameters<typeof waitsFor>[0] | undefined)[]) {
  const words = waiting.flatMap((area) => waitsFor(area) ?? [])
  await expect(on.getByText(/Появится с разделом/)).toHaveCount(words.length)
  for (const [word, all] of Map.groupBy(words, (one) => one))
    await expect(on.getByText(word), word).toHaveCount(all.length)
}

test('rights, modules and fields that nothing reads yet show what they wait for', async ({ page, clinic }) => {
  await clinic.enter(page)
  await page.goto('/app/roles')
  await page.getByRole('button', { name: 'Новая роль' }).click()
  const editor = page.getByRole('dialog', { name: 'Новая роль' })
  await expect(editor.getByLabel('Название')).toBeVisible()
  await marksAreShown(editor, Object.values(waitingPermissions))

  await page.goto('/app/settings/main')
  await marksAreShown(page.getByRole('group', { name: 'Модули', exact: true }), Object.values(waitingModules))
  // Pages show the features that exist.
  await expect(page.getByRole('group', { name: 'Модули', exact: true })).toContainText('Каналы чата, ВКонтакте')

  await page.goto('/app/settings/filials/create')
  await expect(title(page, 'Новый филиал')).toBeVisible()
  await marksAreShown(
    page.getByRole('main'),
    Object.entries(waitingFields).flatMap(([name, area]) => (name.startsWith('filials.') ? [area] : [])),
  )
})

test('a page of settings without effect yet shows that at its head', async ({ page, clinic }) => {
  await clinic.enter(page)
  const registries = (pages as readonly Declared[]).filter(({ help }) => /Пока хранятся/.test(help))
  expect(registries.length).toBeGreaterThan(0)
  for (const { path, title: name, help } of registries) {
    await page.goto(`/app/${path}`)
    await expect(title(page, name)).toBeVisible()
    await expect(page.getByText(help)).toBeVisible()
  }
  const waiting = Map.groupBy(Object.keys(waitingSettings) as CommonSettingName[], (name) => placeOf(name).child.page)
  for (const [key, settings] of waiting) {
    await page.goto(`/app/${pageByKey(key).path}`)
    await expect(page.getByText(/^Пока не подключено/)).toHaveCount(settings.length)
  }
})
