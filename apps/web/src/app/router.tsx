import {
  isOldCrmSection,
  oldCrmAddress,
  oldCrmPaths,
  oldCrmSectionAddress,
  oldCrmSections,
  ownAddress,
} from '@ordinator/model/oldCrm'
import type { Page, PageFamily } from '@ordinator/model/page'
import { familyRedirects, firstOfFamily, type PageKey, pageAllowed, pageRedirects, pages } from '@ordinator/model/pages'
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { httpEvents } from '#base/http.ts'
import type { Search } from '#base/redirect.ts'
import { searchText } from '#base/searchText.ts'
import { session, sessionScreens } from '#base/session.ts'
import { loadChunk } from '#kit/chunk.ts'
import { APP, isTraining } from '#kit/root.ts'
import { CrashPage } from './CrashPage.tsx'
import { Frame } from './Frame.tsx'
import { Root } from './Root.tsx'
import { screenOf } from './webAreas.ts'

/**
 * The router is generated from the page list: a route per page, its guard from the page's gate, its screen from
 * webAreas.ts. Paths are not typed, because the list is data; each screen parses its own search with `useAddress`.
 */
const root = createRootRoute({
  component: Root,
  // The way into a training clinic is in the clinic: it has no sign-in of its own.
  beforeLoad: ({ location }) => (isTraining && location.pathname === '/login' ? leaveTraining() : undefined),
  validateSearch: (search: Search) => search,
})

/** Leaves for the clinic; never answers, so that nothing is drawn meanwhile. */
function leaveTraining(): Promise<never> {
  location.assign('/app/training')
  return new Promise(() => {})
}

/** Everything behind sign-in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Frame,
  beforeLoad: async ({ location }) => {
    if (await session.ensure()) return
    throw redirect({ to: '/login', search: { redirect: location.href }, replace: true })
  },
})

/** Converts `:id` of the page list to the router's syntax. */
const dollars = (path: string): string => path.replace(/:(\w+)/g, '$$$1')

function pageRoute(page: Page, parent: AnyRoute): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path: `/${dollars(page.path)}`,
    staticData: { page },
    component: lazyRouteComponent(() => loadChunk(screenOf(page.key as PageKey))),
    beforeLoad: async ({ params, search, preload }) => {
      if (!pageAllowed(page, session.actor() ?? undefined)) {
        const { refusalText } = await import('./refusalText.ts')
        throw redirect(errorAddress('403', refusalText(page, session.actor())))
      }
      await openInOldCrm(page.path, params as Params, preload)
      if (page.key === 'person' && String((params as { id?: string }).id) === String(session.actor()?.id))
        throw redirect({ to: '/profile', search, replace: true })
    },
  }) as AnyRoute
}

type Params = Record<string, string>

/** Opens the older CRM in a new tab if it serves the path, and stays on the page; a newly opened tab redirects itself. */
const openInOldCrm = (path: string, params: Params, preload: boolean): Promise<void> =>
  openThere(oldCrmAddress(session.account()?.common.settings.oldCrmUrl, path, params), preload)

async function openThere(address: string | undefined, preload: boolean): Promise<void> {
  if (address === undefined || preload) return
  const here = router.state.resolvedLocation
  if (here) {
    window.open(address, '_blank', 'noopener')
    throw redirect({ to: here.pathname, search: here.search, replace: true })
  }
  window.location.replace(address)
  await new Promise(() => {})
}

/** A path served only by the older CRM; without that CRM, its replacement here. */
function oldCrmRoute(path: string): AnyRoute {
  return createRoute({
    getParentRoute: () => inside as AnyRoute,
    path: `/${dollars(path)}`,
    beforeLoad: async ({ params, preload }) => {
      await openInOldCrm(path, params as Params, preload)
      const own = ownAddress(path, params as Params)
      if (own === undefined) throw redirect(errorAddress('404'))
      const { pathname, search } = new URL(own, location.origin)
      throw redirect({ to: pathname, search: searchText.parseSearch(search), replace: true })
    },
  }) as AnyRoute
}

