/** The request form for visitors: plain, without a script, with the required consent. */
import { at } from './addresses.ts'
import { type Html, html, lines } from './html.ts'
import { type Making, phoneLink } from './parts.ts'

/** Honeypot field, invisible to people: only a bot fills it in. */
export const TRAP = 'topic_check'

interface AskForm {
  title: string
  text?: string
  button?: string
  /** Entered values, shown again with the error. */
  values?: Readonly<Record<string, string>>
  error?: string
}

export function askForm(making: Making, { title, text, button, values = {}, error }: AskForm): Html | false {
  const { place, site } = making
  const words = html`${title && html`<h2 id="ask">${title}</h2>`}${text && html`<p>${lines(text)}</p>`}`
  // Without a consent text, or an intake for requests, the form is replaced by the phone.
  if (site.consent === null || !site.hasIntake) {
    const phone = phoneLink(site.theme.phone)
    return phone && html`${words}<p>Позвоните нам: ${phone}</p>`
  }
  const value = (name: string) => values[name] ?? ''
  return html`${words}${error && html`<p class="wrong" role="alert">${error}</p>`}
<form class="ask" method="post" action="${at(place, '/forms')}" accept-charset="utf-8">
<label>Имя<input name="name" autocomplete="name" maxlength="128" value="${value('name')}"></label>
<label>Телефон<input name="phone" type="tel" autocomplete="tel" maxlength="64" required value="${value('phone')}"></label>
<label>Сообщение<textarea name="message" rows="3" maxlength="2000">${value('message')}</textarea></label>
<div class="away" aria-hidden="true"><label>Не заполняйте<input name="${TRAP}" tabindex="-1" autocomplete="off"></label></div>
<label class="agree"><input type="checkbox" name="consent" value="${site.consent}" required><span>Я согласен на <a href="${at(place, '/policy/consent')}">обработку персональных данных</a></span></label>
<button type="submit">${button || 'Отправить'}</button></form>`
}
