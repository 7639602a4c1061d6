/** Columns that tables of visits share. */

import type { ImporterColumn } from '#areas/imports/index.ts'
import { keyColumn } from '../table.ts'

export const PAST = { pastHooks: 'Rows are held to the rules by the check of each' }
export const visitKey = keyColumn(
  ['70001', '70002'],
  ['код визита', 'id визита', 'id записи', 'номер визита', 'visit_id', 'record_id'],
)
export const dayColumn: ImporterColumn = {
  name: 'Дата',
  required: true,
  also: ['дата визита', 'дата приёма', 'день', 'date'],
  examples: ['09.02.2025', '2025-02-09'],
}
export const timeColumn: ImporterColumn = {
  name: 'Время',
  also: ['время начала', 'начало', 'time'],
  examples: ['10:30', ''],
}

export const STATUS_HEADS = ['статус', 'статус визита', 'статус записи', 'состояние визита', 'status', 'attendance']

/** The former program's data on payment and origin: kept with a past visit, written to the note of one to come. */
export const paymentColumns: readonly ImporterColumn[] = [
  { name: 'Оплачено', also: ['оплата', 'сумма оплаты', 'оплачено, руб', 'paid'], examples: ['2100', ''] },
  {
    name: 'Способ оплаты',
    also: ['вид оплаты', 'тип оплаты', 'форма оплаты', 'статус оплаты', 'касса'],
    examples: ['Карта', ''],
  },
  { name: 'Скидка', also: ['скидка, руб', 'размер скидки', 'discount'], examples: ['', '300'] },
  { name: 'Источник', also: ['источник записи', 'откуда узнал', 'канал'], examples: ['Сайт', ''] },
  { name: 'Кто записал', also: ['автор записи', 'создал', 'автор', 'администратор'], examples: ['', ''] },
]
