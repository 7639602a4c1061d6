import type { Page } from '../../page.ts'

/** The screens of the area; `pages.ts` of the model joins them to the list. */
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

/** What «?» tells about them, by the key of the page. */
export const advertisingHelp = {
  advertising: [
    'Обращение относится к кампании по набранному номеру, UTM-метке, промокоду или ответу «откуда узнали». Правило: последнее непрямое касание за 30 дней.',
    'К чему отнесено обращение, решается один раз, в момент обращения. Первое и последнее касание хранятся отдельно: переключатель над таблицей показывает одно или другое.',
    'ROMI = (оплачено − расход) / расход. CPL — расход на обращение, CAC — на нового пациента.',
  ],
  adCampaign: ['Расход вносят по дням или загружают CSV из рекламного кабинета. Замечания закона видны сверху.'],
} as const satisfies Readonly<Record<string, readonly string[]>>
