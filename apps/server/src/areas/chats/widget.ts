/** The visitor's widget: a small script for the clinic's sites, the panel that it opens in a frame, and a test page. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chatCalls } from '@ordinator/model/areas/chats/calls'
import type { FastifyReply } from 'fastify'
import sql from 'sql-template-tag'
import { HttpError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'

const read = (name: string): string => readFileSync(join(import.meta.dirname, 'widget', name), 'utf8')

export const LOADER = read('loader.js')
export const PANEL = read('panel.js')

const STYLE = `
:root{color-scheme:light dark;--text:#1f2933;--dim:#5c6670;--line:#868e96;--soft:#eef2f4;--page:#fff;--accent:#0b7285;--on:#fff;--head:#0b7285;--mine:#d3f0f4;--wrong:#c92a2a}
@media (prefers-color-scheme:dark){:root{--text:#e6e9ec;--dim:#a6afb8;--line:#707a85;--soft:#262b30;--page:#1a1d21;--accent:#22b8cf;--on:#0b1215;--head:#0f4753;--mine:#12383f;--wrong:#ff8787}}
*{box-sizing:border-box}
[hidden]{display:none!important}
html,body{height:100%}
body{margin:0;display:flex;flex-direction:column;background:var(--page);color:var(--text);font:15px/1.4 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header{display:flex;align-items:center;gap:8px;padding:12px 16px;background:var(--head);color:#fff}
h1{flex:1;margin:0;font-size:17px}
p{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}
#log{flex:1;min-height:0;overflow-y:auto;padding:12px 16px;display:flex;flex-direction:column;gap:8px}
#log:has(~#start:not([hidden])){flex:0 1 auto;min-height:96px}
#greeting{padding:10px 12px;background:var(--soft);border-radius:12px}
#opens,.system,time,small,#typing{color:var(--dim);font-size:13px}
.system{align-self:center}
.bubble{align-self:flex-start;max-width:85%;padding:8px 12px;background:var(--soft);border-radius:12px 12px 12px 4px}
.bubble.mine{align-self:flex-end;background:var(--mine);border-radius:12px 12px 4px}
.bubble b{display:block;font-size:13px}
.bubble time{display:block;text-align:end}
.going{opacity:.7}
.failed{opacity:1;outline:1px solid var(--wrong)}
#status{min-height:0;padding:0 16px;color:var(--wrong);font-size:13px}
#typing{padding:0 16px}
form{padding:12px 16px;border-top:1px solid var(--soft)}
#start{flex:0 1 auto;min-height:0;overflow-y:auto}
#form{display:flex;gap:8px;align-items:flex-end}
label{display:block;margin-bottom:8px}
input:not([type=checkbox]):not([type=file]),textarea{display:block;width:100%;margin-top:2px;padding:8px 10px;border:1px solid var(--line);border-radius:8px;background:transparent;color:inherit;font:inherit;resize:none}
#form textarea{flex:1;min-width:0;margin:0}
::placeholder{color:var(--dim);opacity:1}
.agree{display:flex;gap:8px;align-items:flex-start;font-size:13px}
.agree input{flex:none;width:18px;height:18px;margin:1px 0 0;accent-color:var(--accent)}
button,.pick{padding:8px 14px;border:0;border-radius:8px;background:var(--accent);color:var(--on);font:inherit;font-weight:600;cursor:pointer}
header button{background:transparent;color:inherit}
.pick{position:relative;margin:0;background:var(--soft);color:inherit}
.icon{display:flex;flex:none;align-items:center;justify-content:center;width:44px;height:44px;padding:0}
.icon svg{width:22px;height:22px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.slash{display:none}.off .slash{display:inline}
.pick input{position:absolute;width:1px;height:1px;opacity:0}
.pick:focus-within,button:focus-visible,input:focus-visible,textarea:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
header button:focus-visible{outline-color:#fff}
audio{display:block;width:240px;max-width:100%;height:40px}.file,.again{display:block;padding:2px 0;background:none;color:var(--accent);text-align:start;text-decoration:underline}
#rate{display:flex;flex-wrap:wrap;gap:6px;align-items:center;padding:8px 16px}
button:disabled{opacity:.6}
`

const picture = (path: string, slash = ''): string =>
  `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/>${slash && `<path class="slash" d="${slash}"/>`}</svg>`
const CLIP = picture('M15 7l-6.5 6.5a1.5 1.5 0 0 0 3 3L18 10a3 3 0 0 0-6-6l-6.500 6.500a4.500 4.500 0 0 0 9 9L21 13')
const BELL = picture(
  'M10 5a2 2 0 1 1 4 0a7 7 0 0 1 4 6v3a4 4 0 0 0 2 3H4a4 4 0 0 0 2-3v-3a7 7 0 0 1 4-6M9 17v1a3 3 0 0 0 6 0v-1',
  'M3 3l18 18',
)
const SEND = picture('M12 19V5m-6 6 6-6 6 6')

export const PAGE = `<!doctype html>
<html lang="ru"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>Чат с клиникой</title><style>${STYLE}</style></head>
<body><header><h1>Чат с клиникой</h1><button type="button" class="icon" id="sound">${BELL}</button><button type="button" class="icon" id="close" aria-label="Закрыть чат">✕</button></header>
<div id="log" role="log" aria-live="polite" aria-label="Сообщения" tabindex="0"><p id="greeting"></p><p id="opens"></p></div>
<p id="typing" hidden>Оператор печатает…</p>
<p id="status" role="status"></p>
<div id="rate" hidden><span>Оцените разговор:</span>${[1, 2, 3, 4, 5].map((n) => `<button type="button" value="${n}" aria-label="Оценка ${n} из 5">${n}</button>`).join('')}</div>
<form id="start" hidden novalidate><label>Имя<input id="name" autocomplete="name" maxlength="128"></label>
<label>Телефон<input id="phone" type="tel" autocomplete="tel" maxlength="64"></label>
<label>Вопрос<textarea id="first" rows="2" maxlength="4096" required></textarea></label>
<label class="agree"><input id="agree" type="checkbox"><span id="agreement"></span></label>
<button id="go">Отправить</button></form>
<form id="form" hidden><label class="pick icon" title="Приложить файл">${CLIP}<input id="file" type="file" aria-label="Приложить файл" accept=".jpg,.jpeg,.png,.webp,.gif,.pdf,.docx,.ogg"></label>
<textarea id="words" rows="2" maxlength="4096" aria-label="Сообщение" placeholder="Сообщение"></textarea><button class="icon" aria-label="Отправить" title="Отправить">${SEND}</button></form>
<script src="/live-assist/panel-script"></script></body></html>`

const DEMO_STYLE = `
body{margin:0;font:17px/1.6 Georgia,serif;color:#243b2f;background:#f7f5ef}
header,main{max-width:760px;margin:0 auto;padding:32px 20px}
h1{font-size:40px;line-height:1.15;margin:0 0 12px}
button{background:red;width:100%}
`

/** @param language of the page, used by the chat too */
const demoPage = (key: string, language: 'ru' | 'en'): string => `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>Сайт клиники</title><style>${DEMO_STYLE}</style></head>
<body><header><h1>Клиника рядом с домом</h1><p>Так чат выглядит на вашем сайте: кнопка справа внизу.</p></header>
<main><h2>Приём взрослых и детей</h2><p>Терапевт, невролог, кардиолог, педиатр, УЗИ и анализы — каждый день, кроме воскресенья.</p></main>
<script async src="/live-assist/widget.js?key=${encodeURIComponent(key)}"></script></body></html>`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const sendScript = (reply: FastifyReply, text: string): FastifyReply =>
  reply
    .headers({ 'cross-origin-resource-policy': 'cross-origin', 'cache-control': 'public, max-age=300' })
    .type('text/javascript; charset=utf-8')
    .send(text)

