import { IconMessageOff } from '@tabler/icons-react'
import { PrintMenu } from '#areas/prints/index.ts'
import { useGo } from '#base/address.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { AppealCard } from './AppealCard.tsx'
import { useAppeal } from './useAppeal.ts'

/** An appeal in the side panel, 600 px, with a link to its page (spec §2). */
export function AppealPanel({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: appeal, isMissing, error, refetch } = useAppeal(id)
  const go = useGo()
  return (
    <SidePanel
      opened
      onClose={onClose}
      title={`Обращение № ${id}`}
      actions={appeal && <PrintMenu entity="appeals" id={id} variant="subtle" />}
      onOpenFull={() => void go({ page: 'appeal', params: { id } })}
    >
      {isMissing ? (
        <EmptyState icon={IconMessageOff} title="Обращение не найдено" text="Возможно, его удалили." />
      ) : appeal ? (
        <AppealCard key={id} appeal={appeal} onRemoved={onClose} />
      ) : error ? (
        <ErrorState title="Обращение не загрузилось" error={error} onRetry={() => void refetch()} />
      ) : (
        <LinesSkeleton lines={8} />
      )}
    </SidePanel>
  )
}
