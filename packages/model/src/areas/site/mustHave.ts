/**
 * What a clinic has to publish on its site: order № 118н of 13.03.2025, in force from 01.09.2025, for private clinics
 * too; and what the law on personal data (152-ФЗ, article 18.1) adds. Dated, so that a new edition of the list is a new
 * line with its day and the former one ends.
 */
import type { DocumentKind } from './documentKinds.ts'
import type { PolicyKind } from './policy.ts'

export interface MustHave {
  key: string
  label: string
  /** Where it is put, for who has to put it. */
  how: string
  /** Why it has to stand there. */
  source: string
  /** `YYYY-MM-DD`, both count. */
  from: string
  to?: string
  /** What answers it: a published document, a policy in force, a page of the site that is never empty. */
  by: { document: DocumentKind } | { policy: PolicyKind } | { fact: SiteFact }
}

/** What the site tells by itself of the clinic's records. */
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

/** What holds on a day, `YYYY-MM-DD`. */
export const mustHaveOn = (day: string): MustHave[] =>
  list.filter(({ from, to }) => from <= day && (to === undefined || day <= to))
