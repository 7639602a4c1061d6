/** Routes of the site. Unpublished pages have no route. */
import { stockText } from '@ordinator/model/areas/catalogue/inStock'
import type { Block } from '@ordinator/model/areas/site/blocks'
import { documentKinds } from '@ordinator/model/areas/site/documentKinds'
import { policyKinds } from '@ordinator/model/areas/site/policy'
import { formatDay } from '@ordinator/model/format'
import { weekText } from '@ordinator/model/hours'
import { attachmentForm } from '#areas/attachment/index.ts'
import { readOffers } from '#areas/memberships/index.ts'
import type { Queryable } from '#platform/db.ts'
import { at, fullAddress, safeAddress, serviceAddress } from './addresses.ts'
import type { Asked, Screen } from './asked.ts'
import { askForm } from './askForm.ts'
import { attachForm } from './attachForm.ts'
import { drawBlocks, priceTable } from './blocks.ts'
import { bookHome, bookService } from './booking.ts'
import { findOnSite, MAX_WORDS } from './find.ts'
import { firstOf, freeTimes } from './freeTimes.ts'
import { type Html, html, lines } from './html.ts'
import type { Sheet } from './layout.ts'
import {
  bookButton,
  cut,
  dayText,
  doctorCards,
  documentList,
  filialCards,
  hidden,
  image,
  type Making,
  membershipCards,
  newsCards,
  onePrice,
  phoneLink,
  portrait,
  priceText,
  prose,
  serviceCards,
  whereText,
} from './parts.ts'
import {
  numberOf,
  readDoctor,
  readDoctors,
  readDocuments,
  readFilials,
  readNews,
  readPage,
  readPolicy,
  readRedirect,
  readService,
  readServices,
} from './reads.ts'

const ON_PAGE = 48
export const MAX_PAGE = 1_000
const MAX_FILIALS = 200

type Show = (asked: Asked, part: string) => Promise<Screen>

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

const details: Record<string, Show> = {
  services: service,
  goods: good,
  doctors: doctor,
  filials: filial,
  news: newsItem,
  policy,
  book: bookService,
}

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

const room = (inside: Html): Html => html`<section><div class="room">${inside}</div></section>`

/** A paged list: reads one more than shown to know whether there is a next page. */
async function list<T>(
  asked: Asked,
  title: string,
  read: (limit: number, offset: number) => Promise<T[]>,
  draw: (making: Making, rows: readonly T[]) => Html | Promise<Html>,
): Promise<Screen> {
  const { page, path, place } = asked
  const rows = await read(ON_PAGE + 1, (page - 1) * ON_PAGE)
  if (rows.length === 0 && page > 1) return undefined
  const way = (to: number, words: string) =>
    html`<li><a href="${at(place, path)}${to > 1 ? `?page=${to}` : ''}">${words}</a></li>`
  const pages =
    (page > 1 || rows.length > ON_PAGE) &&
    html`<nav aria-label="Листать"><ul class="pages">${page > 1 && way(page - 1, 'Назад')}${rows.length > ON_PAGE && way(page + 1, 'Дальше')}</ul></nav>`
  const body = rows.length
    ? html`${hidden('Список')}${await draw(asked, rows.slice(0, ON_PAGE))}${pages}`
    : html`<p>Здесь пока ничего нет.</p>`
  return { path: page > 1 ? `${path}?page=${page}` : path, title, crumbs: [], body: room(body) }
}

/** The attachment form; undefined if the clinic accepts no applications. */
async function attach(asked: Asked): Promise<Screen> {
  const shown = asked.site.consent === null ? null : await attachmentForm(asked.db)
  return shown
    ? { path: asked.path, title: 'Прикрепление к клинике', crumbs: [], body: room(attachForm(asked, shown)) }
    : undefined
}

async function search(asked: Asked): Promise<Screen> {
  const { words, place, db } = asked
  const found = words.length < 2 ? [] : await findOnSite(db, words)
  const answer =
    words.length === 0
      ? false
      : words.length < 2
        ? html`<p>Напишите хотя бы две буквы.</p>`
        : found.length
          ? html`<ul>${found.map(({ title, path }) => html`<li><a href="${at(place, path)}">${title}</a></li>`)}</ul>`
          : html`<p>Ничего не нашлось. Попробуйте другие слова или позвоните нам${
              asked.site.theme.phone && html`: ${phoneLink(asked.site.theme.phone)}`
            }.</p>`
  const form = html`<form class="find" role="search" action="${at(place, '/search')}"><input type="search" name="q" maxlength="${MAX_WORDS}" value="${words}" aria-label="Что найти"><button type="submit">Найти</button></form>`
  return { title: 'Поиск', noIndex: true, crumbs: [], body: room(html`${form}<div role="status">${answer}</div>`) }
}

