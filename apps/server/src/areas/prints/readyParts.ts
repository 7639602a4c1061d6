/** Parts that standard templates share. */
import type { PrintTemplate } from '@ordinator/model/areas/prints/printTemplate'
import type { Create } from '@ordinator/model/entity'

export type ReadyTemplate = Omit<Create<typeof PrintTemplate>, 'idSequence'> & {
  /** Code of its numbering sequence, if the clinic has it. */
  sequence?: 'contract' | 'act'
}

export const p = (...lines: string[]) => lines.map((line) => `<p>${line}</p>`).join('')
export const cell = (words: string) => `<td><p>${words}</p></td>`
export const row = (...cells: string[]) => `<tr>${cells.map(cell).join('')}</tr>`
export const heads = (...cells: string[]) => `<tr>${cells.map((words) => `<th><p>${words}</p></th>`).join('')}</tr>`
export const table = (...rows: string[]) => `<table><tbody>${rows.join('')}</tbody></table>`

/** Question and answer pairs, without lines. */
export const pairs = (...rows: string[]) => `<table data-lines="none"><tbody>${rows.join('')}</tbody></table>`

export const header = `{{ если Логотип }}<p>{{ Логотип }}</p>{{ конец }}${p(
  '<strong>{{ если Клиника }}{{ Клиника }}{{ иначе }}{{ Наша организация }}{{ конец }}</strong>{{ если Наша организация.Юридический адрес }}, {{ Наша организация.Юридический адрес }}{{ конец }}{{ если Наша организация.Телефон }}, тел. {{ Наша организация.Телефон }}{{ конец }}',
)}`
/** The full name of an organization, or the short one, which is mandatory. */
export const nameOf = (organization: string) =>
  `{{ если ${organization}.Полное название }}{{ ${organization}.Полное название }}{{ иначе }}{{ ${organization} }}{{ конец }}`
export const OURS = nameOf('Наша организация')
export const licence =
  '{{ если Наша организация.Номер лицензии }}, лицензия № {{ Наша организация.Номер лицензии }}{{ если Наша организация.Дата лицензии }} от {{ Наша организация.Дата лицензии | дата }}{{ конец }}{{ если Наша организация.Кем выдана }}, {{ Наша организация.Кем выдана }}{{ конец }}{{ конец }}'
export const document =
  '{{ Документ | или "документ" }} {{ Серия и номер | черта }}, выдан {{ Кем выдан | черта }}{{ если Дата выдачи }} {{ Дата выдачи | дата }}{{ конец }}'

export const signs = (...who: string[]) => p(...who.map((one) => `${one} ____________________`))
