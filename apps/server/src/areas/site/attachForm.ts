/** The attachment form on the site: plain, without a script, with the required consent. */

import { attachmentDocuments } from '@ordinator/model/areas/attachment/papers'
import { bases, careTypes } from '@ordinator/model/areas/attachment/rules'
import { documentTypes } from '@ordinator/model/areas/customers/documents'
import { sexes } from '@ordinator/model/areas/staff/user'
import type { FormShown } from '#areas/attachment/index.ts'
import { at } from './addresses.ts'
import { TRAP } from './askForm.ts'
import { type Html, html, lines } from './html.ts'
import type { Making } from './parts.ts'

export function attachForm(
  { place, site }: Making,
  { text, required, papers, filials }: FormShown,
  { values = {}, error }: { values?: Readonly<Record<string, string>>; error?: string } = {},
): Html {
  const value = (name: string) => values[name] ?? ''
  const must = (name: string): Html | false => required.includes(name as 'phone') && html` required`
  const line = (name: string, label: string, more: Html | false = false, type = 'text', max = 255) =>
    html`<label>${label}<input name="${name}" type="${type}" maxlength="${max}" value="${value(name)}"${more}></label>`
  const choose = (name: string, label: string, options: Readonly<Record<string, string>>) =>
    html`<label>${label}<select name="${name}">${Object.entries(options).map(
      ([key, words]) => html`<option value="${key}"${value(name) === key && html` selected`}>${words}</option>`,
    )}</select></label>`
  const always = html` required`
  return html`${text && html`<p>${lines(text)}</p>`}${error && html`<p class="wrong" role="alert">${error}</p>`}
<form class="ask" method="post" action="${at(place, '/attachment')}" enctype="multipart/form-data" accept-charset="utf-8">
<h2>Кто прикрепляется</h2>
${line('surname', 'Фамилия', always, 'text', 64)}${line('name', 'Имя', always, 'text', 64)}${line('middleName', 'Отчество', false, 'text', 64)}
${line('birthday', 'Дата рождения', always, 'date', 10)}${choose('gender', 'Пол', sexes)}${line('citizenship', 'Гражданство', must('citizenship'), 'text', 64)}
${line('snils', 'СНИЛС', must('snils'), 'text', 20)}${line('enp', 'Номер полиса ОМС, 16 цифр', must('enp'), 'text', 24)}
${choose('documentType', 'Документ', documentTypes)}${line('documentNumber', 'Серия и номер', must('document'), 'text', 64)}${line('documentIssued', 'Кем и когда выдан', false, 'text', 500)}
<h2>Связь</h2>
${line('phone', 'Телефон', must('phone'), 'tel', 64)}${line('email', 'Электронная почта', must('email'), 'email', 254)}
<h2>Адрес</h2>
${line('registration', 'Адрес регистрации', must('registration'), 'text', 500)}${line('city', 'Город проживания', false, 'text', 128)}${line('street', 'Улица', must('actual'), 'text', 128)}${line('house', 'Дом', must('actual'), 'text', 32)}${line('flat', 'Квартира', false, 'text', 32)}
<h2>Прикрепление</h2>
${filials.length > 1 ? choose('idFilial', 'Филиал', Object.fromEntries(filials.map(({ id, name }) => [String(id), name]))) : html`<input type="hidden" name="idFilial" value="${filials[0]?.id}">`}
${choose('careType', 'Вид помощи', careTypes)}${choose('basis', 'Основание', bases)}
<label class="agree"><input type="checkbox" name="isMoved" value="1"${values.isMoved === '1' && html` checked`}><span>Я сменил место жительства за последний год</span></label>
${line('currentMo', 'Где прикреплены сейчас', must('currentMo'), 'text', 300)}
${line('representative', 'Если подаёт представитель: его фамилия, имя, кем приходится', false, 'text', 200)}${line('representativeDocument', 'Документ представителя', false, 'text', 500)}
${papers.length > 0 && html`<h2>Документы</h2><p class="dim">PDF или фотография, до 10 МБ каждый</p>${papers.map((kind) => html`<label>${attachmentDocuments[kind]}<input type="file" name="file_${kind}" accept=".pdf,.png,.jpg,.jpeg,.webp"></label>`)}`}
<div class="away" aria-hidden="true"><label>Не заполняйте<input name="${TRAP}" tabindex="-1" autocomplete="off"></label></div>
<label class="agree"><input type="checkbox" name="consent" value="${site.consent}" required><span>Я согласен на <a href="${at(place, '/policy/consent')}">обработку персональных данных</a></span></label>
<button type="submit">Отправить заявление</button></form>`
}
