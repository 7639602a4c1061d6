import { Button } from '@mantine/core'
import { Assigned } from '@ordinator/model/areas/tasks/task'
import { IconLock } from '@tabler/icons-react'
import { useEffect } from 'react'
import { StatePage } from '#kit/StatePage.tsx'
import { useRecord } from '#records/reads.ts'
import { useTasksAddress } from './address.ts'
import { BoardScreen } from './board/BoardScreen.tsx'
import { BoardsPage } from './boards/BoardsPage.tsx'

/** Задачи: the list of workspaces, or the one in the URL. */
export default function TasksPage() {
  const [address] = useTasksAddress()
  if (address.board !== undefined) return <BoardScreen key={address.board} idBoard={address.board} />
  if (address.assignedColumn !== undefined) return <ByCard idCard={address.assignedColumn} />
  return <BoardsPage />
}

/** A URL with only a card: finds its workspace first. */
function ByCard({ idCard }: { idCard: number }) {
  const [, setAddress] = useTasksAddress()
  const card = useRecord(Assigned, idCard, { expand: ['column'] }, { forbidden: 'silent' })
  const board = card.data?.column?.idBoard
  useEffect(() => {
    if (board !== undefined) setAddress({ board }, { replace: true })
  }, [board, setAddress])
  if (!card.isError && (card.isPending || board !== undefined)) return null
  return (
    <StatePage
      icon={IconLock}
      title="Задача не найдена"
      text="Её удалили, или она вам не видна."
      actions={<Button onClick={() => setAddress({ assignedColumn: undefined })}>Все пространства</Button>}
    />
  )
}
