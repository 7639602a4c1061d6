/**
 * What the walk looks at: each page of the model's list, and the dialogs and states that stand on it. A page whose
 * address needs nothing is looked at by itself; a new dialog is one line in the file of its area.
 */
import type { PageKey } from '@ordinator/model/pages'
import { clinic } from './states/clinic.ts'
import type { State } from './states/common.ts'
import { contact } from './states/contact.ts'
import { content } from './states/content.ts'
import { customers } from './states/customers.ts'
import { day } from './states/day.ts'
import { people } from './states/people.ts'
import { sales } from './states/sales.ts'
import { site } from './states/site.ts'
import { work } from './states/work.ts'

export const states: Record<PageKey, readonly State[]> = {
  ...work,
  ...sales,
  ...day,
  ...customers,
  ...contact,
  ...clinic,
  ...content,
  ...site,
  ...people,
}
