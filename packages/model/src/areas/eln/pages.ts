import type { Page } from '../../page.ts'

/** The screens of the area; `pages.ts` of the model joins them to the list. */
export const elnPages = [
  {
    key: 'sickLeaves',
    path: 'eln',
    title: 'Больничные листы',
    help: 'Кому и до какого дня открыт больничный, что сделать сегодня, что ответил СФР',
    section: 'clients',
    icon: 'eln',
    any: ['viewElnList'],
    menu: true,
    entity: 'eln',
    makes: { label: 'Новый больничный лист', any: ['editEln'], names: 'эльн больничный нетрудоспособность' },
  },
  {
    key: 'elnNumbers',
    path: 'eln/numbers',
    title: 'Номера больничных',
    help: 'Запас номеров от СФР: свободные, использованные, испорченные',
    section: 'clients',
    icon: 'eln',
    any: ['viewElnList'],
    entity: 'eln/numbers',
  },
  {
    key: 'sickLeave',
    path: 'eln/:id',
    title: 'Больничный лист',
    help: 'Периоды, подписи, выписка и обмен с СФР одного листа',
    section: 'clients',
    icon: 'eln',
    any: ['viewElnList'],
  },
  {
    key: 'elnSettings',
    path: 'settings/eln',
    title: 'Больничные: обмен с СФР',
    help: 'Доступ к сервису СФР, сроки врача и комиссии, какие диагнозы не сообщать',
    section: 'settings',
    group: 'state',
    icon: 'eln',
    any: ['mainSettings'],
  },
  {
    key: 'snilsQueries',
    path: 'settings/sosnils/queries',
    title: 'Запросы СНИЛС',
    help: 'Кого искали по данным карты и что ответил СФР',
    section: 'settings',
    group: 'state',
    icon: 'sosnils',
    any: ['mainSettings'],
    entity: 'snils/queries',
  },
] as const satisfies readonly Page[]

/** What «?» tells about them, by the key of the page. */
export const elnHelp = {
  sickLeaves: [
    'Вверху — что сделать сегодня: у кого последний день, кто просрочен, где нужна комиссия, что подписать.',
    'Новый лист: пациент, место работы, причина, первый период. Номер даётся из запаса, когда лист отдают на подпись.',
  ],
  elnNumbers: [
    'Номера выдаёт только СФР. Если ответ на запрос потерялся, программа его не повторяет: номера могли быть выданы. Посмотрите их в кабинете СФР и впишите — или скажите, что их нет.',
  ],
  sickLeave: [
    'Каждый период подписывает его врач; если всего вышло больше 15 дней — ещё и председатель ВК.',
    'Продлить — это новый период назавтра после последнего. На листе не больше трёх: дальше лист закрывают с кодом 31 и выдают продолжение.',
    'Перед каждой отправкой программа спрашивает у СФР, не изменил ли лист кто-то ещё. Если изменил, покажет разницу.',
  ],
  elnSettings: ['Пока обмен не подключён, листы можно готовить, но номера и ответы СФР не появятся.'],
  snilsQueries: ['Если нашлось несколько СНИЛС или данные не совпали, выберите верный на вкладке «Документы» карты.'],
} as const satisfies Readonly<Record<string, readonly string[]>>
