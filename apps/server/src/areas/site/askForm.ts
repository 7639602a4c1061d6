/** The form that visitors leave a request by: plain, without a script, with the consent that it is sent with. */
import { at } from './addresses.ts'
import { type Html, html, lines } from './html.ts'
import { type Making, phoneLink } from './parts.ts'

/** A field that people never see: whoever fills it is a machine. */
export const TRAP = 'topic_check'

interface AskForm {
  title: string
  text?: string
  button?: string
  /** What was written, to be shown again with what is wrong with it. */
  values?: Readonly<Record<string, string>>
  error?: string
}

export function askForm(making: Making, { title, text, button, values = {}, error }: AskForm): Html | false {
  const { place, site } = making
  const words = html`${title && html`<h2 id="ask">${title}</h2>`}${text && html`<p>${lines(text)}</p>`}`
  // Without a consent of the clinic's, or nowhere to put a request, one is asked to call.
  if (site.consent === null || !site.hasDoor) {
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
