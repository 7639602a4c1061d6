/** Rendering of each block type for visitors. Reads the clinic's records that a block needs, up to its limit. */
import { type Block, type BlockKind, blockTypes } from '@ordinator/model/areas/site/blocks'
import type { DocumentKind } from '@ordinator/model/areas/site/documentKinds'
import { readOffers } from '#areas/memberships/index.ts'
import type { Queryable } from '#platform/db.ts'
import { at, safeAddress, serviceAddress } from './addresses.ts'
import { askForm } from './askForm.ts'
import { dataOf, type Html, html, lines } from './html.ts'
import {
  dayText,
  doctorCards,
  documentList,
  filialCards,
  heading,
  hidden,
  image,
  type Making,
  membershipCards,
  newsCards,
  onePrice,
  priceText,
  prose,
  serviceCards,
  stockNote,
} from './parts.ts'
import {
  readDoctors,
  readDocuments,
  readFilials,
  readNews,
  readServices,
  type ServiceLine,
  type Site,
} from './reads.ts'

interface Drawing extends Making {
  db: Queryable
  block: Block
  values: Record<string, unknown>
  /** Non-empty rows, up to the block's limit. */
  rows: Record<string, unknown>[]
  /** The first block of a page without a name: its title names the page. */
  isFirst: boolean
  now: Date
}
type Draw = (drawing: Drawing) => Promise<Html | false> | Html | false

const MAX_PRICES = 400
/** Blocks whose items have headings of their own. */
const listed: ReadonlySet<BlockKind> = new Set([
  'services',
  'doctors',
  'prices',
  'memberships',
  'promotions',
  'news',
  'filials',
  'files',
])
const idsOf = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : [])
const limitOf = (value: unknown): number => (typeof value === 'number' ? Math.min(24, Math.max(1, value)) : 24)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const draws: Record<BlockKind, Draw> = {
  banner: (making) => {
    const { values, isFirst, place } = making
    const picture = image(making, values.file, values.alt, 'medium', isFirst)
    return html`<div class="hero${picture ? ' two' : ''}"><div>${heading(values.title, isFirst)}${
      text(values.text) && html`<p>${lines(text(values.text))}</p>`
    }${
      text(values.button) &&
      text(values.link) &&
      html`<a class="button" href="${safeAddress(place, text(values.link))}">${text(values.button)}</a>`
    }</div>${picture}</div>`
  },
  text: (making) => html`${heading(making.values.title)}${prose(making, making.values.text)}`,
  picture: (making) => {
    const { values } = making
    const picture = image(making, values.file, values.alt, 'large')
    return (
      picture &&
      html`<figure class="pic">${picture}${text(values.caption) && html`<figcaption>${text(values.caption)}</figcaption>`}</figure>`
    )
  },
  gallery: (making) => {
    const pictures = making.rows.flatMap((row) => image(making, row.file, row.alt) || [])
    return (
      pictures.length > 0 &&
      html`${heading(making.values.title)}<ul class="gallery">${pictures.map((one) => html`<li>${one}</li>`)}</ul>`
    )
  },
  services: async (making) => {
    const { db, values, place } = making
    const services = await readServices(db, { groups: idsOf(values.groups), limit: limitOf(values.limit) })
    return (
      services.length > 0 &&
      html`${heading(values.title)}${serviceCards(making, services)}<p class="more"><a href="${at(place, '/services')}">Все услуги</a></p>`
    )
  },
  doctors: async (making) => {
    const { db, values, place } = making
    const doctors = await readDoctors(db, { specialities: idsOf(values.specialities), limit: limitOf(values.limit) })
    return (
      doctors.length > 0 &&
      html`${heading(values.title)}${doctorCards(making, doctors)}<p class="more"><a href="${at(place, '/doctors')}">Все врачи</a></p>`
    )
  },
  prices: async ({ db, values, place }) => {
    const services = await readServices(db, { of: 'all', groups: idsOf(values.groups), limit: MAX_PRICES })
    const only = typeof values.idFilial === 'number' ? values.idFilial : undefined
    return services.length > 0 && html`${heading(values.title)}${priceTable(place, services, only)}`
  },
  memberships: async (making) => {
    const offers = await readOffers(making.db, { where: 'site', limit: limitOf(making.values.limit) })
    return offers.length > 0 && html`${heading(making.values.title)}${membershipCards(making, offers)}`
  },
  promotions: ({ values, rows, site, place }) => {
    const now = rows.filter(({ until }) => typeof until !== 'string' || until >= site.today)
    return (
      now.length > 0 &&
      html`${heading(values.title)}<ul class="cards">${now
        .slice(0, limitOf(values.limit))
        .map(
          (row) =>
            html`<li class="card"><h3>${
              text(row.link)
                ? html`<a href="${safeAddress(place, text(row.link))}">${text(row.title)}</a>`
                : text(row.title)
            }</h3>${text(row.text) && html`<p>${lines(text(row.text))}</p>`}${
              typeof row.until === 'string' && html`<small>До ${dayText(row.until, 'UTC')}</small>`
            }</li>`,
        )}</ul>`
    )
  },
  news: async (making) => {
    const { db, values, place } = making
    const news = await readNews(db, { limit: limitOf(values.limit) })
    return (
      news.length > 0 &&
      html`${heading(values.title)}${newsCards(making, news)}<p class="more"><a href="${at(place, '/news')}">Все новости</a></p>`
    )
  },
  reviews: ({ values, rows }) =>
    rows.length > 0 &&
    html`${heading(values.title)}<ul class="cards">${rows
      .slice(0, limitOf(values.limit))
      .map(
        (row) =>
          html`<li class="card">${
            typeof row.mark === 'number' &&
            html`<span class="stars" role="img" aria-label="Оценка ${row.mark} из 5">${'★'.repeat(row.mark)}${'☆'.repeat(5 - row.mark)}</span>`
          }<blockquote>${lines(text(row.text))}</blockquote><small>${text(row.author)}${
            typeof row.day === 'string' && html`, ${dayText(row.day, 'UTC')}`
          }</small></li>`,
      )}</ul>`,
  filials: async (making) => {
    const { db, values, now } = making
    const filials = await readFilials(db, limitOf(values.limit))
    return filials.length > 0 && html`${heading(values.title)}${filialCards(making, filials, now)}`
  },
  faq: (making) => {
    const { values, rows } = making
    const shown = rows.slice(0, limitOf(values.limit))
    return (
      shown.length > 0 &&
      html`${heading(values.title)}${shown.map(
        (row) => html`<details><summary>${text(row.question)}</summary>${prose(making, row.answer)}</details>`,
      )}${dataOf({
        '@context': 'https://schema.org',
        '@type': 'FAQPage',
        mainEntity: shown.map((row) => ({
          '@type': 'Question',
          name: text(row.question),
          acceptedAnswer: { '@type': 'Answer', text: text(row.answer) },
        })),
      })}`
    )
  },
  form: (making) =>
    askForm(making, {
      title: text(making.values.title),
      text: text(making.values.text),
      button: text(making.values.button),
    }),
  files: async (making) => {
    const { db, values } = making
    const documents = await readDocuments(db, values.kind as DocumentKind | null)
    return (
      documents.length > 0 && html`${heading(values.title)}${documentList(making, documents, values.isOpen === true)}`
    )
  },
}

