import type { BonusProgram } from '@ordinator/model/areas/discounts/bonusProgram'
import type { Discount } from '@ordinator/model/areas/discounts/discount'
import type { Create } from '@ordinator/model/entity'

/** References of a demo discount by name instead of id. */
interface Names {
  filials?: readonly string[]
  groups?: readonly string[]
  exceptGroups?: readonly string[]
  sources?: readonly string[]
  companies?: readonly string[]
}

export interface DemoDiscount {
  row: Create<typeof Discount>
  names?: Names
  status?: 'active' | 'paused'
  codes?: readonly { code: string; limit?: number; expires?: string }[]
  /** Number of uses in the last weeks. */
  given?: number
}

/** YYYY-MM-DD at this distance from today. */
type Day = (days: number) => string

export const demoDiscounts = (day: Day): readonly DemoDiscount[] => [
  ...OF_PATIENTS,
  ...ofServices(day),
  ...byCode(day),
  ...restricted(day),
]

/** Given for who the patient is. */
const OF_PATIENTS: readonly DemoDiscount[] = [
  {
    row: {
      name: 'Пенсионерам по будням утром',
      description: 'По пенсионному удостоверению: поставьте в карте метку «Пенсионер»',
      kind: 'percent',
      value: 10,
      priority: 10,
      weekdays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
      timeFrom: '09:00',
      timeTo: '12:00',
      pensioner: true,
      maxDiscount: 1000,
    },
    names: { groups: ['Диагностика', 'Консультации'] },
    status: 'active',
    given: 34,
  },
  {
    row: {
      name: 'Постоянным клиентам',
      kind: 'percent',
      value: 5,
      tags: ['Постоянный'],
      stackable: true,
      description: 'Складывается с накопительной и днём рождения',
    },
    names: { exceptGroups: ['Товары'] },
    status: 'active',
    given: 58,
  },
  {
    row: {
      name: 'Накопительная',
      kind: 'accumulative',
      tiers: [
        { fromSum: 20_000, percent: 3 },
        { fromSum: 50_000, percent: 5 },
        { fromSum: 100_000, percent: 10 },
      ],
      window: 'year',
      category: 'services',
      priority: 5,
      stackable: true,
    },
    status: 'active',
    given: 21,
  },
  {
    row: {
      name: 'День рождения',
      kind: 'percent',
      value: 15,
      birthdayDays: 7,
      usesPerCustomer: 1,
      maxDiscount: 3000,
      stackable: true,
    },
    status: 'active',
    given: 12,
  },
]

/** Given for what is bought. */
const ofServices = (day: Day): readonly DemoDiscount[] => [
  {
    row: {
      name: 'УЗИ в выходные',
      kind: 'amount',
      value: 300,
      weekdays: ['saturday', 'sunday'],
      dateFrom: day(-40),
      dateTo: day(50),
    },
    names: { groups: ['УЗИ'], filials: ['Филиал на Ленина', 'Филиал на Садовой'] },
    status: 'active',
    given: 17,
  },
  {
    row: {
      name: 'Комплекс анализов 3+1',
      kind: 'gift',
      giftEvery: 3,
      description: 'Самый дешёвый из четырёх — в подарок',
    },
    names: { groups: ['Лаборатория'] },
    status: 'active',
    given: 9,
  },
  {
    row: {
      name: 'Вакцинация от гриппа',
      kind: 'fixedPrice',
      value: 990,
      dateFrom: day(-70),
      dateTo: day(20),
    },
    names: { groups: ['Вакцинация'] },
    status: 'active',
    given: 26,
  },
]