async function service(asked: Asked, part: string): Promise<Screen> {
  const one = await readService(asked.db, part)
  if (!one) return undefined
  const path = serviceAddress(one)
  if (path !== asked.path && path !== `/services/${encodeURIComponent(part)}`) return { to: at(asked.place, path) }
  const times = await freeTimes(asked, { idService: one.id })
  const prices = one.prices.filter(({ price }) => price !== null)
  const isPriced = !one.hidePrice && prices.length > 0
  return {
    path,
    title: one.name,
    description: `${one.name}: ${priceText(one).toLowerCase()}. ${asked.site.name}`,
    crumbs: [['Услуги', '/services']],
    data: {
      '@context': 'https://schema.org',
      '@type': 'Service',
      name: one.name,
      provider: { '@type': 'MedicalClinic', name: asked.site.name },
      ...(isPriced && {
        offers: prices.map(({ price, filial: where }) => ({
          '@type': 'Offer',
          price,
          priceCurrency: 'RUB',
          availableAtOrFrom: where,
        })),
      }),
    },
    body: html`${room(html`${image(asked, one.images[0], one.name, 'large')}
${isPriced ? html`<dl class="facts">${prices.map((price) => html`<dt>${price.filial}</dt><dd>${onePrice(price, one)}</dd>`)}</dl>` : html`<p class="price">${priceText(one)}</p>`}`)}
${times && room(html`<h2>Ближайшее время</h2>${times}`)}
${!times && asked.site.isBooking && room(html`${bookButton(asked, one.id)}`)}
${one.description && room(html`${prose(asked, one.description)}`)}
${one.preparation && room(html`<h2>Как подготовиться</h2>${prose(asked, one.preparation)}`)}
${one.doctors.length > 0 && room(html`<h2>Кто принимает</h2>${doctorCards(asked, one.doctors)}`)}
${ask(asked, asked.site.isBooking ? 'Задать вопрос' : 'Записаться')}`,
  }
}

/** A product: its price and stock, without booking. */
async function good(asked: Asked, part: string): Promise<Screen> {
  const one = await readService(asked.db, part, 'goods')
  if (!one) return undefined
  const path = serviceAddress(one)
  if (path !== asked.path && path !== `/goods/${encodeURIComponent(part)}`) return { to: at(asked.place, path) }
  const prices = one.hidePrice ? [] : one.prices.filter(({ price }) => price !== null)
  const inStock = new Map(one.stock.map((stock) => [stock.idFilial, stock]))
  const places = new Map([...one.stock, ...prices].map(({ idFilial, filial: where }) => [idFilial, where]))
  return {
    path,
    title: one.name,
    description: `${one.name}: ${priceText(one).toLowerCase()}. ${asked.site.name}`,
    crumbs: [['Товары', '/goods']],
    data: {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: one.name,
      ...(prices.length > 0 && {
        offers: prices.map(({ idFilial, price, filial: where }) => {
          const stock = inStock.get(idFilial)
          return {
            '@type': 'Offer',
            price,
            priceCurrency: 'RUB',
            availableAtOrFrom: where,
            ...(stock && {
              availability: `https://schema.org/${stock.free > 0 ? 'InStock' : 'OutOfStock'}`,
            }),
          }
        }),
      }),
    },
    body: html`${room(html`${image(asked, one.images[0], one.name, 'large')}
<p class="price">${priceText(one)}</p>
${
  places.size > 0 &&
  html`<dl class="facts">${[...places].map(([id, where]) => {
    const price = prices.find(({ idFilial }) => idFilial === id)
    return html`<dt>${where}</dt><dd>${[price && onePrice(price, one), inStock.has(id) && stockText(inStock.get(id)?.free ?? 0).toLowerCase()].filter(Boolean).join(', ')}</dd>`
  })}</dl>`
}
${one.stock.length > 0 && html`<p class="dim">Товар не бронируется: спросите о нём в клинике.</p>`}`)}
${one.description && room(html`${prose(asked, one.description)}`)}
${ask(asked, 'Задать вопрос')}`,
  }
}

