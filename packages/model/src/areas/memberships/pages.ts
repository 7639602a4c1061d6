import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const membershipPages = [
  {
    key: 'memberships',
    path: 'memberships',
    title: 'Абонементы',
    help: 'Проданные абонементы: остаток, срок, заморозка, история',
    names: 'абонемент пакет курс годовая программа',
    section: 'reception',
    icon: 'memberships',
    any: ['viewMemberships', 'takePayments', 'viewCashDesk'],
    menu: true,
    entity: 'memberships',
    family: 'memberships',
  },
  {
    key: 'membershipTypes',
    path: 'memberships/types',
    title: 'Виды абонементов',
    help: 'Что продают: посещения, срок, услуги, цена, правило возврата',
    section: 'reception',
    icon: 'memberships',
    any: ['viewMemberships', 'editMembershipTypes'],
    entity: 'membership-types',
    family: 'memberships',
    makes: { label: 'Новый вид абонемента', any: ['editMembershipTypes'], rare: true },
  },
  {
    key: 'reportMemberships',
    path: 'reports/memberships',
    title: 'Обязательства по абонементам',
    help: 'Сколько денег и посещений клиника ещё должна по проданным абонементам',
    section: 'finance',
    icon: 'reports',
    report: true,
    any: ['viewPaymentsReport'],
  },
] as const satisfies readonly Page[]
