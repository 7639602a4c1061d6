/** Components shared by blocks and pages of the site. */
import { stockSummary, stockText } from '@ordinator/model/areas/catalogue/inStock'
import type { MembershipOffer } from '@ordinator/model/areas/memberships/offer'
import { formatFileSize, formatMoney } from '@ordinator/model/format'
import { openText, weekText } from '@ordinator/model/hours'
import { phoneText } from '@ordinator/model/phone'
import { zoneFor } from '@ordinator/model/zone'
import type { Shown } from '#areas/visits/index.ts'
import { at, type Place, previewKey, type Size, serviceAddress } from './addresses.ts'
import { cleaned, type Html, html, lines } from './html.ts'
import type { DoctorLine, DocumentLine, FilialLine, NewsLine, Price, ServiceLine, Site, Stock } from './reads.ts'

/** Context of rendering a page. */
export interface Making {
  place: Place
  site: Site
  /** For a draft: opens its pictures in the preview. */
  secret?: string
}

export const mediaAddress = ({ place, secret, site }: Making, id: number, size?: Size): string => {
  const address = at(place, `/media/${id}${size ? `/${size}` : ''}`)
  return secret === undefined ? address : `${address}?key=${previewKey(secret, id, site.today)}`
}

export const image = (
  making: Making,
  id: unknown,
  alt: unknown,
  size: Size = 'medium',
  isFirst = false,
): Html | false =>
  typeof id === 'number' &&
  html`<img src="${mediaAddress(making, id, size)}" alt="${String(alt ?? '')}" loading="${isFirst ? 'eager' : 'lazy'}" decoding="async">`

/** Stored rich text, with its pictures from public addresses. */
export const prose = (making: Making, markup: unknown): Html | false =>
  typeof markup === 'string' &&
  markup !== '' &&
  html`<div class="prose">${cleaned(
    markup.replace(/src="\/files\/(\d{1,15})(?:\/(small|medium|large))?"/g, (_whole, id: string) => {
      return `src="${mediaAddress(making, Number(id), 'large')}" loading="lazy"`
    }),
  )}</div>`

