import type { ChatMessage, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import type { Expanded, Filter } from '@ordinator/model/client'

/** A chat with the relations for the operator's screen. */
export type OpenChat = Expanded<typeof LiveAssist, 'user' | 'customer' | 'filial' | 'domain' | 'group' | 'outcome'>

/** A message with the relations for its thread. */
export type Line = Expanded<typeof ChatMessage, 'user' | 'files.file'>

/** Tabs of the list (spec §4). */
export const tabs = {
  mine: 'Мои',
  unassigned: 'Ничьи',
  robot: 'Робот',
  active: 'Активные',
  completed: 'Завершённые',
  archive: 'Архив',
  all: 'Все',
} as const
export type Tab = keyof typeof tabs

export const isTab = (value: unknown): value is Tab => typeof value === 'string' && Object.hasOwn(tabs, value)

/** Filter of a tab. @param me the user's id @param isNarrowed a group is selected in the filters */
export function filterOf(tab: Tab, me: number, isNarrowed: boolean): Filter<typeof LiveAssist> {
  switch (tab) {
    case 'mine':
      return { status: 'active', handler: 'human', idUser: me }
    case 'unassigned':
      return { status: 'active', handler: 'none', ...(isNarrowed ? {} : { isForMe: true }) }
    case 'robot':
      return { status: 'active', handler: 'robot' }
    case 'active':
      return { status: 'active', handler: 'human' }
    case 'all':
      return {}
    default:
      return { status: tab }
  }
}
