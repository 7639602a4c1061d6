/** Pages of one record: a service, a good, a doctor, a branch, an article, a policy. */

import { stockText } from '@ordinator/model/areas/catalogue/inStock'
import { policyKinds } from '@ordinator/model/areas/site/policy'
import { formatDay } from '@ordinator/model/format'
import { weekText } from '@ordinator/model/hours'
import { at, fullAddress, serviceAddress } from './addresses.ts'
import type { Asked, Screen } from './asked.ts'
import { bookService } from './booking.ts'
import { freeTimes } from './freeTimes.ts'
import { html, lines } from './html.ts'
import {
  bookButton,
  cut,
  dayText,
  doctorCards,
  filialCards,
  hidden,
  image,
  onePrice,
  portrait,
  priceText,
  prose,
  serviceCards,
  whereText,
} from './parts.ts'
import { numberOf, readDoctor, readFilials, readNews, readPolicy, readService, readServices } from './reads.ts'
import { ask, ON_PAGE, room, type Show } from './screenParts.ts'

export const details: Record<string, Show> = {
  services: service,
  goods: good,
  doctors: doctor,
  filials: filial,
  news: newsItem,
  policy,
  book: bookService,
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
