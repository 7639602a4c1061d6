/**
 * Server of the public site: `/site/…` of the product, or the root of the clinic's own domain (`hosts` of the app
 * routes that name here). Plain HTML, without cookies, sessions or scripts; with an admission queue separate from the
 * staff's.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isDay } from '@ordinator/model/fields/date'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { attachmentForm, takeApplication } from '#areas/attachment/index.ts'
import { addressOf } from '#platform/address.ts'
import { createAdmission } from '#platform/admission.ts'
import { HttpError, tooMany } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import type { Size } from './addresses.ts'
import { at } from './addresses.ts'
import type { Choice } from './asked.ts'
import { askForm } from './askForm.ts'
import { attachForm } from './attachForm.ts'
import { type Cache, createCache } from './cache.ts'
import { MAX_WORDS } from './find.ts'
import { takeForm } from './forms.ts'
import { html } from './html.ts'
import { sendMedia } from './media.ts'
import type { Making } from './parts.ts'
import { numberOf, readSite, readTheme } from './reads.ts'
import { isPaged, MAX_PAGE } from './screens.ts'
import { make, placeOf, send, trouble, whole } from './servedPage.ts'

/**
 * Limits of rendering, which is the expensive part: in total, and per address. Cached pages are served outside of it,
 * as files are.
 */
const MAKING = {
  running: 4,
  waiting: 200,
  person: { running: 2, waiting: 20 },
  patienceMs: 10_000,
}
/** Limits of pictures and documents: a page requests many of them at once. */
const LOOKING = {
  running: 8,
  waiting: 400,
  person: { running: 4, waiting: 100 },
  patienceMs: 10_000,
}
const FORMS_A_MINUTE = 10
const FORM_BYTES = 16 * 1024
/** An attachment application with its files. */
const ATTACHMENT_BYTES = 65 * 1024 * 1024
const MAX_PATH = 300

export function serveSite(app: AppContext): void {
  const cache = createCache(app)
  const line = createAdmission(MAKING)
  const looking = createAdmission(LOOKING)
  app.onReady(() => followHost(app))

  const beside = { schema: { hide: true }, config: { aside: 'free', compress: false } } as const
  const page = (request: FastifyRequest, reply: FastifyReply) => answer(app, cache, line, request, reply)
  app.server.get('/site', beside, page)
  app.server.get('/site/', beside, page)
  app.server.get('/site/*', beside, page)
  app.server.get('/robots.txt', beside, (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(`User-agent: *\nAllow: /site\nDisallow: /\nSitemap: ${app.config.publicUrl}/site/sitemap.xml\n`),
  )
  app.server.get<{ Params: { id: string; size?: Size } }>('/site/media/:id', beside, (request, reply) =>
    media(app, looking, request, reply),
  )
  app.server.get<{ Params: { id: string; size?: Size } }>('/site/media/:id/:size', beside, (request, reply) =>
    media(app, looking, request, reply),
  )
  app.server.get<{ Params: { name: string } }>('/site/fonts/:name', beside, (request, reply) => {
    const font = fonts[request.params.name]
    if (!font) throw new HttpError(404, 'Шрифт не найден')
    return reply
      .type('font/woff2')
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      })
      .send(font())
  })
  app.server.post(
    '/site/forms',
    {
      schema: { hide: true },
      bodyLimit: FORM_BYTES,
      config: {
        aside: 'free',
        rateLimit: {
          max: FORMS_A_MINUTE,
          timeWindow: '1 minute',
          keyGenerator: ({ ip }: FastifyRequest) => addressOf(ip),
        },
      },
    },
    (request, reply) => form(app, request, reply),
  )
  app.server.post(
    '/site/attachment',
    {
      schema: { hide: true },
      bodyLimit: ATTACHMENT_BYTES,
      config: {
        aside: 'free',
        rateLimit: {
          max: FORMS_A_MINUTE,
          timeWindow: '1 minute',
          keyGenerator: ({ ip }: FastifyRequest) => addressOf(ip),
        },
      },
    },
    (request, reply) => attachment(app, request, reply),
  )
}

/** Routes the site's domain to the site only, without the back office. */
async function followHost(app: AppContext): Promise<void> {
  const read = async () => app.hosts.set('site', (await readTheme(app.db.kept)).host)
  await read()
  const again = () => void read().catch((error) => app.log.warn({ err: error }, 'domain of the site'))
  const stop = app.fanout.subscribe('site.host', again)
  const stopGap = app.fanout.onGap(again)
  app.onClose(() => {
    stop()
    stopGap()
  })
}

async function answer(
  app: AppContext,
  cache: Cache,
  line: ReturnType<typeof createAdmission>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const place = placeOf(app, request)
  const [whole = '', query = ''] = request.url.split('?')
  const path = readPath(whole.slice('/site'.length))
  const asked = new URLSearchParams(query)
  const number = Number(asked.get('page') ?? 1)
  const wanted = {
    path: path ?? '',
    page: isPaged(path) && Number.isInteger(number) && number > 0 && number <= MAX_PAGE ? number : 1,
    choice: path?.startsWith('/book/') ? choiceOf(asked) : {},
    words: path === '/search' ? (asked.get('q') ?? '').replaceAll('\0', '').trim().slice(0, MAX_WORDS) : '',
  }
  const key = JSON.stringify([place.base, wanted])
  // Combinations of days and doctors are unlimited in number.
  const shelf = wanted.words || Object.keys(wanted.choice).length > 0 ? 'searches' : 'pages'
  try {
    const made =
      (await cache.find(shelf, key)) ??
      (await inLine(
        line,
        addressOf(request.ip),
        async () =>
          // Another request may have rendered it during the wait.
          (await cache.find(shelf, key)) ?? cache.make(shelf, key, () => make(app, place, wanted)),
      ))
    return send(request, reply, made)
  } catch (error) {
    if (!(error instanceof HttpError)) app.log.error({ err: error, requestId: request.id }, 'page of the site')
    return trouble(app, place, request, reply, error)
  }
}

