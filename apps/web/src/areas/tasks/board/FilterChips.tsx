import { formatDate } from '@ordinator/model/format'
import { type FilterChip, FilterChipLine } from '../../../kit/FilterBar.tsx'
import { personName } from '../../../kit/UserAvatar.tsx'
import {
  dueWords,
  noFilters,
  type SetTasksAddress,
  stateWords,
  type TaskFilters,
  type TasksAddress,
} from '../address.ts'
import type { MemberRow } from './useBoardData.ts'

interface Props {
  members: readonly MemberRow[]
  address: TasksAddress
  setAddress: SetTasksAddress
}

/** What narrows the tasks that are shown, each with a way to take it off. Nothing stands here when nothing does. */
export function FilterChips({ members, address, setAddress }: Props) {
  return <FilterChipLine chips={chipsOf(address, members)} onOff={setAddress} onReset={() => setAddress(noFilters)} />
}

type Chip = FilterChip<TaskFilters>

function chipsOf(wanted: TaskFilters, members: readonly MemberRow[]): Chip[] {
  const chips: Chip[] = []
  const people = (label: string, ids: number[] | undefined, by: 'id' | 'idUser', off: TaskFilters) => {
    if (!ids) return
    const names = ids.map((id) => {
      const user = members.find((member) => member[by] === id)?.user
      return user ? personName(user) : 'бывший участник'
    })
    chips.push({ text: `${label}: ${names.join(', ')}`, off })
  }
  if (wanted.q) chips.push({ text: `Поиск: «${wanted.q}»`, off: { q: undefined } })
  if (wanted.mine) chips.push({ text: 'Только мои', off: { mine: undefined } })
  people('Исполнитель', wanted.executor, 'id', { executor: undefined })
  people('Ответственный', wanted.responsible, 'id', { responsible: undefined })
  people('Создатель', wanted.creator, 'idUser', { creator: undefined })
  if (wanted.people)
    chips.push({ text: wanted.people === 'with' ? 'Есть люди' : 'Без людей', off: { people: undefined } })
  if (wanted.state)
    chips.push({ text: wanted.state.map((state) => stateWords[state]).join(', '), off: { state: undefined } })
  if (wanted.due)
    chips.push({ text: `Срок: ${dueText(wanted)}`, off: { due: undefined, from: undefined, to: undefined } })
  if (wanted.importance || wanted.importanceTo)
    chips.push({
      text: `Важность ${[wanted.importance && `от ${wanted.importance}`, wanted.importanceTo && `до ${wanted.importanceTo}`].filter(Boolean).join(' ')}`,
      off: { importance: undefined, importanceTo: undefined },
    })
  if (wanted.tags) chips.push({ text: `Метки: ${wanted.tags.join(', ')}`, off: { tags: undefined } })
  if (wanted.unread) chips.push({ text: 'Непрочитанные комментарии', off: { unread: undefined } })
  return chips
}

function dueText({ due, from, to }: TaskFilters): string {
  if (due !== 'period') return dueWords[due as keyof typeof dueWords].toLowerCase()
  return [from && `с ${formatDate(from)}`, to && `по ${formatDate(to)}`].filter(Boolean).join(' ') || 'указан'
}
