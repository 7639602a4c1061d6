/**
 * Booking on the site, without a script: service, then doctor and time. A time links to the patients' portal, which
 * holds it and continues the booking.
 */
import { plusDays } from '@ordinator/model/zone'
import { estimateEach, onlineDays, onlineTimes } from '#areas/visits/index.ts'
import { at, serviceAddress } from './addresses.ts'
import type { Asked, Screen } from './asked.ts'
import { type Html, html } from './html.ts'
import { bookingDay, costText, hidden, phoneLink, priceText, timeChip } from './parts.ts'
import { numberOf, readDoctors, readFilials, readService, readServices } from './reads.ts'

const MOST_SERVICES = 300
/** Limits: days and times per page, and branches to choose from. */
const DAYS = 14
const MOST_TIMES = 160
const MOST_FILIALS = 100

const room = (inside: Html): Html => html`<section><div class="room">${inside}</div></section>`

const closed = ({ site }: Asked): Html =>
  room(
    html`<p>Онлайн-запись сейчас закрыта.${site.theme.phone && html` Позвоните нам: ${phoneLink(site.theme.phone)}`}</p>`,
  )

/** First page: choice of a service. */
export async function bookHome(asked: Asked): Promise<Screen> {
  const { db, place, site } = asked
  const sheet = { path: '/book', title: 'Запись на приём', crumbs: [] }
  if (!site.isBooking) return { ...sheet, noIndex: true, body: closed(asked) }
  const services = await readServices(db, { limit: MOST_SERVICES })
  const groups = Map.groupBy(services, ({ group }) => group ?? 'Услуги')
  const body = services.length
    ? html`${room(html`<p>Выберите услугу${site.has.doctors && html` или <a href="${at(place, '/doctors')}">врача</a>`}: дальше — свободное время.</p>`)}${[
        ...groups,
      ].map(([group, inside]) =>
        room(
          html`<h2>${group}</h2><ul class="cards">${inside.map(
            (one) =>
              html`<li class="card"><h3><a href="${at(place, `/book/${one.id}`)}">${one.name}</a></h3><p class="price">${priceText(one)}</p></li>`,
          )}</ul>`,
        ),
      )}`
    : room(html`<p>Здесь пока ничего нет.</p>`)
  return { ...sheet, body }
}

