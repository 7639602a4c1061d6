/**
 * Pages and states to check: each page of the model's list, and its dialogs and states. A page without parameters is
 * checked by itself; a new dialog is one line in the file of its area. An entity's page has the states of a registry,
 * without a new record where none can be added, unless that file has others.
 */
import { entities } from '@ordinator/model/entities'
import { type PageKey, pageByKey, pages, type ReportPageKey } from '@ordinator/model/pages'
import { clinic } from './states/clinic.ts'
import { registry, type State } from './states/common.ts'
import { contact } from './states/contact.ts'
import { content } from './states/content.ts'
import { customers } from './states/customers.ts'
import { day } from './states/day.ts'
import { eln } from './states/eln.ts'
import { finance } from './states/finance.ts'
import { laboratory } from './states/laboratory.ts'
import { people } from './states/people.ts'
import { prompts } from './states/prompts.ts'
import { reports } from './states/reports.ts'
import { sales } from './states/sales.ts'
import { site } from './states/site.ts'
import { warehouse } from './states/warehouse.ts'
import { work } from './states/work.ts'

type OfEntity = Extract<(typeof pages)[number], { entity: string }>['key']

/** Screens generated from a declaration. */
type Derived = OfEntity | ReportPageKey

const declared: Record<Exclude<PageKey, Derived>, readonly State[]> & Partial<Record<Derived, readonly State[]>> = {
  ...work,
  ...sales,
  ...day,
  ...customers,
  ...contact,
  ...clinic,
  ...finance,
  ...content,
  ...site,
  ...laboratory,
  ...people,
  ...reports,
  ...eln,
  ...warehouse,
  ...prompts,
}

/** States of a page that has none of its own. */
function derived(key: PageKey): readonly State[] {
  const { report, entity: path } = pageByKey(key)
  const entity = entities.find((one) => one.path === path)
  return report || (entity && !entity.access.create) ? [{}] : registry
}

export const states = Object.fromEntries(pages.map(({ key }) => [key, declared[key] ?? derived(key)])) as Record<
  PageKey,
  readonly State[]
>
