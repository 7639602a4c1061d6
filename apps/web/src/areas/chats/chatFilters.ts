import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { refs } from '#records/filters/ref.tsx'

/** Filters of the chat list, independent of the tab. */
export const chatFilters = filters(LiveAssist, {
  group: refs('idGroup', { label: 'Группа', any: 'Любая группа' }),
  filial: refs('idFilial', { any: 'Любой филиал' }),
  site: refs('idDomain', { any: 'Любой сайт' }),
  channel: refs('idChannel', { any: 'Любой канал' }),
  user: refs('idUser', { any: 'Любой оператор' }),
  awaits: flag('Ждут меня', { status: 'active', awaitsMe: true }, { panel: 'Только те, кто ждёт моего ответа' }),
  late: flag('Срок вышел', () => ({ nextDueAt: { lt: new Date().toISOString() } }), {
    panel: 'Только те, у кого вышел срок ответа',
  }),
})
export type ChatFilters = ReturnType<typeof chatFilters.read>
