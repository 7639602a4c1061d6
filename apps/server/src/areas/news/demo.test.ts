import { groupImages } from '@ordinator/model/areas/news/images'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Clinic, testApp } from '#testing/harness.ts'

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp({ demo: true })
})
afterAll(() => clinic.close())

it('the demo clinic has a month of news from several sources, with pictures, readers and comments', async () => {
  const admin = clinic.as('admin')
  const fields = 'id,source,active,isPinned,dateActive,dateCreate,readsTotalCount,commentsTotalCount'
  const { items } = good(await admin.get(`/news?limit=100&expand=images&fields=${fields}`))
  expect(items.length).toBeGreaterThan(20)
  expect(new Set(items.map(({ source }: { source: string }) => source)).size).toBe(8)
  expect(items.filter(({ isPinned }: { isPinned: boolean }) => isPinned)).toHaveLength(2)
  for (const { active, dateActive, dateCreate } of items) expect(dateActive).toBe(active ? dateCreate : null)
  const pictured = items.filter(({ images }: { images: unknown[] }) => images.length > 0)
  expect(pictured.length).toBeGreaterThan(8)
  for (const { images } of pictured) for (const group of groupImages(images as never[])) expect(group).toHaveLength(3)
  const sum = (field: string) =>
    items.reduce((all: number, item: Record<string, number>) => all + (item[field] ?? 0), 0)
  expect(sum('readsTotalCount')).toBeGreaterThan(100)
  expect(sum('commentsTotalCount')).toBeGreaterThan(5)
})
