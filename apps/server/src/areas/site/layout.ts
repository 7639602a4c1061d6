/** Layout of every page of the site, and its content security policy. */
import { domainOf } from '@ordinator/model/areas/chats/rules'
import { policyKinds } from '@ordinator/model/areas/site/policy'
import { at, fullAddress } from './addresses.ts'
import { dataOf, type Html, hashOf, html, lines } from './html.ts'
import { type Making, mediaAddress, phoneLink } from './parts.ts'
import type { Link } from './reads.ts'
import { styleOf } from './style.ts'

export interface Sheet {
  /** Path within the site: `/services`. Undefined: no address of its own. */
  path?: string
  title: string
  description?: string | null
  noIndex?: boolean
  /** The first block shows the name already. */
  isNamed?: boolean
  crumbs?: readonly (readonly [title: string, path: string])[]
  data?: object
  body: Html
}

/** The whole page. */
export function layout(making: Making, sheet: Sheet): { html: string; policy: string } {
  const { place, site } = making
  const { theme } = site
  const style = styleOf(theme, place.base)
  const isHome = sheet.path === '/'
  const title = isHome ? sheet.title || site.name : `${sheet.title} — ${site.name}`
  const canonical = sheet.path === undefined ? undefined : fullAddress(place, sheet.path)
  const widget = making.secret === undefined ? domainOf(site.domains, new URL(place.origin).hostname) : undefined
  const made = html`<!doctype html>
<html lang="ru"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>${sheet.description && html`<meta name="description" content="${sheet.description}">`}${
    sheet.noIndex || canonical === undefined
      ? html`<meta name="robots" content="noindex">`
      : html`<link rel="canonical" href="${canonical}"><meta property="og:url" content="${canonical}">`
  }<meta property="og:title" content="${title}"><meta property="og:type" content="website"><meta property="og:locale" content="ru_RU">
<meta name="theme-color" content="${theme.background ?? '#ffffff'}"><link rel="icon" href="data:,"><style>${{ html: style }}</style>${sheet.data && dataOf(sheet.data)}</head>
<body><a class="skip" href="#main">К содержанию</a>${top(making, sheet.path)}
<main id="main">${crumbs(making, sheet)}${
    !sheet.isNamed && html`<div class="room"><section class="named"><h1>${sheet.title}</h1></section></div>`
  }${sheet.body}</main>${bottom(making)}${
    widget && html`<script async src="/live-assist/widget.js?key=${encodeURIComponent(widget.key)}"></script>`
  }</body></html>`
  return { html: made.html, policy: policyOf(style, widget !== undefined) }
}

/** No foreign content, no script but the clinic's own chat, no framing by other sites. */
const policyOf = (style: string, hasChat: boolean): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    "img-src 'self' data:",
    "font-src 'self'",
    ...(hasChat ? ["script-src 'self'", "connect-src 'self'", "frame-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

function top(making: Making, here: string | undefined): Html {
  const { place, site } = making
  const { theme } = site
  const own = ({ place: where }: Link) => where === 'menu' || where === 'both'
  const all = [
    site.has.services && (['Услуги', '/services'] as const),
    site.has.doctors && (['Врачи', '/doctors'] as const),
    site.has.goods && (['Товары', '/goods'] as const),
    site.has.memberships && (['Абонементы', '/memberships'] as const),
    (site.has.services || site.has.goods) && (['Цены', '/prices'] as const),
    site.has.filials && (['Филиалы', '/filials'] as const),
    site.has.news && (['Новости', '/news'] as const),
    ...site.links.filter(own).map(({ title, slug }) => [title, `/${slug}`] as const),
    ['Поиск', '/search'] as const,
  ].filter((one) => one !== false)
  const items = html`<ul>${all.map(
    ([title, path]) =>
      html`<li><a href="${at(place, path)}"${{ html: path === here ? ' aria-current="page"' : '' }}>${title}</a></li>`,
  )}</ul>`
  const room = site.isPortal && html`<a class="own" rel="nofollow" href="/portal">Личный кабинет</a>`
  const phone = phoneLink(theme.phone)
  return html`<header class="top"><div class="room"><a class="brand" href="${at(place, '/')}">${
    theme.idLogo !== null && html`<img src="${mediaAddress(making, theme.idLogo, 'small')}" alt="">`
  }<span>${site.name}${theme.tagline && html`<small>${theme.tagline}</small>`}</span></a>
<nav class="flat" aria-label="Разделы">${items}</nav>${(phone || room) && html`<div class="reach">${phone}${room}</div>`}${
    site.isBooking && html`<a class="button book" href="${at(place, '/book')}">Записаться</a>`
  }
<details class="menu"><summary>Меню</summary><nav aria-label="Разделы сайта">${items}${room}${phone}</nav></details></div></header>`
}

function crumbs({ place }: Making, { crumbs: way }: Sheet): Html | false {
  return (
    way !== undefined &&
    html`<nav class="crumbs room" aria-label="Где вы"><ol><li><a href="${at(place, '/')}">Главная</a></li>${way.map(
      ([title, path]) => html`<li><a href="${at(place, path)}">${title}</a></li>`,
    )}</ol></nav>`
  )
}

function bottom({ place, site }: Making): Html {
  const { theme } = site
  const own = site.links.filter(({ place: where }) => where === 'footer' || where === 'both')
  return html`<footer class="end"><div class="room"><div><p><b>${site.name}</b></p>${
    theme.footer && html`<p class="dim">${lines(theme.footer)}</p>`
  }${phoneLink(theme.phone)}</div><nav aria-label="Страницы"><ul>${site.has.documents && html`<li><a href="${at(place, '/documents')}">Документы</a></li>`}${own.map(
    ({ title, slug }) => html`<li><a href="${at(place, `/${slug}`)}">${title}</a></li>`,
  )}</ul></nav><nav aria-label="Правовое"><ul>${site.policies.map(
    ({ kind }) => html`<li><a href="${at(place, `/policy/${kind}`)}">${policyKinds[kind]}</a></li>`,
  )}</ul></nav></div></footer>`
}
