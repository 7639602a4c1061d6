import type { Actor } from './access.ts'
import { type Page, type PageSection, pageSections, sectionIcons } from './page.ts'
import { isOffered, type PageKey, pageAllowed, pages } from './pages.ts'

/** A section of the menu. With a single page it is a direct link. */
export interface MenuSection {
  key: PageSection
  label: string
  icon: string
  pages: readonly Page[]
}

/** Rows of 34 px that fit in the menu on a screen of 900 px. */
export const MENU_ROWS = 22
/** Pages in the bar at the bottom of a phone, besides «Ещё». */
const PHONE_PLACES = 5

/** Pages offered first on a phone, the most used by any role at the top. */
const phoneOrder: readonly PageKey[] = [
  'dashboard',
  'calendar',
  'serviceOnline',
  'liveAssist',
  'myTasks',
  'daySheet',
  'customers',
  'examinations',
  'cash',
  'calls',
  'deals',
  'news',
  'regulations',
]

/**
 * The visitor's sections with their pages in the order of the page list. A family is represented by its page with `menu`,
 * or by its first accessible page. Without the right to `/settings` the accessible settings pages are listed.
 */
export function menuOf(visitor: Actor, oldCrmUrl: string | undefined): MenuSection[] {
  const open = (pages as readonly Page[]).filter(
    (page) => !page.linked && !page.path.includes(':') && isOffered(page, oldCrmUrl) && pageAllowed(page, visitor),
  )
  const inMenu = open.filter((page) => page.menu)
  const families = new Set(inMenu.map(({ family }) => family))
  const firstOf = (page: Page) => open.find(({ family }) => family === page.family) === page
  const isSetUp = ({ section, group }: Page) => section === 'settings' && group !== undefined
  const settings = inMenu.some(({ key }) => key === 'settings')
  const listed = open.filter(
    (page) =>
      page.menu ||
      (page.family !== undefined && !families.has(page.family) && firstOf(page) && !(isSetUp(page) && settings)) ||
      (isSetUp(page) && page.family === undefined && !settings),
  )
  return (Object.keys(pageSections) as PageSection[]).flatMap((key) => {
    const own = listed.filter(({ section }) => section === key)
    return own.length > 0 ? [{ key, label: pageSections[key], icon: sectionIcons[key], pages: own }] : []
  })
}

/** Rows of the menu with these sections open, including the dashboard and starred pages. */
export function menuRows(sections: readonly MenuSection[], open: ReadonlySet<string>, starred = 0): number {
  const starredRows = starred > 0 ? starred + 1 : 0
  const rowsOf = ({ key, pages }: MenuSection) => 1 + (pages.length > 1 && open.has(key) ? pages.length : 0)
  return 1 + starredRows + sections.reduce((rows, section) => rows + rowsOf(section), 0)
}

/**
 * Sections open by default: that of the open page, then as many from the top as fit.
 *
 * @param current the section of the open page
 */
export function openAtFirst(
  sections: readonly MenuSection[],
  current: PageSection | undefined,
  starred = 0,
): Set<PageSection> {
  const open = new Set<PageSection>(current ? [current] : [])
  for (const { key } of sections) {
    if (menuRows(sections, new Set([...open, key]), starred) <= MENU_ROWS) open.add(key)
  }
  return open
}

/** The visitor's pages in the bar at the bottom of a phone. */
export function phonePlaces(visitor: Actor, oldCrmUrl: string | undefined): Page[] {
  const offered = menuOf(visitor, oldCrmUrl).flatMap((section) => section.pages)
  const usual = (pages as readonly Page[]).filter(({ key, section }) => key === 'dashboard' && !section)
  const all = [...usual, ...offered]
  const rank = ({ key }: Page) => {
    const at = phoneOrder.indexOf(key as PageKey)
    return at < 0 ? phoneOrder.length : at
  }
  return all.toSorted((a, b) => rank(a) - rank(b)).slice(0, PHONE_PLACES)
}
