import { Assigned } from '@ordinator/model/areas/tasks/task'
import { useSyncExternalStore } from 'react'
import type { BoardController } from '../../../kit/board/controller.ts'
import { useHotkey } from '../../../kit/hotkeys.ts'
import type { AnyRow } from '../../../records/fields/ui.ts'
import { type BulkAction, BulkBar } from '../../../records/table/BulkBar.tsx'
import { useBulkActions } from '../views/useBulkActions.tsx'
import classes from './BoardScreen.module.css'
import type { BoardStore } from './boardStore.ts'
import type { BoardData, BoardRights } from './useBoardData.ts'

interface Props {
  controller: BoardController
  store: BoardStore
  data: BoardData
  rights: BoardRights
}

/** What can be done with the cards that are selected on the board. Nothing stands here when none is. */
export function BoardSelection(props: Props) {
  const { controller } = props
  const selected = useSyncExternalStore(controller.subscribe, () => controller.selected)
  useHotkey('escape', () => controller.select([]), {
    enabled: selected.size > 0,
    label: 'Снять выбор',
    group: 'Доска',
  })
  return selected.size > 0 ? <Bar {...props} ids={[...selected]} /> : null
}

function Bar({ controller, store, data, rights, ids }: Props & { ids: number[] }) {
  const actions = useBulkActions(data, rights, (tasks) => store.refreshTasks(tasks))
  const cards = ids.flatMap((id) => store.cards.find(id)?.card ?? [])
  return (
    <div className={classes.selection}>
      <BulkBar
        entity={Assigned}
        rows={cards as unknown as AnyRow[]}
        actions={actions as unknown as readonly BulkAction<AnyRow>[]}
        removable={false}
        onDone={() => controller.select([])}
      />
    </div>
  )
}