async function doctor(asked: Asked, part: string): Promise<Screen> {
  const id = numberOf(part)
  const one = id === null ? undefined : await readDoctor(asked.db, id)
  if (!one) return undefined
  const [services, times] = await Promise.all([
    readServices(asked.db, { idUser: one.id, limit: ON_PAGE }),
    freeTimes(asked, { idUser: one.id }),
  ])
  return {
    path: `/doctors/${one.id}`,
    title: one.fio,
    description: [one.fio, one.speciality, asked.site.name].filter(Boolean).join(', '),
    crumbs: [['Врачи', '/doctors']],
    data: {
      '@context': 'https://schema.org',
      '@type': 'Physician',
      name: one.fio,
      ...(one.speciality && { medicalSpecialty: one.speciality }),
      ...(one.photo !== null && { image: fullAddress(asked.place, `/media/${one.photo}/medium`) }),
      url: fullAddress(asked.place, `/doctors/${one.id}`),
    },
    body: html`${room(
      html`${one.photo !== null && portrait(asked, one, 'medium')}<p>${[one.speciality, one.post].filter(Boolean).join(', ')}</p>${one.description && html`<p class="prose">${lines(one.description)}</p>`}${
        one.filials.length > 0 &&
        html`<p class="dim">Принимает: ${one.filials.map(({ id: to, name }, at_) => html`${at_ > 0 && ', '}<a href="${at(asked.place, `/filials/${to}`)}">${name}</a>`)}</p>`
      }`,
    )}${times && room(html`<h2>Ближайшее время</h2>${times}`)}${
      services.length > 0 && room(html`<h2>Услуги врача</h2>${serviceCards(asked, services)}`)
    }${ask(asked, asked.site.isBooking ? 'Задать вопрос' : 'Записаться')}`,
  }
}

async function filial(asked: Asked, part: string): Promise<Screen> {
  const id = numberOf(part)
  const [one] = id === null ? [] : await readFilials(asked.db, 1, id)
  if (!one) return undefined
  return {
    path: `/filials/${one.id}`,
    title: one.name,
    description: `${one.name}, ${whereText(one)}`,
    crumbs: [['Филиалы', '/filials']],
    data: {
      '@context': 'https://schema.org',
      '@type': 'MedicalClinic',
      name: one.name,
      address: whereText(one),
      ...(one.phone && { telephone: one.phone }),
      ...(one.latitude !== null &&
        one.longitude !== null && {
          geo: { '@type': 'GeoCoordinates', latitude: one.latitude, longitude: one.longitude },
        }),
    },
    body: html`${room(html`${hidden('Адрес и часы')}${filialCards(asked, [one], new Date())}`)}${
      one.pictures.length > 0 &&
      room(
        html`<ul class="gallery">${one.pictures.map((picture) => html`<li>${image(asked, picture, one.name)}</li>`)}</ul>`,
      )
    }${
      one.holidays.length > 0 &&
      room(
        html`<h2>Особые дни</h2><dl class="facts">${one.holidays.map(
          ({ day, start, end }) =>
            html`<dt>${formatDay(day)}</dt><dd>${start && end ? `${start}–${end}` : 'выходной'}</dd>`,
        )}</dl>`,
      )
    }${one.hours && html`<p class="skip">${weekText(one.hours)}</p>`}`,
  }
}

async function newsItem(asked: Asked, part: string): Promise<Screen> {
  const id = numberOf(part)
  const [one] = id === null ? [] : await readNews(asked.db, { limit: 1, id })
  if (!one) return undefined
  return {
    path: `/news/${one.id}`,
    title: cut(one.title, 300),
    crumbs: [['Новости', '/news']],
    data: {
      '@context': 'https://schema.org',
      '@type': 'NewsArticle',
      headline: cut(one.title, 110),
      datePublished: one.date,
    },
    body: room(html`<p class="dim"><time datetime="${one.date}">${dayText(one.date, asked.site.timeZone)}</time></p>
${image(asked, one.images[0], '', 'large')}${prose(asked, one.text)}${
  one.images.length > 1 &&
  html`<ul class="gallery">${one.images.slice(1).map((picture) => html`<li>${image(asked, picture, '')}</li>`)}</ul>`
}`),
  }
}

async function policy(asked: Asked, part: string): Promise<Screen> {
  if (!Object.hasOwn(policyKinds, part)) return undefined
  const one = await readPolicy(asked.db, part)
  if (!one) return undefined
  return {
    path: `/policy/${part}`,
    title: policyKinds[part as keyof typeof policyKinds],
    crumbs: [],
    body: room(
      html`<p class="dim">Версия ${one.number}, действует с ${dayText(one.dateFrom, 'UTC')}</p>${prose(asked, one.text)}`,
    ),
  }
}

function ask(asked: Asked, title: string): Html | false {
  const form = askForm(asked, { title, button: 'Отправить заявку' })
  return form && room(form)
}
