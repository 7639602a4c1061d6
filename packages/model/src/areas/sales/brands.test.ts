import { describe, expect, it } from 'vitest'
import { brandIn, brandOf, sourceOf } from './brands.ts'

describe('a brand', () => {
  it.each([
    ['yandex_direct', 'yandex'],
    ['Яндекс Карты', 'yandex'],
    ['https://ya.ru/search', 'yandex'],
    ['GoogleAds', 'google'],
    ['https://t.me/clinic', 'telegram'],
    ['https://web.whatsapp.com', 'whatsapp'],
    ['2ГИС', '2gis'],
    ['https://2gis.ru/tver', '2gis'],
    ['site', 'site'],
    ['Буклет в регистратуре', 'booklet'],
    ['friends', undefined],
    ['', undefined],
    [null, undefined],
  ])('%s is of %s', (text, brand) => expect(brandIn(text)).toBe(brand))

  it('is taken from utm_source before the referrer, and from that before the page', () => {
    const page = 'https://site.example/?utm_source=google'
    expect(brandOf({ utm: { utm_source: '2gis' }, referrer: 'https://yandex.ru', page })).toBe('2gis')
    expect(brandOf({ utm: { utm_source: 'friends' }, referrer: 'https://yandex.ru', page })).toBe('yandex')
    expect(brandOf({ referrer: null, page: 'https://clinic.example' })).toBeUndefined()
  })
})

describe('a source', () => {
  const sources = [
    { id: 1, name: 'Яндекс Карты', UTM: null },
    { id: 2, name: 'Яндекс Директ', UTM: 'yandex' },
    { id: 3, name: 'Телеграм-канал', UTM: null },
    { id: 4, name: 'Рассылка', UTM: 'Letter' },
  ]
  it.each([
    [{ utm: { utm_source: ' LETTER ' } }, 4],
    [{ utm: { utm_source: 'yandex' } }, 2],
    [{ utm: { utm_source: 'yandex_maps' } }, 2],
    [{ referrer: 'https://t.me/x' }, 3],
    [{ utm: { utm_source: 'unheard' }, referrer: 'https://google.com' }, undefined],
    [{}, undefined],
  ])('of %j', (touch, id) => expect(sourceOf(touch, sources)?.id).toBe(id))
})
