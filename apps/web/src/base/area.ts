import type { PageKey } from '@ordinator/model/pages'
import type { TablerIcon } from '@tabler/icons-react'
import type { Screen } from './screens.ts'

/** What the app takes from an area: `app/webAreas.ts` lists the areas. */
export interface Area {
  /** Icons of pages and groups by their keys in the page list. */
  icons?: Readonly<Record<string, TablerIcon>>
  /** Screens by the keys of their pages, loaded when they are opened. */
  screens: Readonly<Partial<Record<PageKey, Screen>>>
}
