/** Type of a starter kit. Prices are set by the clinic and not included. */
import type { ConsentType } from '@ordinator/model/areas/consents/consent'
import type { ExaminationForm } from '@ordinator/model/areas/examinations/form'

/** Name, minutes of a visit, code of order 804н if confirmed by a source in this repository's references. */
export type KitService = readonly [name: string, minutes: number, code?: string]

export interface KitGroup {
  name: string
  color: string
  type: 'Приём врача' | 'Исследование' | 'Анализ' | 'Процедура' | 'Операция'
  /** Specialities that perform the group; empty: any doctor. */
  specialities: readonly string[]
  services: readonly KitService[]
}

export interface KitConsent {
  name: string
  type: ConsentType
  months: number
  purpose: string
  text: string
}

export interface Kit {
  /** Prefix of the clinic's own service codes. */
  prefix: string
  groups: readonly KitGroup[]
  /** Names of the standard examination forms (`readyForms`). */
  examinations: readonly string[]
  /** Forms that only this kit has. */
  forms?: readonly { name: string; speciality: string; form: ExaminationForm }[]
  consents: readonly KitConsent[]
}

/** A first and a repeated visit to a doctor. */
export const visits = (doctor: string, first = 30, again = 20): readonly KitService[] => [
  [`Приём (осмотр, консультация) ${doctor} первичный`, first],
  [`Приём (осмотр, консультация) ${doctor} повторный`, again],
]

const p = (...lines: string[]) => lines.map((line) => `<p>${line}</p>`).join('')

/** A consent to an intervention, by article 20 of 323-ФЗ: its purpose, its risks, and the right to refuse. */
export const intervention = (name: string, purpose: string, risks: string): KitConsent => ({
  name,
  type: 'ids',
  months: 12,
  purpose,
  text: p(
    'Я, {фио}, дата рождения {дата рождения}, документ: {документ}, даю добровольное согласие на медицинское вмешательство: {цель}.',
    `Мне в доступной форме разъяснены цель, методы, возможные варианты вмешательства, его последствия, предполагаемый результат и риск: ${risks}.`,
    'Мне разъяснено право отказаться от вмешательства или потребовать его прекращения. На вопросы я получил(а) ответы.',
    'Подписывает: {подписывает}. Представитель: {представитель}, основание: {документ представителя}.',
  ),
})
