import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const moneyPages = [
  {
    key: 'cash',
    path: 'cash',
    title: 'Касса',
    help: 'Приём оплаты и возвраты, чеки, смена',
    names: 'чек чеки оплаты платёж',
    section: 'reception',
    icon: 'cash',
    any: ['takePayments', 'refundPayments', 'cashInOut', 'viewCashDesk'],
    menu: true,
    makes: {
      label: 'Принять оплату',
      any: ['takePayments'],
      search: { take: true },
      names: 'новый платёж деньги касса',
    },
    does: [
      { label: 'Закрыть смену', any: ['takePayments'], search: { close: true }, names: 'закрыть смену кассы z-отчёт' },
      { label: 'Открыть смену', any: ['takePayments'], search: {}, names: 'открыть смену кассы начать день' },
    ],
  },
  {
    key: 'paymentLinks',
    path: 'cash/links',
    title: 'Ссылки на оплату',
    help: 'Что просили оплатить картой и по СБП издалека и что с этим стало',
    section: 'reception',
    icon: 'paymentLinks',
    any: ['takePayments', 'refundPayments', 'cashInOut', 'viewCashDesk'],
    entity: 'payment-links',
  },
  {
    key: 'families',
    path: 'families',
    title: 'Семейные счета',
    help: 'Один платит за нескольких: общий аванс, лимиты на месяц, что кому потрачено',
    names: 'семья родственники депозит общий счёт плательщик',
    section: 'clients',
    icon: 'families',
    any: ['viewCashDesk', 'takePayments', 'refundPayments', 'cashInOut'],
    entity: 'families',
    makes: { label: 'Новый семейный счёт', any: ['takePayments', 'editAccount'], rare: true },
  },
] as const satisfies readonly Page[]

/** Set-up pages of this area; the model’s `pages.ts` adds them to the list. */
export const moneySetUp = [
  {
    key: 'cashDesks',
    path: 'settings/cash-desks',
    title: 'Рабочие места касс',
    help: 'Кассы филиалов: чьи чеки, регистратор чеков, терминал, предел возврата',
    section: 'settings',
    group: 'desk',
    icon: 'cash',
    any: ['mainSettings'],
    entity: 'cash-desks',
    makes: { label: 'Новая касса', any: ['mainSettings'], rare: true },
  },
] as const satisfies readonly Page[]
