import { Lead } from '@ordinator/model/areas/sales/lead'
import type { Area } from '../../records/area.ts'
import { records } from '../../records/define.ts'

/** Deals. */
export const sales: Area = {
  name: 'sales',
  records: [records(Lead)],
  async demo(records) {
    for (const [title, price] of demoLeads) await records.create(Lead, { title, price })
  },
}

/** Prices in rubles. */
const demoLeads: readonly [title: string, price: number][] = [
  ['Профосмотр «Стройинвест», 38 сотрудников', 186200],
  ['Годовая программа «Сердце» — Лебедева', 48900],
  ['Имплантация двух зубов — Крылов', 96000],
  ['Ведение беременности с 12-й недели — Зайцева', 124500],
  ['Вакцинация от гриппа: школа № 12', 54000],
  ['Детское прикрепление на год — семья Гусевых', 39800],
  ['Чекап «После сорока» — Миронов', 21400],
  ['Договор с «Волгатранс»: предрейсовые осмотры', 312000],
  ['Ортодонтия, первый этап — Фролова', 64300],
  ['Лазерная коррекция — Тарасов', 58000],
  ['Корпоративный ДМС «Салют», 120 человек', 1440000],
  ['Массаж, курс 10 сеансов — Орлова', 17000],
]
