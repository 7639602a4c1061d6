import { type PageKey, pageByKey, type RegistryKey, type ReportPageKey } from '@ordinator/model/pages'
import type { Screen } from '#base/screens.ts'
import { areas } from './areas.ts'

/** Screens of one area by the keys of its pages. */
type ScreensOf<A> = A extends { screens: infer S } ? keyof S : never
type Shown = ScreensOf<(typeof areas)[number]>

/**
 * The screen of each page. A page without a screen does not compile, unless it is the registry of an entity or a report,
 * which are rendered from their declarations.
 */
const screens: Record<Exclude<PageKey, RegistryKey | ReportPageKey>, Screen> &
  Partial<Record<RegistryKey | ReportPageKey, Screen>> = {
  ...(Object.assign({}, ...areas.map((area) => area.screens)) as Record<Shown, Screen>),
  // Pages that join parts of several areas.
  customers: () => import('./CustomersScreen.tsx'),
  customer: () => import('./CustomerScreen.tsx'),
  login: () => import('./LoginPage.tsx'),
  error: () => import('./ErrorPage.tsx'),
}

/** The common screen of a registry, with the declaration of its entity. */
const registryScreen =
  (entity: string | undefined): Screen =>
  async () => {
    const loading = import('#records/declarations.ts').then(({ loadDeclarations }) =>
      loadDeclarations(entity === undefined ? [] : [entity]),
    )
    const screen = await import('#records/registry/RegistryScreen.tsx')
    await loading
    return screen
  }

export const screenOf = (key: PageKey): Screen =>
  screens[key] ??
  (pageByKey(key).report ? () => import('#areas/reports/ReportPage.tsx') : registryScreen(pageByKey(key).entity))
