import { expect, test } from 'vitest'
import { rememberedOf } from './address.ts'
import { newsFilters } from './newsFilter.ts'
import { picturesOf, viewerPictures } from './newsRow.ts'

test('an address without filters asks for all news', () => {
  expect(newsFilters.filter({})).toBeUndefined()
  expect(newsFilters.count({})).toBe(0)
})

test('a period goes from the midnight of its first day to the one after its last', () => {
  expect(newsFilters.filter({ from: '2026-03-01', to: '2026-03-31' })).toEqual({
    and: [
      { dateCreate: { gte: new Date(2026, 2, 1).toISOString() } },
      { dateCreate: { lt: new Date(2026, 3, 1).toISOString() } },
    ],
  })
  expect(newsFilters.count({ from: '2026-03-01', to: '2026-03-31' })).toBe(1)
})

test('what is not loaded is searched among the visible records', () => {
  expect(newsFilters.filter({ unread: true, source: ['vk'], active: 'yes' })).toEqual({
    and: [{ source: { in: ['vk'] } }, { active: true }, { isRead: false, active: true }],
  })
})

test('a saved view remembers neither the open item nor what is no filter', () => {
  const kept = rememberedOf({ news: 5, edit: true, create: true, saved: 'x', view: 'feed', source: ['vk'] })
  expect(Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))).toEqual({
    view: 'feed',
    source: ['vk'],
  })
})

test('a picture is small on its tile and as large as there is when it is looked at', () => {
  const image = (id: number, size: 'small' | 'medium' | 'large', key = 'a') => ({
    id,
    size,
    key,
    idExternal: null,
    idFileRegister: 7,
    url: `/files/${id}/${size}`,
  })
  const pictures = picturesOf([image(1, 'small'), image(2, 'medium'), image(3, 'large'), image(4, 'small', 'b')])
  expect(pictures.map(({ ids, thumb, large }) => ({ ids, thumb, large }))).toEqual([
    { ids: [1, 2, 3], thumb: '/files/2/medium', large: '/files/3/large' },
    { ids: [4], thumb: '/files/4/small', large: '/files/4/small' },
  ])
  const [moving] = picturesOf([{ ...image(5, 'large'), file: { extension: 'gif' } }])
  expect(moving?.large).toBe('/files/7')
  expect(viewerPictures(pictures)[1]?.download).toBe('/files/7?download=1')
})