const loader = operation(chatCalls.widget, ({ reply }) => sendScript(reply, LOADER))
const panelScript = operation(chatCalls.panelScript, ({ reply }) => sendScript(reply, PANEL))

/** The panel may be framed only by the clinic's own sites. */
const panel = operation(chatCalls.panel, async ({ app, reply }) => {
  const sites = await app.db.query<{ name: string }>(
    sql`select "name" from live_assist_domains where "active" and not "deleted" order by "id" limit 100`,
  )
  const hosts = sites.flatMap(({ name }) => {
    const ascii = URL.canParse(`https://${name}`) ? new URL(`https://${name}`).hostname : ''
    return ascii ? [ascii, `*.${ascii}`] : []
  })
  return reply
    .removeHeader('x-frame-options')
    .headers({
      'content-security-policy': [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        'media-src blob:',
        `style-src ${hashOf(STYLE)}`,
        "form-action 'none'",
        "base-uri 'none'",
        `frame-ancestors ${["'self'", ...hosts].join(' ')}`,
      ].join('; '),
      'cross-origin-resource-policy': 'cross-origin',
    })
    .type('text/html; charset=utf-8')
    .send(PAGE)
})

const demoSite = operation(chatCalls.demoSite, async ({ app, query, reply }) => {
  const site = await app.db.one<{ key: string }>(
    sql`select "key" from live_assist_domains where "active" and not "deleted" order by "id" limit 1`,
  )
  if (!site) throw new HttpError(404, 'Сначала добавьте сайт в «Карте доменов»')
  return reply
    .header(
      'content-security-policy',
      `default-src 'none'; script-src 'self'; frame-src 'self'; style-src ${hashOf(DEMO_STYLE)}; base-uri 'none'`,
    )
    .type('text/html; charset=utf-8')
    .send(demoPage(site.key, query.lang))
})

export const widgetCalls = [loader, panelScript, panel, demoSite]
