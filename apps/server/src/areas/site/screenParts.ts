/** Parts that several pages of the site share. */

import { attachmentForm } from '#areas/attachment/index.ts'
import { at } from './addresses.ts'
import type { Asked, Screen } from './asked.ts'
import { askForm } from './askForm.ts'
import { attachForm } from './attachForm.ts'
import { findOnSite, MAX_WORDS } from './find.ts'
import { type Html, html } from './html.ts'
import { hidden, type Making, phoneLink } from './parts.ts'

export const ON_PAGE = 48

export type Show = (asked: Asked, part: string) => Promise<Screen>

export const room = (inside: Html): Html => html`<section><div class="room">${inside}</div></section>`

/** A paged list: reads one more than shown to know whether there is a next page. */
export async function list<T>(
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
export async function attach(asked: Asked): Promise<Screen> {
  const shown = asked.site.consent === null ? null : await attachmentForm(asked.db)
  return shown
    ? { path: asked.path, title: 'Прикрепление к клинике', crumbs: [], body: room(attachForm(asked, shown)) }
    : undefined
}

export async function search(asked: Asked): Promise<Screen> {
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

export function ask(asked: Asked, title: string): Html | false {
  const form = askForm(asked, { title, button: 'Отправить заявку' })
  return form && room(form)
}
