import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const advertisingPages = [
  {
    key: 'advertising',
    path: 'advertising',
    title: 'Реклама',
    help: 'Кампании: расход, обращения, визиты, оплаты и окупаемость',
    section: 'sales',
    icon: 'advertising',
    any: ['viewAdvertising', 'createAdvertising'],
    menu: true,
    makes: { label: 'Новая рекламная кампания', any: ['createAdvertising'], names: 'реклама' },
  },
  {
    key: 'adCampaign',
    path: 'advertising/campaigns/:id',
    title: 'Рекламная кампания',
    help: 'Номера, материалы, расходы по дням и проверки закона',
    section: 'sales',
    icon: 'advertising',
    any: ['viewAdvertising', 'createAdvertising'],
  },
] as const satisfies readonly Page[]
