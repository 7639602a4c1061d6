import { Button, Skeleton, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Assigned } from '@ordinator/model/areas/tasks/task'
import { IconLock } from '@tabler/icons-react'
import { ApiError, errorMessage } from '../../../base/apiError.ts'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { Dialog } from '../../../kit/Dialog.tsx'
import classes from '../../../kit/openCard.module.css'
import { StatePage } from '../../../kit/StatePage.tsx'
import { useRecord } from '../../../records/reads.ts'
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

/** One task over its board; the address holds which. */
export default function CardDialog({ idCard, data, rights, store, onClose }: Props) {
  const phone = useMediaQuery('(max-width: 48em)')
  const card = useRecord(
    Assigned,
    idCard,
    { expand: ['task.user', 'task.executors.member.user', 'task.responsible.member.user', 'task.tags', 'column'] },
    { forbidden: 'silent' },
  )
  const full = card.data as unknown as FullCard | undefined
  return (
    <Dialog
      onClose={onClose}
      withCloseButton={false}
      size={1000}
      padding={0}
      fullScreen={phone}
      centered={false}
      yOffset="4dvh"
      returnFocus={false}
      classNames={{ content: classes.content, body: classes.body }}
      attributes={{ content: { 'aria-label': full ? `Задача «${full.task?.name ?? ''}»` : 'Задача' } }}
    >
      {full?.task ? (
        <OpenCard key={full.id} card={full} data={data} rights={rights} store={store} onClose={onClose} />
      ) : card.isPending ? (
        <Stack p="lg" aria-busy="true">
          <Skeleton height={28} width="60%" />
          <Skeleton height={160} />
          <Skeleton height={32} width="40%" />
        </Stack>
      ) : (
        <Missing error={card.error} onRetry={() => void card.refetch()} onClose={onClose} />
      )}
    </Dialog>
  )
}

function Missing({ error, onRetry, onClose }: { error: Error | null; onRetry: () => void; onClose: () => void }) {
  const close = <ActionButton label="Вернуться к доске" variant="light" onClick={onClose} />
  if (error instanceof ApiError && error.status === 403)
    return <StatePage size="block" icon={IconLock} title="Нет доступа к задаче" text={error.message} actions={close} />
  if (!error || (error instanceof ApiError && error.status === 404))
    return (
      <StatePage
        size="block"
        icon={IconLock}
        title="Задача не найдена"
        text="Её удалили, перенесли на другую доску, или она вам не видна."
        actions={close}
      />
    )
  return (
    <StatePage
      size="block"
      icon={IconLock}
      title="Задача не загрузилась"
      text={errorMessage(error)}
      actions={
        <>
          <Button onClick={onRetry}>Повторить</Button>
          {close}
        </>
      }
    />
  )
}
