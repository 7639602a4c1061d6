/**
 * Information that a clinic must publish on its site: order № 118н of 13.03.2025, in force from 01.09.2025, also for
 * private clinics; and the law on personal data (152-ФЗ, article 18.1). Dated: a new edition adds an entry with its
 * first day and ends the former one.
 */
import type { DocumentKind } from './documentKinds.ts'
import type { PolicyKind } from './policy.ts'

export interface MustHave {
  key: string
  label: string
  /** Where to add it, for the administrator. */
  how: string
  /** The legal source. */
  source: string
  /** `YYYY-MM-DD`, both inclusive. */
  from: string
  to?: string
  /** What satisfies it: a published document, a policy in force, or a page generated from records. */
  by: { document: DocumentKind } | { policy: PolicyKind } | { fact: SiteFact }
}

/** Facts that the site shows from the clinic's records. */
export const siteFacts = {
  filials: 'Филиалы с адресом, телефоном и часами',
  prices: 'Услуги с ценами',
  doctors: 'Врачи со специальностью',
} as const
export type SiteFact = keyof typeof siteFacts

const order = 'Приказ Минздрава № 118н'
const since = '2025-09-01'
const document = (key: DocumentKind, label: string, from = since, source = order): MustHave => ({
  key,
  label,
  how: 'Документы: добавьте и отметьте «Опубликован»',
  source,
  from,
  by: { document: key },
})
const fact = (key: SiteFact, label: string, how: string): MustHave => ({
  key,
  label,
  how,
  source: order,
  from: since,
  by: { fact: key },
})

const list: readonly MustHave[] = [
  fact('filials', 'Адреса, схема проезда, телефоны и часы работы', 'Филиалы: адрес, телефон, часы, «Виден на сайте»'),
  document('registration', 'Наименование, дата регистрации, учредители, структура и органы управления'),
  document('licence', 'Лицензия на медицинскую деятельность'),
  document('control', 'Адреса и телефоны контролирующих органов'),
  fact('doctors', 'Врачи: имя, должность, специальность', 'Сотрудники: специальность и «Показывать на сайте»'),
  document('staff', 'Образование, сертификаты и аккредитация медицинских работников'),
  fact('prices', 'Виды медицинской помощи и цены', 'Услуги: «Видна на сайте», цена не скрыта'),
  document('contract', 'Правила и образец договора оказания платных услуг'),
  document('rules', 'Правила записи, подготовки к исследованиям, госпитализации и внутреннего распорядка'),
  document('guarantees', 'Программа государственных гарантий бесплатной помощи'),
  {
    key: 'privacy',
    label: 'Политика обработки персональных данных',
    how: 'Политика: опубликуйте версию',
    source: '152-ФЗ, статья 18.1',
    from: '2011-07-27',
    by: { policy: 'privacy' },
  },
  {
    key: 'consent',
    label: 'Согласие на обработку персональных данных при заявке',
    how: 'Политика: опубликуйте версию',
    source: '152-ФЗ, статья 9',
    from: '2006-07-27',
    by: { policy: 'consent' },
  },
]

/** Entries in force on a day, `YYYY-MM-DD`. */
export const mustHaveOn = (day: string): MustHave[] =>
  list.filter(({ from, to }) => from <= day && (to === undefined || day <= to))
