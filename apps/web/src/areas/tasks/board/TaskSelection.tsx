import { Assigned } from '@ordinator/model/areas/tasks/task'
import type { BoardController } from '#kit/board/controller.ts'
import { BoardSelection, SelectionBar } from '#records/board/BoardSelection.tsx'
import { useBulkActions } from '../views/useBulkActions.tsx'
import type { BoardStore } from './boardStore.ts'
import type { BoardData, BoardRights } from './useBoardData.ts'

interface Props {
  controller: BoardController
  store: BoardStore
  data: BoardData
  rights: BoardRights
}

/** Bulk actions on selected tasks. */
export function TaskSelection(props: Props) {
  return <BoardSelection controller={props.controller}>{(ids) => <Bar {...props} ids={ids} />}</BoardSelection>
}

function Bar({ controller, store, data, rights, ids }: Props & { ids: number[] }) {
  const actions = useBulkActions(data, rights, (tasks) => store.refreshTasks(tasks))
  const cards = ids.flatMap((id) => store.cards.find(id)?.card ?? [])
  return <SelectionBar entity={Assigned} cards={cards} actions={actions} controller={controller} />
}
