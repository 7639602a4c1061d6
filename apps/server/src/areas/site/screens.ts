/** Routes of the site. Unpublished pages have no route. */
import type { Block } from '@ordinator/model/areas/site/blocks'
import { documentKinds } from '@ordinator/model/areas/site/documentKinds'
import { readOffers } from '#areas/memberships/index.ts'
import type { Queryable } from '#platform/db.ts'
import { at, fullAddress, safeAddress } from './addresses.ts'
import type { Asked, Screen } from './asked.ts'
import { drawBlocks, priceTable } from './blocks.ts'
import { bookHome } from './booking.ts'
import { details } from './detailScreens.ts'
import { firstOf } from './freeTimes.ts'
import { html } from './html.ts'
import type { Sheet } from './layout.ts'
import {
  doctorCards,
  documentList,
  filialCards,
  hidden,
  type Making,
  membershipCards,
  newsCards,
  phoneLink,
  serviceCards,
} from './parts.ts'
import { readDoctors, readDocuments, readFilials, readNews, readPage, readRedirect, readServices } from './reads.ts'
import { attach, list, room, type Show, search } from './screenParts.ts'
export const MAX_PAGE = 1_000
const MAX_FILIALS = 200

const lists: Record<string, Show> = {
  '/services': (asked) =>
    list(
      asked,
      'Услуги',
      (limit, offset) => readServices(asked.db, { limit, offset }),
      async (making, rows) =>
        serviceCards(making, rows, await firstOf(asked.db, making, { services: rows.map(({ id }) => id) })),
    ),
  '/goods': (asked) =>
    list(
      asked,
      'Товары',
      (limit, offset) => readServices(asked.db, { of: 'goods', limit, offset }),
      (making, rows) => serviceCards(making, rows),
    ),
  '/memberships': (asked) =>
    list(
      asked,
      'Абонементы',
      (limit, offset) => readOffers(asked.db, { where: 'site', limit, offset }),
      membershipCards,
    ),
  '/doctors': (asked) =>
    list(
      asked,
      'Врачи',
      (limit, offset) => readDoctors(asked.db, { limit, offset }),
      async (making, rows) =>
        doctorCards(making, rows, await firstOf(asked.db, making, { users: rows.map(({ id }) => id) })),
    ),
  '/book': bookHome,
  '/news': (asked) => list(asked, 'Новости', (limit, offset) => readNews(asked.db, { limit, offset }), newsCards),
  '/prices': (asked) =>
    list(
      asked,
      'Цены',
      (limit, offset) => readServices(asked.db, { of: 'all', limit, offset }),
      ({ place }, services) => priceTable(place, services),
    ),
  '/filials': async (asked) => {
    const filials = await readFilials(asked.db, MAX_FILIALS)
    return {
      path: asked.path,
      title: 'Филиалы',
      crumbs: [],
      body: room(html`${hidden('Список')}${filialCards(asked, filials, new Date())}`),
    }
  },
  '/documents': async (asked) => {
    const documents = await readDocuments(asked.db)
    const kinds = Map.groupBy(documents, ({ kind }) => kind)
    const body = html`${[...kinds].map(
      ([kind, inside]) =>
        html`<section><div class="room"><h2>${documentKinds[kind]}</h2>${documentList(asked, inside, true)}</div></section>`,
    )}`
    return { path: asked.path, title: 'Документы', crumbs: [], body }
  },
  '/search': search,
  '/attachment': attach,
  '/thanks': async (asked) => ({
    title: 'Спасибо!',
    noIndex: true,
    crumbs: [],
    body: room(
      html`<p role="status">Заявка принята: мы свяжемся с вами в рабочее время.</p><p><a href="${at(asked.place, '/')}">На главную</a></p>`,
    ),
  }),
}

/** Paged lists; elsewhere the page number is ignored. */
const paged: ReadonlySet<string | undefined> = new Set([
  '/services',
  '/goods',
  '/memberships',
  '/doctors',
  '/news',
  '/prices',
])
export const isPaged = (path: string | undefined): boolean => paged.has(path)

export async function screenAt(asked: Asked): Promise<Screen> {
  const own = Object.hasOwn(lists, asked.path) ? lists[asked.path] : undefined
  if (own) return own(asked, '')
  const [, area = '', part, ...more] = asked.path.split('/')
  const detail = Object.hasOwn(details, area) ? details[area] : undefined
  const found = detail && part && more.length === 0 ? await detail(asked, part) : await written(asked)
  if (found) return found
  const redirect = await readRedirect(asked.db, asked.path.toLowerCase())
  return redirect && { to: safeAddress(asked.place, redirect.to) }
}

/** A page edited by the clinic. */
async function written(asked: Asked): Promise<Screen> {
  const { db, path, site, place } = asked
  const page = await readPage(db, path === '/' ? '' : path.slice(1))
  const isHome = path === '/'
  if (!page) return isHome ? plainHome(asked) : undefined
  return {
    ...(await drawPage(asked, page, isHome)),
    path,
    title: page.seoTitle || page.title,
    description: page.seoDescription,
    noIndex: page.noIndex,
    ...(!isHome && { crumbs: [] }),
    data: isHome
      ? {
          '@context': 'https://schema.org',
          '@type': 'MedicalClinic',
          name: site.name,
          url: fullAddress(place, '/'),
          ...(site.theme.phone && { telephone: site.theme.phone }),
        }
      : { '@context': 'https://schema.org', '@type': 'WebPage', name: page.title, url: fullAddress(place, path) },
  }
}

/** Default home page until the clinic publishes one: its name, and links to its data. */
function plainHome({ place, site }: Asked): Sheet {
  const { has, theme } = site
  const ways = [
    has.services && (['Услуги и цены', '/services'] as const),
    has.goods && (['Товары', '/goods'] as const),
    has.memberships && (['Абонементы', '/memberships'] as const),
    has.doctors && (['Врачи', '/doctors'] as const),
    has.filials && (['Филиалы', '/filials'] as const),
    has.news && (['Новости', '/news'] as const),
    has.documents && (['Документы', '/documents'] as const),
  ].filter((one) => one !== false)
  return {
    path: '/',
    title: site.name,
    body: room(
      html`${theme.tagline && html`<p>${theme.tagline}</p>`}${phoneLink(theme.phone)}${
        ways.length > 0 &&
        html`<ul class="cards">${ways.map(
          ([title, path]) => html`<li class="card"><h2><a href="${at(place, path)}">${title}</a></h2></li>`,
        )}</ul>`
      }`,
    ),
  }
}

/** The blocks; the home page is named by its first block, if it has a title. */
export async function drawPage(
  asked: Making & { db: Queryable },
  { blocks }: { blocks: readonly Block[] },
  isHome: boolean,
): Promise<Pick<Sheet, 'body' | 'isNamed'>> {
  const first = blocks.find(({ isOff }) => !isOff)
  const isNamed = first?.type === 'banner' || (isHome && first === undefined)
  return { body: await drawBlocks(asked.db, asked, blocks, !isNamed), isNamed }
}
