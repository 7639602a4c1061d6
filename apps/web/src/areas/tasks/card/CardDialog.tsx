import { Assigned } from '@ordinator/model/areas/tasks/task'
import { IconLock } from '@tabler/icons-react'
import { CardDialogFrame } from '#records/board/CardDialogFrame.tsx'
import { useRecord } from '#records/reads.ts'
import type { BoardStore } from '../board/boardStore.ts'
import type { BoardData, BoardRights } from '../board/useBoardData.ts'
import type { FullCard } from './fullCard.ts'
import { OpenCard } from './OpenCard.tsx'

interface Props {
  idCard: number
  data: BoardData
  rights: BoardRights
  store: BoardStore
  onClose: () => void
}

/** The card in the URL, over its board. */
export default function CardDialog({ idCard, data, rights, store, onClose }: Props) {
  const card = useRecord(
    Assigned,
    idCard,
    { expand: ['task.user', 'task.executors.member.user', 'task.responsible.member.user', 'task.tags', 'column'] },
    { forbidden: 'silent' },
  )
  const full: FullCard | undefined = card.data
  return (
    <CardDialogFrame
      label={full ? `Задача «${full.task?.name ?? ''}»` : 'Задача'}
      size={1000}
      pending={card.isPending}
      missing={{
        error: card.error,
        icon: IconLock,
        refused: 'Нет доступа к задаче',
        gone: { title: 'Задача не найдена', text: 'Её удалили, перенесли на другую доску, или она вам не видна.' },
        failed: 'Задача не загрузилась',
        back: 'Вернуться к доске',
        onRetry: () => void card.refetch(),
        onClose,
      }}
    >
      {full?.task && <OpenCard key={full.id} card={full} data={data} rights={rights} store={store} onClose={onClose} />}
    </CardDialogFrame>
  )
}
