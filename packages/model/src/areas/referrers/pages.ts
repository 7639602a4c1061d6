import type { Page } from '../../page.ts'

/** The screens of the area. */
export const referrerPages = [
  {
    key: 'referrers',
    path: 'referrers',
    title: 'Направившие',
    help: 'Организации и самозанятые, которые направляют пациентов по договору: договоры и ставки',
    names: 'партнёры агенты реферальная комиссия вознаграждение',
    section: 'finance',
    icon: 'referrers',
    any: ['viewReferrers', 'editReferrers'],
    entity: 'referrers',
    family: 'referrers',
    makes: { label: 'Новый направивший', any: ['editReferrers'], rare: true },
  },
  {
    key: 'referrerActs',
    path: 'referrers/acts',
    title: 'Акты направивших',
    help: 'Что начислено направившим за месяц, что подписано и оплачено',
    names: 'партнёры агенты вознаграждение акт',
    section: 'finance',
    icon: 'referrers',
    any: ['viewReferrers', 'editReferrers'],
    entity: 'referrer-acts',
    family: 'referrers',
  },
  {
    key: 'reportReferrers',
    path: 'reports/referrers',
    title: 'Направленные пациенты',
    help: 'Кто сколько пациентов направил, сколько они заплатили и сколько начислено',
    names: 'партнёры агенты реферальная',
    section: 'finance',
    icon: 'reports',
    report: true,
    any: ['viewReferrers', 'editReferrers'],
  },
] as const satisfies readonly Page[]