/** Given to whoever shows a code or a card. */
const byCode = (day: Day): readonly DemoDiscount[] => [
  {
    row: {
      name: 'Первый визит с сайта',
      kind: 'promo',
      unit: 'rubles',
      value: 500,
      perOrder: true,
      minSum: 2000,
      onlyFirstVisit: true,
      usesPerCustomer: 1,
    },
    names: { sources: ['Интернет'] },
    status: 'active',
    codes: [{ code: 'PERVIY' }, { code: 'SAYT500', limit: 300 }],
  },
  {
    row: {
      name: 'Осенний промокод',
      kind: 'promo',
      unit: 'percent',
      value: 12,
      dateTo: day(8),
      totalUses: 200,
      description: 'Рассылка в сентябре и буклеты',
    },
    status: 'active',
    codes: [{ code: 'OSEN', limit: 200 }],
    given: 41,
  },
  {
    row: {
      name: 'Дисконтная карта «Семья»',
      kind: 'card',
      value: 7,
      category: 'services',
      description: 'Номер карты — код',
    },
    status: 'active',
    codes: [{ code: 'SEM-00417' }, { code: 'SEM-00418' }, { code: 'SEM-00502' }],
    given: 15,
  },
  {
    row: {
      name: 'Сертификат на 3 000 ₽',
      kind: 'certificate',
      unit: 'rubles',
      value: 3000,
      perOrder: true,
      description: 'Подарочный, на любые услуги; один раз',
    },
    status: 'active',
    codes: [
      { code: 'PODAROK-7K2M', limit: 1, expires: day(180) },
      { code: 'PODAROK-9XQ4', limit: 1, expires: day(180) },
    ],
  },
]

/** For the staff, for bonuses or on approval, and those not in force: ahead, past, paused, drafts. */
const restricted = (day: Day): readonly DemoDiscount[] => [
  {
    row: { name: 'Сотрудникам клиники', kind: 'percent', value: 30, staff: true, priority: 20 },
    names: { exceptGroups: ['Товары'] },
    status: 'active',
  },
  {
    row: { name: 'Оплата бонусами', kind: 'bonus', value: 30, category: 'services' },
    status: 'active',
  },
  {
    row: {
      name: 'Новогодняя',
      kind: 'percent',
      value: 10,
      dateFrom: day(25),
      dateTo: day(45),
      description: 'На всё, кроме операций',
    },
    names: { exceptGroups: ['Операции'] },
    status: 'active',
  },
  {
    row: { name: 'Летний чекап', kind: 'percent', value: 20, dateFrom: day(-170), dateTo: day(-80) },
    names: { groups: ['Лаборатория', 'УЗИ'] },
    status: 'active',
    given: 48,
  },
  {
    row: {
      name: 'Сотрудникам страховой «Опора»',
      kind: 'percent',
      value: 8,
      description: 'Договор на согласовании',
    },
    names: { companies: ['АО «СК „Опора“»'] },
    status: 'paused',
  },
  {
    row: { name: 'Скидка руководителя', kind: 'percent', value: 25, needApproval: true, maxDiscount: 5000 },
    status: 'active',
  },
  {
    row: { name: 'Стоматология: второй зуб дешевле', kind: 'gift', giftEvery: 1, maxDiscount: 2000 },
    names: { groups: ['Стоматология'] },
  },
]

interface DemoProgram {
  names?: { groups?: readonly string[] }
}

/** Bonus programmes. */
export const demoPrograms = (day: Day): (Create<typeof BonusProgram> & DemoProgram)[] => [
  {
    name: 'Бонусы за оплату',
    percent: 3,
    tiers: [
      { fromSum: 50_000, percent: 5 },
      { fromSum: 150_000, percent: 7 },
    ],
    delayDays: 14,
    lifeDays: 365,
    dateFrom: day(-200),
  },
  {
    name: 'Двойные бонусы за анализы',
    percent: 10,
    lifeDays: 90,
    dateFrom: day(-30),
    dateTo: day(60),
    names: { groups: ['Лаборатория'] },
  },
  { name: 'Осенний подарок', percent: 15, lifeDays: 30, dateFrom: day(-120), dateTo: day(-60), active: false },
]
