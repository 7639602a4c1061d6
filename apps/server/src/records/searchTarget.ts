import type { Page } from '@ordinator/model/page'
import { type PageKey, pageByKey } from '@ordinator/model/pages'
import sql from 'sql-template-tag'
import type { Found } from './define.ts'

type More = Partial<Pick<Found, 'by' | 'hint' | 'day' | 'group'>>

/**
 * Search declaration of a record that opens over the registry of this page (`?open=12`) or, if the page has an `:id`, on
 * the page itself, found by its title.
 */
export function searchTarget(key: PageKey, { by = ['name'], ...more }: More = {}): Found {
  const page: Page = pageByKey(key)
  const [before, after] = page.path.split(':id')
  return {
    on: key,
    group: page.title,
    by,
    opens: ({ row }) =>
      after === undefined
        ? sql`${`/${page.path}?open=`}::text || ${row}."id"`
        : sql`${`/${before}`}::text || ${row}."id" || ${after}::text`,
    ...more,
  }
}
