/** Makes one page of the site with its head and sends it; pages for refusals and errors. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { at, locationOf, type Place } from './addresses.ts'
import type { Choice } from './asked.ts'
import { MAX_AGE_S, type Made } from './cache.ts'
import { html } from './html.ts'
import { layout, type Sheet } from './layout.ts'
import type { Making } from './parts.ts'
import { readSite } from './reads.ts'
import { screenAt } from './screens.ts'
import { sitemap, sitemapPart } from './sitemap.ts'

/** Base address of this request, and the canonical one for search engines. */
export function placeOf(app: AppContext, request: FastifyRequest): Place {
  const own = app.hosts.of('site')
  const { protocol } = new URL(app.config.publicUrl)
  return {
    base: own !== undefined && app.hosts.isOwn('site', request.headers.host) ? '' : '/site',
    origin: own === undefined ? `${app.config.publicUrl.replace(/\/$/, '')}/site` : `${protocol}//${own}`,
  }
}

export async function make(
  app: AppContext,
  place: Place,
  wanted: { path: string; page: number; words: string; choice: Choice },
): Promise<Omit<Made, 'gzipped' | 'etag'>> {
  const db = app.db.reads
  const text = (body: string, type: string, status = 200) => ({
    status,
    body: Buffer.from(body),
    headers: { 'content-type': `${type}; charset=utf-8` },
  })
  const site = await readSite(db)
  const making: Making = { place, site }
  if (!site.theme.isActive) return whole(making, 503, closed)
  const part = /^\/sitemap-([1-9]\d{0,2})\.xml$/.exec(wanted.path)?.[1]
  const map =
    wanted.path === '/sitemap.xml' ? await sitemap(db, place) : part && (await sitemapPart(db, place, Number(part)))
  if (map) return text(map, 'application/xml')
  if (wanted.path === '/robots.txt')
    return text(`User-agent: *\nAllow: /\nDisallow: /search\nSitemap: ${place.origin}/sitemap.xml\n`, 'text/plain')
  const screen =
    wanted.path === '' ? undefined : await screenAt({ ...making, db, records: app.engine.for(systemActor), ...wanted })
  if (!screen) return whole(making, 404, nothing(making))
  if ('to' in screen)
    return {
      status: 301,
      body: Buffer.from(''),
      headers: { location: locationOf(screen.to), 'content-type': 'text/plain' },
    }
  return whole(making, 200, screen)
}

export function whole(making: Making, status: number, sheet: Sheet) {
  const { html: text, policy } = layout(making, sheet)
  return {
    status,
    body: Buffer.from(text),
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  }
}

const closed: Sheet = {
  title: 'Сайт закрыт',
  noIndex: true,
  body: html`<section><div class="room"><p>Мы скоро вернёмся.</p></div></section>`,
}
const nothing = ({ place }: Making): Sheet => ({
  title: 'Такой страницы нет',
  noIndex: true,
  body: html`<section><div class="room"><p>Возможно, она переехала. Поищите её или начните с главной.</p>
<form class="find" role="search" action="${at(place, '/search')}"><input type="search" name="q" maxlength="100" aria-label="Что найти"><button type="submit">Найти</button></form>
<p><a href="${at(place, '/')}">На главную</a></p></div></section>`,
})

export function send(request: FastifyRequest, reply: FastifyReply, made: Made): FastifyReply {
  reply
    .code(made.status)
    .headers({
      ...made.headers,
      etag: made.etag,
      vary: 'accept-encoding',
      'cache-control': made.status < 400 ? `public, max-age=${MAX_AGE_S}` : 'no-store',
    })
    .removeHeader('x-frame-options')
    .header('x-frame-options', 'DENY')
  if (made.status === 200 && request.headers['if-none-match']?.includes(made.etag)) return reply.code(304).send()
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')) || made.body.length === 0)
    return reply.send(made.body)
  return reply.header('content-encoding', 'gzip').send(made.gzipped)
}

/** An error page in the clinic's layout if possible, without details of the error. */
export async function trouble(
  app: AppContext,
  place: Place,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<FastifyReply> {
  const known = error instanceof HttpError ? error : undefined
  const status = known?.status ?? 500
  const message = known?.message ?? 'Мы уже знаем об этом. Попробуйте ещё раз через минуту.'
  if (known?.headers) reply.headers(known.headers)
  // Rejected requests must cost nothing.
  if (status === 429 || status >= 500) return sendBusy(reply.code(status), message)
  const sheet: Sheet = {
    title: status === 404 ? 'Такой страницы нет' : 'Не получилось',
    noIndex: true,
    body: html`<section><div class="room"><p>${message}</p></div></section>`,
  }
  try {
    const { html: text, policy } = layout({ place, site: await readSite(app.db.reads) }, sheet)
    return reply
      .code(status)
      .headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(text)
  } catch {
    app.log.warn({ requestId: request.id }, 'the site has no frame for its trouble')
    return reply.code(status).type('text/plain; charset=utf-8').send(message)
  }
}

/** A standalone page without the clinic's layout: needs no database. */
const sendBusy = (reply: FastifyReply, message: string): FastifyReply =>
  reply
    .headers({ 'content-security-policy': "default-src 'none'; frame-ancestors 'none'", 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(
      html`<!doctype html><html lang="ru"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>Не получилось</title></head><body><h1>Не получилось</h1><p>${message}</p></body></html>`
        .html,
    )
