import type { Page } from '../../page.ts'

/** The screens of the area; `pages.ts` of the model joins them to the list. */
export const agentPages = [
  {
    key: 'deskAgents',
    path: 'settings/desk-agents',
    title: 'Агенты касс',
    help: 'Программы на компьютерах касс: через них работают ККТ и терминал, которые стоят рядом',
    section: 'settings',
    group: 'desk',
    icon: 'deskAgents',
    any: ['mainSettings'],
    entity: 'desk-agents',
    makes: { label: 'Новый агент кассы', any: ['mainSettings'], rare: true },
  },
] as const satisfies readonly Page[]

/** What «?» tells about them, by the key of the page. */
export const agentHelp = {
  deskAgents: [
    'Скачайте файл на компьютер кассы и запустите: node ordinator-agent.mjs. Нужна программа Node 22 или новее.',
    'Ключ стоит внутри файла. Новый файл отключает прежний, «Отозвать» отключает сразу.',
    'Без связи чеки ждут в очереди кассы и пробиваются, когда агент вернётся: дважды не пробивается ничего.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>