function redirectRoute(from: string, to: string): AnyRoute {
  return createRoute({
    getParentRoute: () => root,
    path: `/${dollars(from)}`,
    beforeLoad: ({ params, search }) => {
      // `users/view?id=5` of the older CRM is a page with the id in its path.
      const { id } = search as { id?: unknown }
      const named = id !== undefined && to.includes(':id') ? { id: String(id) } : {}
      throw redirect({ to: dollars(to), params: { ...params, ...named }, search, replace: true })
    },
  }) as AnyRoute
}

/** The path of a family of pages: opens its first page accessible to the visitor. */
function familyRoute(from: string, family: PageFamily): AnyRoute {
  return createRoute({
    getParentRoute: () => inside as AnyRoute,
    path: `/${from}`,
    beforeLoad: ({ search }) => {
      const actor = session.actor()
      const page = actor && firstOfFamily(family, actor)
      if (!page) throw redirect(errorAddress('403'))
      throw redirect({ to: `/${page.path}`, search, replace: true })
    },
  }) as AnyRoute
}

/**
 * For an unknown path in a section of the older CRM that page is opened there; without the older CRM a sentence names the
 * replacement. A route of the section (`/warehouse/$`) would also match the section's first page.
 */
const unknown = createRoute({
  getParentRoute: () => root,
  path: '/$',
  beforeLoad: async ({ params, preload }) => {
    const [section = '', ...rest] = String((params as Params)._splat ?? '').split('/')
    // A signed-in user keeps the menu on the error page.
    const account = await session.ensure().catch(() => null)
    if (!isOldCrmSection(section) || !account) throw redirect(errorAddress('404'))
    const { oldCrmUrl } = session.account()?.common.settings ?? {}
    await openThere(oldCrmSectionAddress(oldCrmUrl, section, rest.join('/')), preload)
    throw redirect(errorAddress('404', oldCrmSections[section]))
  },
})

function errorAddress(code: string, errorText?: string) {
  return { to: '/error/$code', params: { code }, search: errorText ? { errorText } : {}, replace: true } as const
}

const all: readonly Page[] = pages
const pathOf = (key: string) => `/${all.find((page) => page.key === key)?.path ?? ''}`

const routeTree = root.addChildren([
  inside.addChildren([
    ...all.filter((page) => !page.public).map((page) => pageRoute(page, inside as AnyRoute)),
    ...Object.keys(oldCrmPaths)
      .filter((path) => !all.some((page) => page.path === path))
      .map(oldCrmRoute),
    ...Object.entries(familyRedirects).map(([from, family]) => familyRoute(from, family)),
  ]),
  ...all.filter((page) => page.public).map((page) => pageRoute(page, root as AnyRoute)),
  ...Object.entries(pageRedirects).map(([from, key]) => redirectRoute(from, pathOf(key))),
  unknown,
])

export const router = createRouter({
  routeTree,
  ...searchText,
  basepath: APP,
  defaultPreload: 'intent',
  defaultErrorComponent: CrashPage,
  defaultPendingMs: 500,
  scrollRestoration: true,
  scrollToTopSelectors: ['#main'],
})

sessionScreens.showLogin = () => {
  const at = router.state.location
  if (at.pathname === '/login') return
  if (isTraining) return void leaveTraining()
  const inner = at.href.replace(/^\/app(?=[/?#]|$)/, '') || '/'
  void router.navigate({ to: '/login', search: inner === '/' ? {} : { redirect: inner }, replace: true })
}

sessionScreens.guardAgain = () => void router.invalidate()

httpEvents.forbidden = (message) => {
  if (router.state.location.pathname.includes('/error/')) return
  void router.navigate({ to: '/error/$code', params: { code: '403' }, search: message ? { errorText: message } : {} })
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    page?: Page
  }
}
