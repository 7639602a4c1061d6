import { entity } from '../../entity.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

/** Days within which a merge of two cards can be undone completely. */
export const UNDO_DAYS = 30

/** A merge of two cards of one patient (screens.md §12). The ids are no references, so later merges do not rewrite them. */
export const CustomerMerge = entity('customers/merges', {
  label: ['Объединение карт', 'объединения карт', 'объединений карт'],
  gender: 'n',
  fields: {
    idKept: integer({ label: 'Оставшаяся карта', required: true, min: 1 }),
    idMerged: integer({ label: 'Присоединённая карта', required: true, min: 1 }),
    fioMerged: text({ label: 'ФИО присоединённой', required: true, max: 200 }),
    // Readable only on the cards, by their access rules; stored here for the undo alone.
    turned: json<unknown[]>()({ label: 'Перенесённые записи', required: true, hidden: [] }),
    changed: json<Record<string, [unknown, unknown]>>()({ label: 'Взятые значения', required: true, hidden: [] }),
    dateCreate: dateTime({ label: 'Объединены', auto: 'created' }),
    idUser: ref('users', { label: 'Кто объединил', as: 'user', auto: 'actor' }),
    dateUndone: dateTime({ label: 'Разъединены' }),
  },
  access: { view: 'viewCustomers' },
  title: 'fioMerged',
  sort: '-id',
  personal: 'idKept',
})
