import { expect, it } from 'vitest'
import { type Described, sentenceOf } from './words.ts'

const names: Record<string, string> = {
  'services-groups:8': 'Диагностика',
  'services:1': 'ЭКГ',
  'filials:2': 'На Ленина',
}
const nameOf = (path: string, id: number) => names[`${path}:${id}`] ?? `№ ${id}`

it.each<[Described, string]>([
  [
    {
      kind: 'percent',
      value: 10,
      groups: [8],
      weekdays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
      timeFrom: '09:00',
      timeTo: '12:00',
      pensioner: true,
      maxDiscount: 1000,
    },
    '10 % на группу «Диагностика» по будням 09:00–12:00 для пенсионеров, не больше 1 000 ₽',
  ],
  [{ kind: 'amount', value: 500.5, perOrder: true, minSum: 3000 }, '500,50 ₽ с заказа, от суммы 3 000 ₽'],
  [{ kind: 'gift', giftEvery: 2, services: [1] }, 'Каждая 3-я в подарок на «ЭКГ»'],
  [{ kind: 'fixedPrice', value: 990, services: [1], filials: [2] }, 'Цена 990 ₽ на «ЭКГ» в «На Ленина»'],
  [
    { kind: 'promo', unit: 'percent', value: 15, dateTo: '2026-12-31', usesPerCustomer: 1 },
    '15 % по промокоду по 31.12.2026, одному клиенту не больше 1 раза',
  ],
  [
    {
      kind: 'accumulative',
      tiers: [
        { fromSum: 0, percent: 3 },
        { fromSum: 50_000, percent: 5 },
      ],
      category: 'services',
    },
    '3 %, 5 % от 50 000 ₽ на все услуги',
  ],
  [
    {
      kind: 'percent',
      value: 7,
      exceptServices: [1],
      weekdays: ['tuesday', 'thursday'],
      birthdayDays: 7,
      stackable: true,
    },
    '7 % на всё кроме «ЭКГ» по вторникам и четвергам в день рождения и 7 дней до и после, вместе с другими скидками',
  ],
  [{ kind: 'bonus', value: 30, tags: ['VIP'] }, 'До 30 % счёта бонусами для клиентов с меткой «VIP»'],
  [{ kind: 'percent' }, ''],
])('%j', (one, sentence) => {
  expect(sentenceOf(one, nameOf).replaceAll('\u00a0', ' ')).toBe(sentence)
})
