import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
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