/** Parses the booking choice; invalid values are ignored. */
function choiceOf(asked: URLSearchParams): Choice {
  const [doctor, filial] = [numberOf(asked.get('doctor') ?? ''), numberOf(asked.get('filial') ?? '')]
  const from = asked.get('from') ?? ''
  return {
    ...(doctor !== null && { doctor }),
    ...(filial !== null && { filial }),
    ...(isDay(from) && { from }),
  }
}

/** The path within the site; undefined if it is invalid. */
function readPath(written: string): string | undefined {
  try {
    const path = decodeURIComponent(written).replace(/\/+$/, '') || '/'
    // A path with two slashes would be read as another site in a redirect.
    return path.length > MAX_PATH || path.includes('\0') || path.includes('//') ? undefined : path
  } catch {
    return undefined
  }
}

const inLine = <T>(line: ReturnType<typeof createAdmission>, who: string, work: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    line.enter(who, (place) => {
      if (typeof place === 'string')
        return reject(
          place === 'person'
            ? tooMany(5)
            : new HttpError(503, 'Сайт сейчас занят', { headers: { 'retry-after': '5' } }),
        )
      const begun = performance.now()
      work()
        .finally(() => place.leave(performance.now() - begun))
        .then(resolve, reject)
    })
  })

async function media(
  app: AppContext,
  line: ReturnType<typeof createAdmission>,
  request: FastifyRequest<{ Params: { id: string; size?: Size } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { id, size } = request.params
  if (!/^[1-9]\d{0,14}$/.test(id) || (size !== undefined && !['small', 'medium', 'large'].includes(size)))
    throw new HttpError(404, 'Файл не найден')
  return inLine(line, addressOf(request.ip), () =>
    sendMedia(app, request, reply, { id: Number(id), ...(size && { size }) }),
  )
}

async function form(app: AppContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const place = placeOf(app, request)
  try {
    const site = await readSite(app.db.reads)
    if (!site.theme.isActive) throw new HttpError(404, 'Форма сейчас не работает')
    const taken = await takeForm(app, site, request)
    if ('done' in taken) return reply.code(303).header('location', at(place, '/thanks')).send()
    const making: Making = { place, site }
    const made = whole(making, 422, {
      title: 'Заявка не отправлена',
      noIndex: true,
      crumbs: [],
      body: html`<section><div class="room">${askForm(making, { title: '', values: taken.values, error: taken.error })}</div></section>`,
    })
    return reply
      .code(422)
      .headers({ ...made.headers, 'cache-control': 'no-store' })
      .send(made.body)
  } catch (error) {
    if (!(error instanceof HttpError)) app.log.error({ err: error, requestId: request.id }, 'form of the site')
    return trouble(app, place, request, reply, error)
  }
}

async function attachment(app: AppContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const place = placeOf(app, request)
  try {
    const site = await readSite(app.db.reads)
    if (!site.theme.isActive) throw new HttpError(404, 'Форма сейчас не работает')
    const taken = await takeApplication(app, site.consent, request)
    const making: Making = { place, site }
    const body =
      'done' in taken
        ? html`<section><div class="room"><p role="status">Заявление принято${taken.number && html`, его номер — <strong>${taken.number}</strong>`}. Мы ответим в срок; ответ придёт на указанные телефон или почту.</p><p><a href="${at(place, '/')}">На главную</a></p></div></section>`
        : html`<section><div class="room">${attachForm(making, (await attachmentForm(app.db)) as NonNullable<Awaited<ReturnType<typeof attachmentForm>>>, taken)}</div></section>`
    const title = 'done' in taken ? 'Заявление принято' : 'Заявление не отправлено'
    const made = whole(making, 'done' in taken ? 200 : 422, { title, noIndex: true, crumbs: [], body })
    return reply
      .code(made.status)
      .headers({ ...made.headers, 'cache-control': 'no-store' })
      .send(made.body)
  } catch (error) {
    if (!(error instanceof HttpError)) app.log.error({ err: error, requestId: request.id }, 'attachment by the site')
    return trouble(app, place, request, reply, error)
  }
}

/** The product's own font, in the two alphabets of a Russian page. */
const fonts: Record<string, () => Buffer> = Object.fromEntries(
  (['latin', 'cyrillic'] as const).map((name) => [
    `${name}.woff2`,
    once(() => {
      const file = createRequire(import.meta.url).resolve(
        `@fontsource-variable/inter/files/inter-${name}-wght-normal.woff2`,
      )
      if (!existsSync(file)) throw new HttpError(404, 'Шрифт не найден')
      return readFileSync(file)
    }),
  ]),
)

function once<T>(make_: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make_() }).value
}