export const heading = (title: unknown, isPage = false): Html | false =>
  typeof title === 'string' && title !== '' && (isPage ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`)

/** A heading for screen readers only. */
export const hidden = (title: string): Html => html`<h2 class="away">${title}</h2>`

/** «от 1 200 ₽»: the lowest of several branches. */
export function priceText({
  prices,
  approximately,
  hidePrice,
}: Pick<ServiceLine, 'prices' | 'approximately' | 'hidePrice'>): string {
  const known = prices.flatMap(({ price }) => (price === null ? [] : [price]))
  if (hidePrice || known.length === 0) return 'Цену уточняйте'
  const [least, most] = [Math.min(...known), Math.max(...known)]
  return `${approximately || least < most ? 'от ' : ''}${formatMoney(least)}`
}

export const onePrice = (price: Price | undefined, { approximately }: Pick<ServiceLine, 'approximately'>): string =>
  price?.price === null || price === undefined ? '—' : `${approximately ? 'от ' : ''}${formatMoney(price.price)}`

/** «2 037 ₽ вместо 2 100 ₽, Первый визит: −63 ₽» */
export const costText = ({ price, fullPrice, why }: Shown): Html | false =>
  price !== null &&
  html`<span class="cost">${formatMoney(price)}</span>${
    fullPrice !== null &&
    html` <s><span class="away">Без скидок: </span>${formatMoney(fullPrice)}</s> <small>${why.join(', ')}</small>`
  }`

/** «Осталось 3», if the warehouse tracks the product. */
export const stockNote = (stock: Stock | undefined): Html | false =>
  stock !== undefined && html`<small class="stock">${stockText(stock.free)}</small>`

/** Booking address of a free time: the fragment after # stays in the browser. */
const timeAddress = ({ idService, idUser, idFilial, localDate, localStart }: FreeTime): string =>
  `/portal#book=${idService}.${idUser}.${idFilial}.${localDate}.${localStart}`

export interface FreeTime {
  idService: number
  idUser: number
  idFilial: number
  localDate: string
  localStart: string
}

/** «25 ноября, ср» */
export const bookingDay = (day: string): string =>
  new Intl.DateTimeFormat('ru', { day: 'numeric', month: 'long', weekday: 'short', timeZone: 'UTC' })
    .format(new Date(day))
    .replace(/^(\S+), (.+)$/, '$2, $1')

/** A free time: with a booking link, if online booking is enabled. */
export const timeChip = ({ site }: Making, time: FreeTime, hasDay = true): Html => {
  const { localDate, localStart } = time
  const words = html`<time datetime="${localDate}T${localStart}">${hasDay && `${bookingDay(localDate)}, `}${localStart}</time>`
  return html`<li>${site.isBooking ? html`<a rel="nofollow" href="${timeAddress(time)}">${words}</a>` : words}</li>`
}

/** By id of a service or a doctor: the first free times. */
export type FirstTimes = ReadonlyMap<number, readonly FreeTime[]>

const firstChips = (making: Making, times: readonly FreeTime[] | undefined): Html | false =>
  times !== undefined && html`<ul class="times">${times.map((time) => timeChip(making, time))}</ul>`

export const bookButton = ({ place, site }: Making, idService: number, words = 'Записаться'): Html | false =>
  site.isBooking && html`<p><a class="button" href="${at(place, `/book/${idService}`)}">${words}</a></p>`

export const serviceCards = (making: Making, services: readonly ServiceLine[], first?: FirstTimes): Html =>
  html`<ul class="cards">${services.map(
    (service) => html`<li class="card">${service.group && html`<small>${service.group}</small>`}
<h3><a href="${at(making.place, serviceAddress(service))}">${service.name}</a></h3><p class="price">${priceText(service)}</p>${
      service.stock.length > 0 && html`<p class="dim">${stockSummary(service.stock.map(({ free }) => free))}</p>`
    }${firstChips(making, first?.get(service.id))}</li>`,
  )}</ul>`

/** Types of memberships with their price and rules; bought in the portal, where it is open and sells them. */
export const membershipCards = ({ site }: Making, offers: readonly (MembershipOffer & { isOnline: boolean })[]): Html =>
  html`<ul class="cards">${offers.map(
    ({ name, price, covers, rules, isOnline }) =>
      html`<li class="card"><h3>${name}</h3><ul>${covers.map(
        (one) => html`<li>${one}</li>`,
      )}</ul><p class="dim">${lines(rules.join(' '))}</p><p class="price">${formatMoney(price)}</p>${
        isOnline && site.isPaying && html`<p><a class="button" rel="nofollow" href="/portal#memberships">Купить</a></p>`
      }</li>`,
  )}</ul>`

const letters = (fio: string): string =>
  fio
    .split(' ')
    .slice(0, 2)
    .map((name) => [...name][0] ?? '')
    .join('')

/** The photo of a doctor, or the initials without one. */
export const portrait = (
  making: Making,
  { fio, photo }: Pick<DoctorLine, 'fio' | 'photo'>,
  size?: Size,
): Html | false =>
  photo === null
    ? html`<span class="letters" aria-hidden="true">${letters(fio)}</span>`
    : html`<span class="${size ? 'portrait large' : 'portrait'}">${image(making, photo, size ? fio : '', size)}</span>`

export const doctorCards = (making: Making, doctors: readonly DoctorLine[], first?: FirstTimes): Html =>
  html`<ul class="cards">${doctors.map(
    ({ id, fio, speciality, post, photo }) => html`<li class="card">${portrait(making, { fio, photo })}
<h3><a href="${at(making.place, `/doctors/${id}`)}">${fio}</a></h3><p class="dim">${speciality || post || ''}</p>${firstChips(making, first?.get(id))}</li>`,
  )}</ul>`

export const phoneLink = (phone: string | null): Html | false =>
  phone !== null && phone !== '' && html`<a class="call" href="tel:${phone}">${phoneText(phone)}</a>`

/** The address with its city, unless the address contains it. */
export const whereText = ({ city, address }: Pick<FilialLine, 'city' | 'address'>): string =>
  [city && !address?.includes(city) ? city : '', address].filter(Boolean).join(', ')

const mapLink = ({ latitude, longitude }: FilialLine): Html | false =>
  latitude !== null &&
  longitude !== null &&
  html`<p><a href="https://yandex.ru/maps/?pt=${longitude},${latitude}&amp;z=17" rel="noopener noreferrer" target="_blank">Показать на карте</a></p>`

export const filialCards = (making: Making, filials: readonly FilialLine[], now: Date): Html =>
  html`<ul class="cards">${filials.map((filial) => {
    const zone = zoneFor(making.site.timeZone, filial.timeZone)
    return html`<li class="card">${image(making, filial.card, filial.name)}
<h3><a href="${at(making.place, `/filials/${filial.id}`)}">${filial.name}</a></h3>
<p>${whereText(filial)}</p>${phoneLink(filial.phone)}
${filial.hours && html`<p class="dim">${weekText(filial.hours)}<br>${capital(openText({ week: filial.hours, days: filial.holidays, timeZone: zone }, now).text)}</p>`}
${mapLink(filial)}</li>`
  })}</ul>`

export const capital = (text: string): string => text.charAt(0).toLocaleUpperCase('ru') + text.slice(1)

export const newsCards = (making: Making, news: readonly NewsLine[]): Html =>
  html`<ul class="cards">${news.map(
    (one) => html`<li class="card">${image(making, one.images[0], '')}
<small><time datetime="${one.date}">${dayText(one.date, making.site.timeZone)}</time></small>
<h3><a href="${at(making.place, `/news/${one.id}`)}">${cut(one.title, 160)}</a></h3></li>`,
  )}</ul>`

export const cut = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).trimEnd()}…` : text

/** «23 ноября 2026 г.» for a moment, or for a day. */
export const dayText = (value: string, timeZone: string): string =>
  new Intl.DateTimeFormat('ru', { dateStyle: 'long', timeZone: value.length === 10 ? 'UTC' : timeZone }).format(
    new Date(value),
  )

export const documentList = (making: Making, documents: readonly DocumentLine[], isOpen: boolean): Html =>
  html`<ul class="cards">${documents.map(({ title, number, date, description, idFile, extension, size }) => {
    const about = [number && `№ ${number}`, date && `от ${dayText(date, 'UTC')}`].filter(Boolean).join(' ')
    const kind = [extension?.toUpperCase(), size ? formatFileSize(size) : ''].filter(Boolean).join(', ')
    return html`<li class="card"><h3>${
      idFile === null ? title : html`<a href="${mediaAddress(making, idFile)}">${title}</a>`
    }</h3>${about && html`<small>${about}</small>`}${isOpen && description && html`<p>${lines(description)}</p>`}${
      idFile !== null && kind && html`<small>${kind}</small>`
    }</li>`
  })}</ul>`