/** Services and goods by group, with a column per branch. */
export function priceTable(place: Making['place'], services: readonly ServiceLine[], only?: number): Html {
  const filials = new Map(
    services.flatMap(({ prices }) => prices.map(({ idFilial, filial }) => [idFilial, filial] as const)),
  )
  const columns = [...filials].filter(([id]) => only === undefined || id === only)
  const groups = Map.groupBy(services, ({ group, isGood }) => group ?? (isGood ? 'Прочие товары' : 'Прочее'))
  return html`${[...groups].map(
    ([group, inside]) =>
      html`<h3>${group}</h3><div class="wide" tabindex="0" role="region" aria-label="Цены: ${group}"><table><thead><tr><th scope="col">${inside.every(({ isGood }) => isGood) ? 'Товар' : 'Услуга'}</th>${columns.map(
        ([, name]) => html`<th scope="col" class="num">${columns.length > 1 ? name : 'Цена'}</th>`,
      )}</tr></thead><tbody>${inside.map(
        (service) =>
          html`<tr><td><a href="${at(place, serviceAddress(service))}">${service.name}</a></td>${
            columns.length === 0 || (service.hidePrice && service.stock.length === 0)
              ? html`<td class="num" colspan="${Math.max(1, columns.length)}">${priceText(service)}</td>`
              : columns.map(
                  ([id]) =>
                    html`<td class="num">${
                      service.hidePrice
                        ? priceText(service)
                        : onePrice(
                            service.prices.find(({ idFilial }) => idFilial === id),
                            service,
                          )
                    }${stockNote(service.stock.find(({ idFilial }) => idFilial === id))}</td>`,
                )
          }</tr>`,
      )}</tbody></table></div>`,
  )}`
}

/** Renders the blocks of a page in order; an empty one leaves no gap. */
export async function drawBlocks(
  db: Queryable,
  making: Making & { site: Site },
  blocks: readonly Block[],
  hasName: boolean,
): Promise<Html> {
  const drawn: Html[] = []
  const now = new Date()
  for (const block of blocks.filter(({ isOff }) => !isOff)) {
    const { values, rows = [] } = block
    const isFirst = !hasName && drawn.length === 0
    const made = await draws[block.type]({ ...making, db, block, values, rows, isFirst, now })
    if (!made) continue
    // Names of cards need a heading above them, visible or only for screen readers.
    const unseen = listed.has(block.type) && text(values.title) === '' && hidden(blockTypes[block.type].label)
    drawn.push(html`<section><div class="room">${unseen}${made}</div></section>`)
  }
  return html`${drawn}`
}
