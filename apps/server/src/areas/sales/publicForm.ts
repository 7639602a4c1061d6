/** The page of a public form: plain HTML with its own styles and without scripts, for a frame on another site. */

import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { escaped } from '#records/sanitize.ts'

const STYLE = `
:root{color-scheme:light dark;--text:#1f2933;--dim:#5c6670;--line:#868e96;--page:#fff;--accent:#0b7285;--on:#fff;--wrong:#c92a2a}
@media (prefers-color-scheme:dark){:root{--text:#e6e9ec;--dim:#a6afb8;--line:#707a85;--page:#1a1d21;--accent:#22b8cf;--on:#0b1215;--wrong:#ff8787}}
*{box-sizing:border-box}
body{margin:0;padding:16px;background:var(--page);color:var(--text);font:15px/1.4 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:440px;margin:0 auto}
h1{font-size:20px;line-height:1.25;margin:0 0 12px}
p{margin:0 0 12px}
label{display:block;margin:0 0 12px;font-weight:500}
input,textarea{display:block;width:100%;margin-top:4px;padding:9px 10px;border:1px solid var(--line);border-radius:6px;background:transparent;color:inherit;font:inherit}
input:focus-visible,textarea:focus-visible,button:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
button{width:100%;padding:10px;border:0;border-radius:6px;background:var(--accent);color:var(--on);font:inherit;font-weight:600;cursor:pointer}
small{display:block;margin-top:12px;color:var(--dim);font-size:13px}
.wrong{color:var(--wrong)}
.away{position:absolute;left:-9999px;width:1px;height:1px;overflow:hidden}
`

/** Honeypot field, invisible to people: only a bot fills it in. */
export const TRAP = 'topic_check'

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  // The page is meant to be framed by other sites.
  'frame-ancestors *',
].join('; ')

export interface FormPage {
  key: string
  title: string
  /** Entered values, shown again; and hidden values (page, utm_*). */
  values?: Readonly<Record<string, string>>
  hidden?: Readonly<Record<string, string>>
  error?: string
}

export function formPage({ key, title, values = {}, hidden = {}, error }: FormPage): string {
  const value = (name: string) => escaped(values[name] ?? '')
  const wrong = error ? `<p class="wrong" role="alert">${escaped(error)}</p>` : ''
  const unseen = Object.entries(hidden)
    .map(([name, text]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(text)}">`)
    .join('')
  return page(
    title,
    `<h1>${escaped(title)}</h1>${wrong}
<form method="post" action="/intake/${encodeURIComponent(key)}" accept-charset="utf-8">
<label>Имя<input name="name" autocomplete="name" maxlength="255" value="${value('name')}"></label>
<label>Телефон<input name="phone" type="tel" autocomplete="tel" maxlength="64" value="${value('phone')}"></label>
<label>Электронная почта<input name="email" type="email" autocomplete="email" maxlength="254" value="${value('email')}"></label>
<label>Сообщение<textarea name="message" rows="4" maxlength="5000">${value('message')}</textarea></label>
<div class="away" aria-hidden="true"><label>Не заполняйте<input name="${TRAP}" tabindex="-1" autocomplete="off"></label></div>
${unseen}<button type="submit">Отправить</button>
<small>Укажите телефон или почту, чтобы мы могли ответить. Отправляя заявку, вы соглашаетесь на обработку персональных данных.</small>
</form>`,
  )
}

export const thanksPage = (title: string, thanks: string): string =>
  page(title, `<h1>${escaped(title)}</h1><p role="status">${escaped(thanks).replace(/\n/g, '<br>')}</p>`)

/** Sends a page that any site may frame and that loads nothing. */
export const sendPage = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .removeHeader('x-frame-options')
    .headers({ 'content-security-policy': POLICY, 'cross-origin-resource-policy': 'cross-origin' })
    .type('text/html; charset=utf-8')
    .send(html)

const page = (title: string, body: string): string => `<!doctype html>
<html lang="ru"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><main>${body}</main></body></html>`
