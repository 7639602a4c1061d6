import { Board } from '@ordinator/model/areas/tasks/board'
import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useGo } from '#base/address.ts'
import { recordsWith } from '#base/client.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RecordFacts } from '#records/RecordFacts.tsx'

const records = recordsWith({ forbidden: 'silent' })

/** A task without a workspace: its content, and a way to add it to one. */
export function LooseTask({ idTask, onClose }: { idTask: number; onClose: () => void }) {
  const go = useGo()
  const cache = useQueryClient()
  const [idBoard, setBoard] = useState<number | null>(null)
  return (
    <ActionDialog
      title="Задача вне пространств"
      action="Поместить в пространство"
      size={560}
      faults={{ idBoard: idBoard === null && 'Выберите пространство' }}
      run={async () => {
        const board = await records.view(Board, idBoard as number, {})
        const card = await records.create(Assigned, { idTask, idColumn: board.idColumnNew as number })
        await invalidateRecords(cache, Task.path)
        void go({ page: 'tasks', search: { board: board.id, assignedColumn: card.id } })
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <RecordFacts entity={Task} id={idTask} />
          <RefSelect
            to={Board.path}
            label="Рабочее пространство"
            required
            value={idBoard}
            error={errorOf('idBoard')}
            onChange={setBoard}
          />
        </>
      )}
    </ActionDialog>
  )
}