/** Choice of doctor, branch and time for a service. */
export async function bookService(asked: Asked, part: string): Promise<Screen> {
  const { db, place, choice } = asked
  const service = numberOf(part) === null ? undefined : await readService(db, part)
  if (!service || String(service.id) !== part) return undefined
  const sheet = {
    path: `/book/${service.id}`,
    title: `Запись: ${service.name}`,
    noIndex: true,
    crumbs: [['Запись на приём', '/book'] as const],
  }
  if (!asked.site.isBooking) return { ...sheet, body: closed(asked) }
  const { first, last } = await onlineDays(db)
  const from = choice.from !== undefined && choice.from > first && choice.from <= last ? choice.from : first
  const [filials, times] = await Promise.all([
    readFilials(db, MOST_FILIALS),
    onlineTimes(db, {
      idServices: [service.id],
      ...(choice.doctor !== undefined && { idUser: choice.doctor }),
      ...(choice.filial !== undefined && { idFilial: choice.filial }),
      from,
      to: plusDays(from, DAYS - 1),
      limit: MOST_TIMES,
    }),
  ])
  const doctor = service.doctors.find(({ id }) => id === choice.doctor) ?? (await doctorOf(asked))
  const words = { doctor: doctor?.fio, price: priceText(service) }
  // The rest of a day that did not fit is on the next page.
  const isFull = times.length === MOST_TIMES
  // The visitor is unknown: the price is that of a new patient, equal to the portal's.
  const costs = service.hidePrice
    ? []
    : await estimateEach(asked.records, db, { idCustomer: null, idServices: [service.id] }, times)
  const priced = times.map((slot, at) => ({
    ...slot,
    cost: costs[at] ?? { price: null, fullPrice: null, why: [] },
  }))
  const isCut = costs.some(({ fullPrice }) => fullPrice !== null)
  const days = [...Map.groupBy(priced, ({ localDate }) => localDate)]
  const shown = isFull && days.length > 1 ? days.slice(0, -1) : days
  const next = isFull ? (days.at(-1)?.[0] as string) : plusDays(from, DAYS)
  const named = new Map(filials.map(({ id, name }) => [id, name]))
  const link = (day: string): string => {
    const query = new URLSearchParams({
      ...(choice.doctor !== undefined && { doctor: String(choice.doctor) }),
      ...(choice.filial !== undefined && { filial: String(choice.filial) }),
      from: day,
    })
    return at(place, `/book/${service.id}?${query}`)
  }
  const body = html`${room(html`<p>${[words.doctor, words.price].filter(Boolean).join(', ')}. <a href="${at(place, serviceAddress(service))}">Об услуге</a></p>${
    isCut &&
    html`<p class="dim">У времени стоит цена для новых пациентов со скидками, которые подействуют. Свою цену вы увидите, когда войдёте.</p>`
  }
${chooser(asked, service.id, { doctors: service.doctors, filials, doctor: choice.doctor, filial: choice.filial })}`)}
${
  shown.length > 0
    ? shown.map(([day, inside]) =>
        room(
          html`<h2>${bookingDay(day)}</h2>${[
            ...Map.groupBy(inside, ({ idUser, idFilial, cost }) => JSON.stringify([idUser, idFilial, cost])).values(),
          ].map((own) => {
            const [{ userName, idFilial, cost }] = own as [(typeof own)[number]]
            const where = filials.length > 1 ? named.get(idFilial) : undefined
            const price = costText(cost)
            return html`<h3>${[userName, where].filter(Boolean).join(', ')}</h3>${price && html`<p class="offer">${price}</p>`}<ul class="times">${own.map(
              (slot) => timeChip(asked, { ...slot, idService: service.id }, false),
            )}</ul>`
          })}`,
        ),
      )
    : room(html`${hidden('Свободное время')}<p>С ${bookingDay(from)} свободного времени на две недели вперёд нет.</p>`)
}
${room(
  html`<nav aria-label="Листать"><ul class="pages">${from > first && html`<li><a rel="nofollow" href="${at(place, `/book/${service.id}`)}">С ближайшего дня</a></li>`}${
    next <= last && html`<li><a rel="nofollow" href="${link(next)}">Позже</a></li>`
  }</ul></nav><p class="dim">Время держится за вами, пока вы записываетесь. Дальше понадобится телефон: на него придёт код.</p>`,
)}`
  return { ...sheet, body }
}

/** A doctor who is not listed on the card of the service. */
async function doctorOf({ db, choice }: Asked) {
  if (choice.doctor === undefined) return undefined
  const [one] = await readDoctors(db, { id: choice.doctor, limit: 1 })
  return one
}

interface Choices {
  doctors: readonly { id: number; fio: string }[]
  filials: readonly { id: number; name: string }[]
  doctor: number | undefined
  filial: number | undefined
}

/** Choice of doctor and branch: a form without a script. */
function chooser({ place }: Asked, idService: number, { doctors, filials, doctor, filial }: Choices): Html | false {
  if (doctors.length < 2 && filials.length < 2) return false
  const select = (
    name: string,
    label: string,
    all: string,
    options: readonly { id: number; name: string }[],
    chosen?: number,
  ) =>
    options.length > 1 &&
    html`<label>${label}<select name="${name}"><option value="">${all}</option>${options.map(
      (one) => html`<option value="${one.id}"${{ html: one.id === chosen ? ' selected' : '' }}>${one.name}</option>`,
    )}</select></label>`
  return html`<form class="choose" action="${at(place, `/book/${idService}`)}">${select(
    'doctor',
    'Врач',
    'Любой врач',
    doctors.map(({ id, fio }) => ({ id, name: fio })),
    doctor,
  )}${select('filial', 'Филиал', 'Любой филиал', filials, filial)}<button type="submit">Показать время</button></form>`
}
